// The texts of the host's page. The server makes `phrases.js` in the page's language from the catalogues
// `Phrase.Host` in Swift.
import { fillIn } from "/phrase.js";
import { phrases } from "./phrases.js";

export { accents, languages } from "./phrases.js";

export const language = document.documentElement.lang === "ko" ? "ko" : "en";

/** Returns whether there is a text of that name. */
export const hasText = (name) => Object.hasOwn(phrases, name);

/**
 * Returns the text of that name in the page's language, with its values filled in. Throws if there is none.
 */
export function t(name, values = {}) {
  if (!hasText(name)) throw new Error(`no text ${name}`);
  return fillIn(phrases[name], values);
}

/** Returns the number of a session, with its title if it has one. */
export const roundOf = ({ round, title }) => t(title ? "roundTitled" : "round", { round, title });

/** The statuses that a host sets with one tap. */
export const marks = ["present", "late", "absent", "excused"];
/** Every status of an attendee. */
export const statuses = ["awaited", ...marks];
