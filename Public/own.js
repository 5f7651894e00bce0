// The stage of an attendee's own page: shows a set when the host opens it, folds it into a line when the host
// closes it, keeps what was typed until it is copied or discarded, and updates shared results. The page shows
// the results of a set only after the attendee has answered it, so that other answers do not influence the
// attendee.
import { Rooms } from "./rooms.js";
import { answered, listen, parsed } from "./page.js";
import { afterPress } from "./press.js";
import { t } from "./words.js";
import { inOrderOfSets, textIn } from "./tallies.js";
import { closeForm, enhance, forgetDraft, formOf, made, pushButton, reopenForm } from "./feedback.js";
import { hearGroups, openGroups, setGroupsLink, showGroupsLink } from "./groups.js";
import { drawResults, foldAll, lineFor, lineOf, linesOnPage, openLines, say, unfold } from "./earlier.js";
import { isMarked, markPart, markQuestions, tell } from "./parts.js";
import { hearQuestions, openQuestions } from "./ask.js";

let followed = null;
// While the rooms cannot be reached, the page asks again after this time.
const pause = 20_000;

/** Starts what belongs to the forms, to the bar and to the stage under `root`. */
export function open(root) {
  enhance(root.querySelectorAll("form.feedback:not([data-closed])"));
  for (const { dataset } of root.querySelectorAll("[data-sent]")) forgetDraft(dataset.sent);
  openGroups(root);
  openQuestions(root);
  const bar = root.querySelector("nav.parts");
  if (!bar) return;
  const { receipt, session } = bar.dataset;
  // The page after an answer reuses the open connection.
  if (followed?.receipt === receipt) {
    followed.moveTo(bar);
  } else {
    followed?.end();
    followed = following(bar, receipt, session);
  }
  // Forms that this page had before are on the stage now, so only closed ones become lines.
  if (onStage()) openLines();
}

/**
 * Moves to the next page the lines that only this page has: unsent text, and sets that were not answered. The
 * server may have made its page before the host closed these sets.
 */
export function carryOver(page, sent) {
  const lines = linesOnPage().filter((line) => {
    const form = line.querySelector("form[data-closed]");
    return form && form !== sent && (form.matches(unanswered) || form.querySelector(".kept"));
  });
  const place = page.querySelector("#live > h2");
  for (const line of lines.reverse()) {
    const set = CSS.escape(line.dataset.set);
    for (const other of page.querySelectorAll(`#now > form[data-set="${set}"], #live > [data-set="${set}"]`))
      other.remove();
    if (place) place.after(line);
    else page.querySelector("main").append(line);
  }
}

const unanswered = "form.feedback:not([data-answered])";
const waiting = `#now ${unanswered}:not([data-closed])`;
const hasAnswered = (name) => lineOf(name)?.dataset.answered !== undefined;
const onStage = () => document.getElementById("now");
const isText = (element) =>
  element?.matches("form :is(textarea, input:not([type=radio]):not([type=checkbox]))");

