// The polls of a session as the host runs them: first what phones show now, then what comes next, and one
// line for each set that is over.
import { hrefOf } from "./address.js";
import { barList, byPlace, inOrderOfSets, tallyRows, textList } from "/tallies.js";
import { actionButton, attempt } from "./fields.js";
import { announce, fill, h, setText } from "./dom.js";
import { dropped, handle } from "./grip.js";
import { keyedList } from "./keyed.js";
import { afterPress } from "/press.js";
import { change, move } from "./polls.js";
import { more, switches } from "./set-buttons.js";
import { checkIn, feedback, inOrder, isPoll, readSets, titleOf } from "./sets.js";
import { hostSummary } from "./summary.js";
import { language, t } from "./words.js";

const pause = 250;
const mostTexts = 5;
/** The distance of two clicks in the same place, in pixels. */
const nearby = 10;

/**
 * Returns the zones of the sets: polls that phones show now, prepared polls, polls that are over, and forms.
 * `latest` is the name of the poll that changed last.
 */
function zonesOf(model, latest) {
  const sets = inOrder(model).filter((set) => set.questions);
  const polls = sets.filter(isPoll);
  const open = polls.filter((set) => set.open).reverse();
  // Between two polls, phones and the hall show the results of the last one.
  const isShown = (set) => !set.open && set.shared;
  const shared = polls.find((set) => set.set === latest && isShown(set)) ?? polls.findLast(isShown);
  const now = open.length || !shared ? open : [shared];
  const others = polls.filter((set) => !now.includes(set));
  return {
    now,
    next: others.filter((set) => !set.responses && !set.shared),
    over: others.filter((set) => set.responses || set.shared).reverse(),
    forms: sets.filter((set) => !isPoll(set)),
  };
}

/** Returns the prepared poll that follows a poll, or the first one if none follows. */
function nextAfter(model, set) {
  const { next } = zonesOf(model);
  return next.find((one) => byPlace(set, one) < 0) ?? next[0];
}

/** Opens a poll, after `before` is closed. Does nothing if another host has opened or deleted it. */
async function start(model, name, before = null) {
  const set = model.sets.get(name);
  if (!set || set.open) return;
  if (before && model.sets.get(before)?.open) await change(model, model.sets.get(before), { open: false });
  await change(model, set, { open: true });
  announce(t("asked", { title: titleOf(set) }));
}

export function liveStage(model) {
  const now = h("div", { class: "now" });
  const nothing = h("p", { class: "empty", tabindex: -1 });
  const [next, over, forms] = Array.from({ length: 3 }, () => h("ul", { class: "cards" }));
  const summary = h("summary", {});
  const sections = [
    h("section", {}, h("h2", {}, t("preparedPolls")), next),
    h("details", { class: "earlier" }, summary, over),
    h("section", { "aria-label": t("questionSets") }, forms),
  ];
  const rows = {
    now: keyedList(now, (set) => liveCard(model, set)),
    next: keyedList(next, preparedLine),
    over: keyedList(over, (set) => foldedLine(model, set)),
    // While there is no poll, the form is all that the host watches.
    forms: keyedList(forms, (set) => foldedLine(model, set, !inOrder(model).some(isPoll))),
  };
  let waiting = 0;
  // The state of each poll as it is shown, and the name of the poll that changed last.
  let states = new Map();
  let latest = null;

  /** Notes the states of the sets. Returns whether one is new, deleted, moved, renamed, opened or shared. */
  function noteStates() {
    const before = states;
    states = new Map(inOrder(model).map((set) => [set.set, `${set.open} ${set.shared} ${titleOf(set)}`]));
    for (const [name, state] of states)
      if (before.has(name) && before.get(name) !== state) latest = name;
    return [...states].join("\n") !== [...before].join("\n");
  }

  function preparedLine(set) {
    const title = h("a", { href: hrefOf("sessions", model.session.id, "questions", set.set) });
    const button = actionButton(t("ask"), () => start(model, set.set), {
      class: "quiet starts",
      onChanged: () => readSets(model),
    });
    const grip = {
      list: next,
      name: titleOf(set),
      index: () => placeOf(set),
      moveTo: (place, focus) => moveTo(set, place, focus),
    };
    return {
      element: h(
        "li",
        { "data-set": set.set, ...(model.isHost && dropped({ list: next }, "li")) },
        model.isHost && handle(grip),
        title,
        model.isHost && [button, more(model, set, (by) => moveTo(set, placeOf(set) + by))],
      ),
      update: (one) => {
        setText(title, titleOf(one));
        button.setAttribute("aria-label", `${titleOf(one)}: ${t("ask")}`);
      },
    };
  }

  const placeOf = (set) => zonesOf(model).next.findIndex((one) => one.set === set.set);

  /** Moves a prepared poll to a place among them, and then calls `focus` with its new element. */
  async function moveTo(set, place, focus = () => {}) {
    const others = zonesOf(model).next.filter((one) => one.set !== set.set);
    if (place < 0 || place > others.length) return;
    const element = () => [...next.children].find((one) => one.dataset.set === set.set);
    await attempt(element(), () => move(model, set, others[place]), { onChanged: () => readSets(model) });
    focus(element());
  }

  function show() {
    clearTimeout(waiting);
    waiting = 0;
    noteStates();
    const zones = zonesOf(model, latest);
    const hadFocus = element.contains(document.activeElement);
    for (const [name, sets] of Object.entries(zones)) rows[name].show(sets.map((set) => [set.set, set]));
    afterPress(show, () => {
      const hint = model.canAsk ? t(zones.next.length ? "startPrepared" : "startNew") : "";
      setText(nothing, `${t("noPollOpen")} ${hint}`);
      nothing.hidden = zones.now.length > 0;
      setText(summary, t("earlierPolls", { count: zones.over.length }));
      [zones.next, zones.over, zones.forms].forEach((sets, at) => (sections[at].hidden = !sets.length));
      // The button that had the focus is gone with the line of a poll that was started or closed. The focus
      // does not go to another button, because the key may still be down.
      if (hadFocus && document.activeElement === document.body)
        (now.querySelector("h2 a") ?? nothing).focus();
    });
  }

  // After a click, a button that starts a poll may be in its place. The second click of a double click was
  // not meant for it.
  let last = {};
  function ignoreSecondClick(event) {
    const { detail, clientX: x, clientY: y, target } = event;
    const isNear = Math.hypot(x - last.x, y - last.y) < nearby;
    if (detail > 1 && target !== last.target && isNear && target.closest(".starts")) {
      event.preventDefault();
      event.stopPropagation();
    }
    last = { target, x, y };
  }

  const element = h(
    "div",
    { class: "stage" },
    h("section", { "aria-label": t("phonesShow") }, now, nothing),
    sections,
  );
  element.addEventListener("click", ignoreSecondClick, true);
  // Frames with answers can arrive twenty times a second.
  const stop = model.on(["sets", "tallies", "session"], (_, changed) => {
    if (changed.has("session") || noteStates()) show();
    else waiting ||= setTimeout(show, pause);
  });
  show();
  return {
    element,
    end: () => {
      stop();
      clearTimeout(waiting);
    },
  };
}

