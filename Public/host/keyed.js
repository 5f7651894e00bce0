// A list whose elements stay in the document while they look the same, so that no click and no focus is lost
// when numbers change.
import { fill } from "./dom.js";

/**
 * Returns a list in `container`. `make(item)` returns `{ element, update }`, and `update(item)` changes what
 * may change at any time. `show` receives `[key, appearance, item]` for each item. An item gets a new element
 * only if its appearance differs.
 */
export function keyedList(container, make) {
  let rows = new Map();
  return {
    show(items) {
      const focused = [...container.querySelectorAll("button, a, summary")].indexOf(document.activeElement);
      const next = new Map();
      for (const [key, appearance, item] of items) {
        const old = rows.get(key);
        const row = old?.appearance === appearance ? old : { ...make(item), appearance };
        row.update(item);
        next.set(key, row);
      }
      rows = next;
      const wanted = [...rows.values()].map(({ element }) => element);
      const isSame =
        wanted.length === container.children.length &&
        wanted.every((element, index) => container.children[index] === element);
      if (isSame) return;
      fill(container, wanted);
      // The focus goes back to the same button of the new elements.
      if (focused >= 0 && !container.contains(document.activeElement))
        container.querySelectorAll("button, a, summary")[focused]?.focus();
    },
  };
}
