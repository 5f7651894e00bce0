// Parts that the pages of doors and kiosks have in common.
import { h } from "./host/dom.js";

/** What has its own use for keys. */
const typing = "input:not([type=checkbox]):not([type=file]), select, textarea";

export const button = (text, onclick, name = null) =>
  h("button", { type: "button", class: name, onclick }, text);
export const line = (text, name = null) => text && h("p", { class: name }, text);

/** A moment in the time zone of a session's meeting, in the page's language. */
export const timeOf = (moment, { timeZone }) =>
  new Intl.DateTimeFormat(document.documentElement.lang, {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(new Date(moment));

/** Makes the line ready for a scanner. A tablet opens its keyboard only when somebody touches the line. */
export function focusLine(input) {
  if (matchMedia("(pointer: fine)").matches) input.focus({ preventScroll: true });
}

/** Lets letters that nothing else uses begin in this line. */
export function takeKeys(input) {
  addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
    const isLetter = key === "Process" || ([...key].length === 1 && key !== " ");
    if (isLetter && !ctrlKey && !metaKey && !altKey && !target.closest?.(typing)) input.focus();
  });
}
