// The handle of an element in a list: the pointer drags the element, and the arrow keys move it.
import { h } from "./dom.js";
import { t } from "./words.js";

/** The list and the mover of the element that is being dragged. */
let dragged = null;

/** Puts the focus on the handle of an element. */
const focusHandle = (element) => element?.querySelector(".grip")?.focus();

/**
 * Returns the handle of an element of `list`. `index` is its place, or a function that returns the place.
 * `moveTo(place, focus)` moves the element and then calls `focus` with it. `name` names the element for
 * people who do not see it.
 */
export function handle({ list, index, name, moveTo }) {
  return h(
    "button",
    {
      type: "button",
      class: "grip",
      draggable: "true",
      "aria-label": t("moveIt", { name }),
      ondragstart: (event) => {
        dragged = { list, moveTo };
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", name);
        const element = [...list.children].find((one) => one.contains(event.target));
        event.dataTransfer.setDragImage(element, 20, 20);
      },
      ondragend: () => (dragged = null),
      onkeydown: (event) => {
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        const at = typeof index === "function" ? index() : index;
        moveTo(at + by, focusHandle);
      },
    },
    "⠿",
  );
}

/**
 * Returns the listeners of an element, which matches `css`, on which another element can be dropped. `first`
 * returns the number of elements before the first place.
 */
export const dropped = ({ list, first = () => 0 }, css) => ({
  ondragover: (event) => dragged?.list === list && event.preventDefault(),
  ondrop: (event) => {
    if (dragged?.list !== list) return;
    event.preventDefault();
    dragged.moveTo([...list.children].indexOf(event.target.closest(css)) - first(), focusHandle);
  },
});
