// Shows the rows of a question page by page, if they do not fit on the hall's screen together.
import { fit } from "./present-fit.js";

/** How long a page is shown before the next one, in milliseconds. */
const pause = 9000;

/** `box` contains the rows, and `mark` shows the number of the page. */
export function pager(box, mark) {
  let pages = [[]];
  let at = 0;
  let timer = 0;
  let shown = null;

  function showPage(index) {
    at = index;
    pages.forEach((rows, number) => rows.forEach((row) => (row.hidden = number !== at)));
    mark.hidden = pages.length < 2;
    mark.textContent = `${at + 1} / ${pages.length}`;
  }

  /**
   * Fits the rows again if `key`, which names the texts on the screen, or the size of the screen has changed.
   */
  function update(key, rows) {
    const now = `${key}\n${innerWidth}×${innerHeight}`;
    if (now === shown) return;
    const isSame = shown?.split("\n")[0] === now.split("\n")[0];
    shown = now;
    mark.hidden = true;
    pages = fit(box, rows);
    showPage(isSame ? Math.min(at, pages.length - 1) : 0);
    clearInterval(timer);
    if (pages.length > 1) timer = setInterval(() => showPage((at + 1) % pages.length), pause);
  }

  /** Turns a page by hand, after which no page turns by itself. Returns false behind the last page. */
  function turn(by) {
    if (!pages[at + by]) return false;
    clearInterval(timer);
    showPage(at + by);
    return true;
  }

  /** Forgets what was shown, so that the next update begins with the first page. */
  function end() {
    clearInterval(timer);
    shown = null;
  }

  return { update, turn, end };
}
