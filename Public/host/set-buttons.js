// The buttons of a question set, and the panel with every set in its order.
import { go, hrefOf } from "./address.js";
import { ask } from "./dialog.js";
import { actionButton, attempt } from "./fields.js";
import { announce, fill, h, setText } from "./dom.js";
import { dropped, handle } from "./grip.js";
import { keyedList } from "./keyed.js";
import { askAgain, change, duplicate, move, reloadSets, remove } from "./polls.js";
import { checkIn, feedback, inOrder, isPoll, previewOf, titleOf } from "./sets.js";
import { t } from "./words.js";

/** Returns the buttons of one set. Each has a key, so that `fill` keeps it when the set changes. */
export function switches(model, set) {
  const title = titleOf(set);
  const button = (name, wanted) =>
    actionButton(t(name), () => change(model, set, wanted), {
      key: name,
      "aria-label": `${title}: ${t(name)}`,
      onChanged: () => reloadSets(model),
    });
  // While a poll is open, the host reveals its answers.
  const [share, unshare] =
    set.open && isPoll(set) ? ["setReveal", "setHideAnswers"] : ["setShare", "setUnshare"];
  return [
    // Check-in questions are open with the check-in itself.
    set.set !== checkIn &&
      (set.open ? button("setClose", { open: false }) : button("setOpen", { open: true })),
    set.shared ? button(unshare, { shared: false }) : button(share, { shared: true }),
    set.set !== checkIn &&
      set.open &&
      !set.shared &&
      button("setCloseAndShare", { open: false, shared: true }),
  ];
}

/** Returns what else a host can do with a poll: look at it, edit, move, ask again, copy or delete it. */
function more(model, set, moveBy) {
  if (!isPoll(set)) return null;
  const title = titleOf(set);
  const button = (name, action, attributes = {}) =>
    actionButton(t(name), action, {
      class: "plain",
      "aria-label": `${title}: ${t(name)}`,
      onChanged: () => reloadSets(model),
      ...attributes,
    });
  const openEditor = (name) => go("sessions", model.session.id, "questions", name);

  async function askAndRemove() {
    const { responses } = model.sets.get(set.set);
    const isSure = await ask({
      title: t("deletePollAsk", { name: title }),
      content: [h("p", {}, responses ? t("deletePollAnswers", { count: responses }) : t("deletePollAbout"))],
      button: t("deletePoll"),
      isDangerous: true,
    });
    if (!isSure) return;
    await remove(model, set, { responses });
    announce(t("deleted"));
  }

  // The first answer changes what is possible, so the buttons are made when the menu opens.
  const tools = h("div", { class: "tools" });
  const show = () => {
    const { open, responses } = model.sets.get(set.set);
    fill(
      tools,
      h("a", { href: previewOf(model, set.set), target: "_blank" }, t("preview")),
      button("edit", () => openEditor(set.set)),
      responses > 0 && !open && button("askAgain", () => askAgain(model, set)),
      button("duplicate", async () => openEditor((await duplicate(model, set)).set)),
      button("up", () => moveBy(-1)),
      button("down", () => moveBy(1)),
      button("deletePoll", askAndRemove, { class: "plain danger" }),
    );
  };
  const summary = h("summary", { "aria-label": `${title}: ${t("more")}` }, t("more"));
  const menu = h("details", { class: "menu", ontoggle: () => menu.open && show() }, summary, tools);
  return menu;
}

/** Returns every set with its state and its buttons. */
export function setsPanel(model) {
  const list = h("ul", { class: "cards" });
  const empty = h(
    "p",
    { class: "empty" },
    t("noQuestions"),
    " ",
    h("a", { href: hrefOf("sessions", model.session.id, "questions") }, t("writeQuestions")),
  );
  // Feedback is always the first set.
  const movable = () => inOrder(model).filter((one) => one.questions && one.set !== feedback);

  /** Moves a set to a place in the list, and then calls `focus` with its new element. */
  async function moveTo(set, place, focus = () => {}) {
    const others = movable().filter((one) => one.set !== set.set);
    if (place < 0 || place > others.length) return;
    const element = () => [...list.children].find((one) => one.dataset.set === set.set);
    await attempt(element(), () => move(model, set, others[place]), { onChanged: () => reloadSets(model) });
    focus(element());
  }
  const placeOf = (set) => movable().findIndex((one) => one.set === set.set);
  const moveBy = (set, by) => moveTo(set, placeOf(set) + by);
  const first = () => inOrder(model).filter((one) => one.questions).length - movable().length;
  const gripOf = (set) => ({
    list,
    name: titleOf(set),
    index: () => placeOf(set),
    moveTo: (place, focus) => moveTo(set, place, focus),
  });

  const rows = keyedList(list, (set) => {
    const title = h("a", { href: hrefOf("sessions", model.session.id, "results", set.set) });
    const phase = h("span", { class: "phase" });
    const shared = h("span", { class: "phase" }, t("setIsShared"));
    const count = h("span", { class: "note" });
    const tools = h("div", { class: "tools" });
    const isMovable = model.isHost && set.set !== feedback;
    return {
      element: h(
        "li",
        { "data-set": set.set, ...(isMovable && dropped({ list, first }, "li")) },
        isMovable && handle(gripOf(set)),
        title,
        phase,
        shared,
        count,
        model.isHost && tools,
        model.isHost && more(model, set, (by) => moveBy(set, by)),
      ),
      update: (now) => {
        setText(title, titleOf(now));
        phase.toggleAttribute("data-phase", now.open);
        if (now.open) phase.dataset.phase = "running";
        setText(phase, now.set === checkIn ? t("atCheckIn") : t(now.open ? "setIsOpen" : "setIsClosed"));
        shared.hidden = !now.shared;
        setText(count, t("answersCount", { count: now.responses }));
        if (model.isHost) fill(tools, switches(model, now));
      },
    };
  });
  const show = () => {
    const sets = inOrder(model).filter((set) => set.questions);
    empty.hidden = sets.length > 0;
    rows.show(sets.map((set) => [set.set, set]));
  };
  show();
  return {
    element: h("section", {}, h("h2", {}, t("questionSets")), list, empty),
    end: model.on(["sets", "tallies"], show),
  };
}
