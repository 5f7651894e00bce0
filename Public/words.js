// The phrases of the page, in its language. The server writes them into `data-words` of the body.
import { fillIn } from "./phrase.js";

let current = { text: "", phrases: {} };

/** Returns the phrase of that name with its values filled in; "" if the page has none of that name. */
export function t(name, values = {}) {
  // The body is replaced when the page shows the answer to a form, and its phrases with it.
  const text = document.body.dataset.words ?? "{}";
  if (current.text !== text) current = { text, phrases: JSON.parse(text) };
  return fillIn(current.phrases[name] ?? "", values);
}
