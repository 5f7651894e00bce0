// A list whose elements stay in the document, so that no click and no focus is lost when the items change.
import { fill } from "./dom.js";

/**
 * Returns a list in `container`. `make(item)` returns `{ element, update }` for a new item, and
 * `update(item)` shows the item as it is now. `show` receives `[key, item]` for each item.
 */
export function keyedList(container, make) {
  let rows = new Map();
  return {
    show(items) {
      const next = new Map();
      for (const [key, item] of items) {
        const row = rows.get(key) ?? make(item);
        row.update(item);
        next.set(key, row);
      }
      rows = next;
      fill(container, [...rows.values()].map(({ element }) => element));
    },
  };
}
