// Creates elements without HTML in strings, so that a text that a user wrote is never interpreted as HTML.

/**
 * Returns an element: `h("a", { href, class: "quiet", onclick }, "text", child, [more])`. Attributes that
 * are null, undefined or false are left out; true is an attribute without a value; functions are listeners;
 * `value` and `checked` are set as properties.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
  element.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
}

/**
 * Sets a text only if it differs, so that browsers do not paint it and screen readers do not read it again.
 */
export function setText(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}

/**
 * Shows a message, which screen readers read aloud. `action` is a button beside it; the message then stays
 * longer.
 */
export function announce(text, action = null) {
  const box = document.getElementById("said");
  fill(box, text, action && " ", action);
  box.classList.add("shown");
  clearTimeout(announce.timer);
  announce.timer = setTimeout(
    () => {
      box.classList.remove("shown");
      fill(box);
    },
    action ? 20_000 : 6000,
  );
}

/**
 * Returns whether the event is the key of this small letter. On a Korean keyboard the position of the key
 * decides, because the same keys write Korean letters.
 */
export const isKey = ({ key, code }, letter) =>
  /^[a-z]$/i.test(key) ? key.toLowerCase() === letter : code === `Key${letter.toUpperCase()}`;
