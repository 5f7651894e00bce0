// The promise of a question set: what its form says about names, and whether answers can change.
import { h, setText } from "./dom.js";
import { t } from "./words.js";

/** The promises, from the one that says most to the one that says least. */
export const promises = ["anonymous", "hidden", "named"];

/** Returns the choice of a promise, with a sentence that says what it means. */
export function promiseChoice({ id, chosen, label = t("promise"), isFixed = false, onchange = () => {} }) {
  const about = h("p", { class: "note", id: `${id}-about` });
  const select = h(
    "select",
    { id, disabled: isFixed, "aria-describedby": about.id, onchange: show },
    promises.map((one) => h("option", { value: one, selected: one === chosen }, t(`promise_${one}`))),
  );
  function show(event) {
    const fixed = isFixed ? ` ${t("promiseIsFixed")}` : "";
    setText(about, t(`promiseAbout_${select.value}`) + fixed);
    if (event) onchange(select.value);
  }
  show();
  const element = h("div", { class: "field" }, h("label", { for: id }, label), select, about);
  return { element, select };
}
