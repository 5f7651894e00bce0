// Elements without markup in strings: whatever people wrote becomes text, never HTML.

/**
 * `h("a", { href, class: "quiet", onclick }, "text", child, [more])`. Attributes that are null, undefined or false are left out, `true` is an
 * attribute without a value, functions are listeners; `value` and `checked` are set as properties.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Puts these in the place of what is there. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
}

/** Changes a text only where it differs, so that nothing is painted or read out again for no reason. */
export function setText(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}

/** Told to everybody, also to those who do not see it. An `action` is a button beside it, which stays longer. */
export function say(text, action = null) {
  const place = document.getElementById("said");
  fill(place, text, action && " ", action);
  place.classList.add("shown");
  clearTimeout(say.timer);
  say.timer = setTimeout(() => {
    place.classList.remove("shown");
    fill(place);
  }, action ? 20_000 : 6000);
}