/** Returns the results of a set, one for each question. */
function results(model) {
  const element = h("div", {});
  return {
    element,
    update: (set) =>
      fill(
        element,
        set.responses > 0 &&
          inOrderOfSets(model.tallies.values(), model.sets)
            .filter((tally) => tally.set === set.set)
            .map((tally) => result(tally, set)),
      ),
  };
}

function result(tally, set) {
  const { title, rows, texts, summary } = tallyRows(tally, language, set.pending);
  const about = hostSummary(summary);
  const isKnown = about === t("answersCount", { count: set.responses });
  return h(
    "article",
    { key: tally.questionId, class: "tally" },
    titleOf(set) !== title && h("h3", { key: "title" }, title),
    h("p", { key: "note", class: "note" }, isKnown ? "" : about),
    rows.length > 0 && barList(rows),
    texts.length > 0 && textList(texts.slice(0, mostTexts)),
  );
}

/** Returns the changing parts of a set that its card and its line have in common. */
function partsOf(model, titled) {
  const phase = h("span", { class: "phase" });
  const count = h("span", { class: "note" });
  const tools = h("div", { class: "tools" });
  const bars = results(model);
  return {
    facts: [phase, " ", count],
    bars: bars.element,
    tools: model.isHost && tools,
    update: (now, buttons, isOpen = true) => {
      setText(titled, titleOf(now));
      phase.toggleAttribute("data-phase", now.open);
      if (now.open) phase.dataset.phase = "running";
      const state = now.set === checkIn ? t("atCheckIn") : t(now.open ? "setIsOpen" : "setIsClosed");
      setText(phase, now.shared ? `${state} · ${t("setIsShared")}` : state);
      setText(count, t("answersCount", { count: now.responses }));
      if (isOpen) bars.update(now);
      if (model.isHost) fill(tools, buttons);
    },
  };
}

/** Returns a poll that phones show now: its result, and the buttons for what comes next. */
function liveCard(model, set) {
  const title = h("a", { href: hrefOf("sessions", model.session.id, "results", set.set) });
  const { facts, bars, tools, update } = partsOf(model, title);
  return {
    element: h(
      "article",
      { class: "card live", "data-set": set.set },
      h("h2", {}, title),
      h("p", {}, facts),
      // Above the result, which grows, so that no button moves under the finger.
      tools,
      bars,
      model.isHost && more(model, set),
    ),
    update: (now) => update(now, liveButtons(model, now)),
  };
}

/** The order of the buttons on the stage: the likeliest one first. */
const likeliest = ["setCloseAndShare", "setClose", "nextPoll", "setReveal", "setHideAnswers", "setUnshare"];

function liveButtons(model, set) {
  const next = nextAfter(model, set);
  const follow =
    next &&
    actionButton(t("nextPoll", { title: titleOf(next) }), () => start(model, next.set, set.set), {
      key: "nextPoll",
      class: "quiet next starts",
      onChanged: () => readSets(model),
    });
  const rank = ({ key }) => likeliest.indexOf(key) + (likeliest.includes(key) ? 0 : likeliest.length + 1);
  const buttons = [...switches(model, set), follow].filter(Boolean).sort((a, b) => rank(a) - rank(b));
  // The rare choice to close without sharing comes last.
  if (buttons[0]?.key === "setCloseAndShare") buttons.push(...buttons.splice(1, 1));
  if (set.open || buttons[0]?.key === "nextPoll") buttons[0].classList.remove("quiet");
  return buttons;
}

/** Returns a set as one line that unfolds to its results and buttons. */
function foldedLine(model, set, open = false) {
  const title = h("span", { class: "name" });
  const { facts, bars, tools, update } = partsOf(model, title);
  const href = hrefOf("sessions", model.session.id, "results", set.set);
  const results = h("a", { href }, t("tab_results"));
  const show = (now) => update(now, switches(model, now), details.open);
  const details = h(
    "details",
    { open, ontoggle: () => model.sets.has(set.set) && show(model.sets.get(set.set)) },
    h("summary", {}, title, facts),
    bars,
    tools,
    h("p", {}, results),
    model.isHost && more(model, set),
  );
  return {
    element: h("li", { "data-set": set.set }, details),
    update: (now) => {
      results.setAttribute("aria-label", `${titleOf(now)}: ${t("tab_results")}`);
      show(now);
    },
  };
}
