// The unsaved edits of question sets. They stay while the host opens other tabs and views, and the browser
// asks before the page is closed.
const drafts = new Map();
const listeners = new Set();
const keyOf = (session, set) => `${session}/${set}`;

/** Returns the unsaved edits of a set, or null. */
export const draftOf = (session, set) => drafts.get(keyOf(session, set)) ?? null;

/** Returns whether any set of the session has unsaved edits; without a session, any set at all. */
export const hasDrafts = (session = "") => [...drafts.keys()].some((key) => key.startsWith(session));

/** Stores the unsaved edits of a set; null means that there are none. */
export function storeDraft(session, set, draft) {
  const key = keyOf(session, set);
  if (draft === null && !drafts.has(key)) return;
  const isNew = !drafts.has(key);
  if (draft === null) drafts.delete(key);
  else drafts.set(key, draft);
  if (draft === null || isNew) for (const listener of listeners) listener();
}

/** Forgets every unsaved edit. */
export function discardDrafts() {
  drafts.clear();
  for (const listener of listeners) listener();
}

/** Calls `listener` when a set gets or loses unsaved edits. Returns a function that stops it. */
export function onDrafts(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

addEventListener("beforeunload", (event) => {
  if (drafts.size) event.preventDefault();
});
