// The bar at the bottom of an attendee's pages: shows the parts that open, and marks those in which something
// is new. What the attendee has seen of the questions is stored in this tab.
import { store, stored } from "./device.js";
import { t } from "./words.js";

const seenBefore = "qring-seen:";
const part = (name) => document.querySelector(`nav.parts [data-part=${name}]`);
const isShown = (name) => Boolean(part(name)?.querySelector("[aria-current]"));

/** Announces a message to screen readers. */
export function tell(text) {
  const news = document.getElementById("news");
  if (news) news.textContent = text;
}

/** Shows or hides a part of the bar. */
export function showPart(name, isOpen) {
  if (part(name)) part(name).hidden = !isOpen;
}

/** Marks a part of the bar, or removes the mark. The part that is on the screen has no mark. */
export function markPart(name, isNew) {
  if (part(name)) part(name).querySelector(".mark").hidden = !isNew || isShown(name);
}

export const isMarked = (name) => part(name)?.querySelector(".mark").hidden === false;

/** Follows the part of a frame about questions from the audience. */
export function markQuestions({ open, shown, items }, session) {
  showPart("questions", open || shown > 0 || !part("questions")?.hidden);
  const key = seenBefore + session;
  const known = stored(key, "sessionStorage") ?? { newest: "", wasOpen: false, told: false };
  const newest = items.map(({ at, id }) => `${at} ${id}`).reduce((a, b) => (a > b ? a : b), known.newest);
  const isNew = (open && !known.wasOpen) || newest > known.newest;
  if (isShown("questions")) return store(key, { newest, wasOpen: open, told: open }, "sessionStorage");
  if (isNew) markPart("questions", true);
  if (open && !known.told) tell(t("questionsOpen"));
  if (open !== known.told) store(key, { ...known, told: open }, "sessionStorage");
}
