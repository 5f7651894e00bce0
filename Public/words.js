// The phrases of the page, in the page's language. The server writes the phrases into `data-words` of the
// body.
import { fillIn } from "./phrase.js";

let current = { text: "", phrases: {} };

/** Returns the phrase with this name, with its values filled in, or "" if the page has no such phrase. */
export function t(name, values = {}) {
  // The phrases are read each time, because the response to a form replaces the body with its phrases.
  const text = document.body.dataset.words ?? "{}";
  if (current.text !== text) current = { text, phrases: JSON.parse(text) };
  return fillIn(current.phrases[name] ?? "", values);
}
