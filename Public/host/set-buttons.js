// The buttons of a question set, and the panel with every set.
import { go, hrefOf } from "./address.js";
import { ask } from "./dialog.js";
import { actionButton } from "./fields.js";
import { fill, h, setText } from "./dom.js";
import { keyedList } from "./keyed.js";
import { askAgain, change, duplicate, reloadSets, remove } from "./polls.js";
import { checkIn, feedback, inOrder, previewOf, titleOf } from "./sets.js";
import { t } from "./words.js";

/**
 * Returns the buttons of one set. Each stays in its place when the set changes. `anonymous` can change only
 * until the set is first opened.
 */
export function switches(model, set, { withAnonymous = false } = {}) {
  const title = titleOf(set, model);
  const button = (text, wanted) =>
    actionButton(text, () => change(model, set, wanted), {
      "aria-label": `${title}: ${text}`,
      onChanged: () => reloadSets(model),
    });
  return [
    // Check-in questions are open with the check-in itself.
    set.set !== checkIn &&
      (set.open ? button(t("setClose"), { open: false }) : button(t("setOpen"), { open: true })),
    set.shared ? button(t("setUnshare"), { shared: false }) : button(t("setShare"), { shared: true }),
    set.set !== checkIn &&
      set.open &&
      !set.shared &&
      button(t("setCloseAndShare"), { open: false, shared: true }),
    withAnonymous &&
      set.set !== checkIn &&
      !set.anonymityFixed &&
      (set.anonymous
        ? button(t("setName"), { anonymous: false })
        : button(t("setHideNames"), { anonymous: true })),
  ];
}

/** Returns what else a host can do with a poll: look at it, edit it, ask it again, copy it, delete it. */
function more(model, set) {
  if ([feedback, checkIn].includes(set.set)) return null;
  const title = titleOf(set, model);
  const button = (name, action, attributes = {}) =>
    actionButton(t(name), action, {
      class: "plain",
      "aria-label": `${title}: ${t(name)}`,
      onChanged: () => reloadSets(model),
      ...attributes,
    });
  const openEditor = (name) => go("sessions", model.session.id, "questions", name);

  async function askAndRemove() {
    const isSure = await ask({
      title: t("removeOf", { name: title }),
      content: [h("p", {}, t("removePollAbout"))],
      button: t("remove"),
      isDangerous: true,
    });
    if (isSure) await remove(model, set);
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
      !responses && !open && button("remove", askAndRemove, { class: "plain danger" }),
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
  const rows = keyedList(list, (set) => {
    const count = h("span", { class: "note" });
    return {
      element: h(
        "li",
        {},
        h("a", { href: hrefOf("sessions", model.session.id, "results", set.set) }, titleOf(set, model)),
        h(
          "span",
          { class: "phase", "data-phase": set.open ? "running" : null },
          set.set === checkIn ? t("atCheckIn") : t(set.open ? "setIsOpen" : "setIsClosed"),
        ),
        set.shared && h("span", { class: "phase" }, t("setIsShared")),
        count,
        model.isHost && h("div", { class: "tools" }, switches(model, set)),
        model.isHost && more(model, set),
      ),
      update: ({ responses }) => setText(count, t("answersCount", { count: responses })),
    };
  });
  const show = () => {
    const sets = inOrder(model).filter((set) => set.questions);
    empty.hidden = sets.length > 0;
    rows.show(sets.map((set) => [set.set, appearance(model, set), set]));
  };
  show();
  return {
    element: h("section", {}, h("h2", {}, t("questionSets")), list, empty),
    end: model.on(["sets", "tallies"], show),
  };
}

/** Returns what decides how a set and its buttons look, as a text. */
export const appearance = (model, set) => JSON.stringify([titleOf(set, model), set.open, set.shared]);