function following(first, receipt, session) {
  let bar = first;
  let people = 0;
  let isLive = false;
  let timer = 0;
  // The phase of the session, as the newest frame says it.
  let phase;
  let title = document.title;
  const tallies = new Map();
  const sets = new Map();
  // The sets that this page has seen open, and those for which it has fetched the forms.
  const seen = new Set();
  const asked = new Set();
  // The sets that have opened while the attendee was on another page.
  const news = new Set();
  let hasMarked = false;
  // The form in which the attendee has entered something last.
  let inHand = null;
  // The forms that were fetched since the server made this page.
  let arrived = [];
  const rooms = new Rooms({ authorize: receipt, onState: ({ name }) => setState(name) });
  rooms.join(`audience:${session}`, (message) => {
    hearGroups(message);
    afterPress(message, () => take(message));
  });

  function setState(name) {
    setGroupsLink(name);
    lookWithoutRoom(name);
  }

  function take(message) {
    if (message.refused) return rooms.close();
    if (message.gone)
      return document.querySelector("main").prepend(made("p", { className: "told bad" }, t("sessionGone")));
    if (message.matching || message.snapshot) showGroupsLink(message.matching, people);
    const questions = message.audienceQuestions ?? message.snapshot?.audienceQuestions;
    if (questions) {
      markQuestions(questions, session);
      hearQuestions(questions, people);
    }
    if (message.snapshot) {
      tallies.clear();
      sets.clear();
    }
    phase = (message.session ?? message.snapshot?.session)?.phase ?? phase;
    people = message.attendance?.checkedIn ?? message.snapshot?.session.attendance?.checkedIn ?? people;
    for (const name of message.removedSets ?? []) remove(name);
    for (const set of message.snapshot?.sets ?? message.sets ?? []) sets.set(set.set, set);
    for (const tally of message.snapshot?.tallies ?? (message.tally ? [message.tally] : []))
      tallies.set(tally.questionId, tally);
    if (!onStage()) return markNow(message.snapshot);
    followSets();
    draw();
  }

  /** Marks the part "Now" on another page while a set is open that has opened since that page was loaded. */
  function markNow(isSnapshot) {
    for (const { set, open, questions } of sets.values()) {
      if (!open) news.delete(set);
      else if (questions && !seen.has(set) && !isSnapshot) news.add(set);
      if (open) seen.add(set);
      else seen.delete(set);
    }
    // A mark of the server's page stays.
    if (news.size > 0 ? isMarked("now") : !hasMarked) return;
    hasMarked = news.size > 0;
    markPart("now", hasMarked);
  }

  function remove(name) {
    sets.delete(name);
    for (const [id, { set }] of tallies) if (set === name) tallies.delete(id);
    const form = formOf(name);
    if (form) fold(form);
  }

  function draw() {
    if (!onStage()) return;
    for (const line of document.querySelectorAll(".sharing")) {
      const set = sets.get(line.dataset.set);
      const text = t(set?.shared ? "isShared" : "notShared", { title: line.dataset.title });
      if (set && line.textContent !== text) line.textContent = text;
    }
    showIdle();
    const shared = new Map();
    for (const tally of inOrderOfSets(tallies.values(), sets)) {
      const set = sets.get(tally.set);
      const waits = formOf(tally.set)?.matches(`${unanswered}:not([data-closed])`);
      if (set?.shared === false || waits || (set?.open && !hasAnswered(tally.set))) continue;
      shared.set(tally.set, [...(shared.get(tally.set) ?? []), tally]);
    }
    let newest = null;
    for (const [name, all] of shared) {
      const set = sets.get(name);
      const heading = textIn(document.documentElement.lang, set?.heading ?? all[0].title, set?.headings);
      const line = lineFor(name, heading);
      if (drawResults(line, all, set)) newest = line;
    }
    for (const line of linesOnPage()) if (!shared.has(line.dataset.set)) drawResults(line, [], null);
    if (newest && !document.querySelector("#now form.poll")) unfold(newest);
  }

  // MARK: Sets that open and close

  function followSets() {
    const open = [...sets.values()].filter((set) => set.open && set.questions).map((set) => set.set);
    for (const name of asked) if (!open.includes(name)) asked.delete(name);
    for (const { set, open } of sets.values()) {
      const form = formOf(set);
      // The answers to other sets can lead to a set that is not open for everybody.
      if (form && !open && (form.matches(".poll") || seen.has(set))) fold(form);
      if (form && open) goOn(form);
      if (open) seen.add(set);
      else seen.delete(set);
    }
    showIdle();
    // The page does not fetch a set that was just answered, because a request at that moment would reveal in
    // the server's log which attendee answered.
    const missing = open.filter(
      (name) => !asked.has(name) && !answered.has(name) && !hasAnswered(name) && !formOf(name),
    );
    for (const name of open) asked.add(name);
    // All phones in a hall receive this update at the same moment. A random delay spreads their requests. The
    // server gets about 3,300 in a second from up to 1,000 phones, and more from larger halls.
    if (missing.length) setTimeout(() => fetchForms(missing), Math.random() * Math.min(300, people * 0.3));
  }

  /** Folds the form of a set that the host has closed into its line, and says so. */
  function fold(form) {
    if (form.dataset.closed !== undefined) return;
    const { set: name, title: heading } = form.dataset;
    const hadFocus = form.contains(document.activeElement);
    const hand = inHand !== form && inHand?.isConnected ? inHand : null;
    const before = hand?.getBoundingClientRect().top;
    const line = lineFor(name, heading);
    if (!line.contains(form)) {
      line.firstElementChild.after(form);
      say(line, t("notAnswered"));
    }
    const told = closeForm(form, () => (line.open = false));
    if (told) line.open = true;
    if (told && hadFocus) told.focus();
    tell(t("setClosed", { title: heading }));
    document.title = title;
    if (hand) scrollBy({ top: hand.getBoundingClientRect().top - before, behavior: "instant" });
  }

  /** Lets the attendee go on with a form, because the host has opened its set again. */
  function goOn(form) {
    if (form.dataset.closed === undefined) return;
    reopenForm(form);
    if (form.matches(unanswered)) arrive([form], true);
  }

  async function fetchForms(names) {
    // The page asks again after the next frame, or when the next page has arrived.
    const forget = () => names.forEach((name) => asked.delete(name));
    if (!bar.isConnected) return forget();
    try {
      const found = await formsOfPage();
      arriveAfterPress(
        () => found.filter((form) => isNew(form) && names.includes(form.dataset.set)),
        forget,
      );
    } catch {
      forget();
    }
  }

  /** Shows new forms, or calls `missed` if another page is replacing this one. */
  function arriveAfterPress(news, missed = () => {}) {
    afterPress(news, () => {
      if (!bar.isConnected || !onStage()) return missed();
      const forms = news();
      if (forms.length) arrive(forms);
    });
  }

  const isNew = (form) => form.matches(unanswered) && !formOf(form.dataset.set);

  async function formsOfPage() {
    const answer = await fetch(bar.dataset.forms);
    if (!answer.ok) throw new Error(answer.status);
    return [...parsed(await answer.text()).querySelectorAll("#now > form.feedback")];
  }

  /**
   * Shows forms on top of the stage, and says so. A person who answers another form stays there: nothing
   * moves on the screen, and a button leads to the new question.
   */
  function arrive(forms, isKnown = false) {
    const other = [...document.querySelectorAll("form.feedback:not([data-closed])")].find(
      (form) => form === inHand || (isText(document.activeElement) && form.contains(document.activeElement)),
    );
    const before = other?.getBoundingClientRect().top;
    document.querySelector(".jump")?.remove();
    for (const { dataset } of forms) lineOf(dataset.set)?.remove();
    const box = putOnTop(forms);
    arrived = [...arrived.filter((form) => !forms.includes(form)), ...forms];
    if (!isKnown) listen(box);
    foldAll();
    draw();
    const { title: name } = forms[0].dataset;
    tell(t("opened", { title: name }));
    document.title = `● ${name}`;
    const settle = () => (document.title = title);
    for (const event of ["pointerdown", "keydown"]) box.addEventListener(event, settle, { once: true });
    // A browser lets only a page vibrate that somebody has touched.
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(200);
    if (other) {
      scrollBy({ top: other.getBoundingClientRect().top - before, behavior: "instant" });
      return jumpFrom(box, name);
    }
    scrollTo(0, 0);
    focusOn(forms[0].querySelector("h2"));
  }

  function putOnTop(forms) {
    const box = made("div", { className: "arrived" });
    document.querySelector(".pass")?.classList.add("slim");
    box.append(...forms);
    onStage().prepend(box);
    return box;
  }

  function focusOn(heading) {
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  }

  /** Shows a button that leads to the box while the box is not on the screen. */
  function jumpFrom(box, name) {
    const jump = pushButton("jump", t("showNow", { title: name }), () => {
      scrollTo(0, 0);
      focusOn(box.querySelector("h2"));
    });
    jump.hidden = true;
    onStage().after(jump);
    const watch = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!box.isConnected || !box.querySelector("form:not([data-closed])")) {
        jump.remove();
        return watch.disconnect();
      }
      jump.hidden = isIntersecting;
    });
    watch.observe(box.querySelector("h2") ?? box);
  }

  function showIdle() {
    const [over, idle] = document.querySelectorAll("#over, #idle");
    if (!idle) return;
    if (phase) over.hidden = phase !== "ended";
    idle.hidden = !over.hidden || !!document.querySelector(waiting);
  }

  // MARK: Without the rooms

  function lookWithoutRoom(state) {
    isLive = state === "live";
    clearTimeout(timer);
    // After "over", the server would refuse this page too.
    if (["connecting", "waiting"].includes(state)) timer = setTimeout(look, pause * (0.5 + Math.random()));
  }

  async function look() {
    if (isLive || !bar.isConnected || !onStage()) return;
    try {
      const found = await formsOfPage();
      arriveAfterPress(() => found.filter((form) => isNew(form) && !answered.has(form.dataset.set)));
      afterPress(found, () => {
        for (const form of document.querySelectorAll("#now form.poll"))
          if (!found.some(({ dataset: { set } }) => set === form.dataset.set)) fold(form);
      });
    } catch {
      // The page tries again.
    }
    lookWithoutRoom("waiting");
  }

  function moveTo(next) {
    bar = next;
    title = document.title;
    if (!onStage()) return;
    // The server may have made this page before these forms arrived. They keep what was typed.
    arrived = arrived.filter(
      ({ dataset: { set } }) => sets.get(set)?.open && !answered.has(set) && !formOf(set),
    );
    if (arrived.length) putOnTop(arrived);
    followSets();
    draw();
  }

  function end() {
    clearTimeout(timer);
    rooms.close();
    isLive = true;
    clearTimeout(timer);
  }

  document.addEventListener("aside", () => setTimeout(draw));
  document.addEventListener("input", ({ target }) => (inHand = target.form));
  return { receipt, moveTo, end };
}
