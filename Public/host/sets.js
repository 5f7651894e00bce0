// The question sets of a session: feedback, check-in questions and polls; how to choose one, and its
// switches.
import { hrefOf } from "./address.js";
import { actionButton } from "./fields.js";
import { call, get, tagOf } from "./api.js";
import { fill, h } from "./dom.js";
import { language, t } from "./words.js";

export const feedback = "feedback";
export const checkIn = "check-in";

/** Loads the sets, if the room has not sent them yet. */
export async function loadSets(model) {
  if (model.sets.size) return;
  const { items } = await get(`/api/v1/sessions/${model.session.id}/sets`);
  model.take({ sets: items });
}

export function titleOf(set) {
  const title = set.titles?.[language] ?? set.title;
  if (title) return title;
  return set.set === feedback ? t("set_feedback") : set.set === checkIn ? t("set_checkIn") : set.set;
}

/** Returns the set as the list of sets has it. */
export const summaryOf = (set) => ({ ...set, questions: set.questions.length });

/** Returns the sets in order: feedback, even if it is empty; then check-in; then polls by name. */
export function inOrder(model) {
  const rank = (name) => (name === feedback ? 0 : name === checkIn ? 1 : 2);
  const all = [...model.sets.values()];
  if (!model.sets.has(feedback))
    all.push({
      set: feedback,
      questions: 0,
      responses: 0,
      open: false,
      shared: false,
      anonymous: true,
      anonymityFixed: false,
    });
  return all.sort((one, other) => rank(one.set) - rank(other.set) || one.set.localeCompare(other.set));
}

/** Returns links to the sets in the open tab. */
export function chooser(model, tab, current) {
  const element = h("nav", { class: "sets", "aria-label": t("questionSets") });
  const show = () =>
    fill(
      element,
      inOrder(model).map((set) =>
        h(
          "a",
          {
            href: hrefOf("sessions", model.session.id, tab, set.set),
            "aria-current": set.set === current ? "true" : null,
          },
          titleOf(set),
          " ",
          h("span", { class: "note" }, t("answersCount", { count: set.responses })),
        ),
      ),
    );
  show();
  return { element, end: model.on(["sets"], show) };
}

/** Returns the buttons of one set. `anonymous` can change only until the set is first opened. */
export function switches(model, set, { withAnonymous = false } = {}) {
  const path = `/api/v1/sessions/${model.session.id}/sets/${encodeURIComponent(set.set)}`;
  async function change(key) {
    const edited = await call("PATCH", path, { body: { [key]: !set[key] }, etag: tagOf(set) });
    model.take({ sets: [summaryOf(edited)] });
  }

  async function reload() {
    model.take({ sets: (await get(`/api/v1/sessions/${model.session.id}/sets`)).items });
  }

  function toggle(key, yes, no) {
    const text = set[key] ? yes : no;
    const label = `${titleOf(set)}: ${text}`;
    return actionButton(text, () => change(key), { "aria-label": label, onChanged: reload });
  }

  return [
    // Check-in questions are open with the check-in itself.
    set.set !== checkIn && toggle("open", t("setClose"), t("setOpen")),
    toggle("shared", t("setUnshare"), t("setShare")),
    withAnonymous &&
      set.set !== checkIn &&
      !set.anonymityFixed &&
      toggle("anonymous", t("setName"), t("setHideNames")),
  ];
}

/** Returns every set with its state and its buttons. */
export function setsPanel(model) {
  const list = h("ul", { class: "cards" });
  const show = () => {
    const focused = list.contains(document.activeElement)
      ? [...list.querySelectorAll("button, a")].indexOf(document.activeElement)
      : -1;
    fill(
      list,
      inOrder(model)
        .filter((set) => set.questions)
        .map((set) =>
          h(
            "li",
            {},
            h("a", { href: hrefOf("sessions", model.session.id, "results", set.set) }, titleOf(set)),
            h(
              "span",
              { class: "phase", "data-phase": set.open ? "running" : null },
              set.set === checkIn ? t("atCheckIn") : t(set.open ? "setIsOpen" : "setIsClosed"),
            ),
            set.shared && h("span", { class: "phase" }, t("setIsShared")),
            h("span", { class: "note" }, t("answersCount", { count: set.responses })),
            model.isHost && h("div", { class: "tools" }, switches(model, set)),
          ),
        ),
    );
    if (!list.children.length)
      fill(
        list,
        h("li", {}, h("a", { href: hrefOf("sessions", model.session.id, "questions") }, t("noQuestions"))),
      );
    // The list was drawn again: give the focus back to the same button.
    list.querySelectorAll("button, a")[focused]?.focus();
  };
  show();
  return { element: h("section", {}, h("h2", {}, t("questionSets")), list), end: model.on(["sets"], show) };
}
