// The buttons of a question set.
import { go } from "./address.js";
import { ask } from "./dialog.js";
import { actionButton } from "./fields.js";
import { announce, fill, h } from "./dom.js";
import { askAgain, change, duplicate, remove } from "./polls.js";
import { checkIn, isPoll, previewOf, readSets, titleOf } from "./sets.js";
import { t } from "./words.js";

/** Returns the buttons of one set. Each has a key, so that `fill` keeps it when the set changes. */
export function switches(model, set) {
  const title = titleOf(set);
  const button = (name, wanted) =>
    actionButton(t(name), () => change(model, set, wanted), {
      key: name,
      "aria-label": `${title}: ${t(name)}`,
      onChanged: () => readSets(model),
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

/**
 * Returns what else a host can do with a poll: look at it, edit, ask again, copy or delete it, and with
 * `moveBy` move it. Returns null for other sets.
 */
export function more(model, set, moveBy = null) {
  if (!isPoll(set)) return null;
  const title = titleOf(set);
  const button = (name, action, attributes = {}) =>
    actionButton(t(name), action, {
      class: "plain",
      "aria-label": `${title}: ${t(name)}`,
      onChanged: () => readSets(model),
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
      moveBy && [button("up", () => moveBy(-1)), button("down", () => moveBy(1))],
      button("deletePoll", askAndRemove, { class: "plain danger" }),
    );
  };
  const summary = h("summary", { "aria-label": `${title}: ${t("more")}` }, t("more"));
  const menu = h("details", { class: "menu", ontoggle: () => menu.open && show() }, summary, tools);
  return menu;
}
