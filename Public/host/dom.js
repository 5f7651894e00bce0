// Creates elements without HTML in strings, so that a text that a user wrote is never interpreted as HTML.
import { afterPress } from "/press.js";

/** The listeners of an element by the types of their events. */
const heard = Symbol("listeners");
/** What the host or a running action has changed in an element that is drawn again. */
const ownAttributes = ["aria-disabled", "open"];

/**
 * Returns an element: `h("a", { href, class: "quiet", onclick }, "text", child, [more])`. Attributes that
 * are null, undefined or false are left out; true is an attribute without a value; functions are listeners;
 * `value` and `checked` are set as properties. `fill` keeps an element that has a `key`.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") listen(element, name.slice(2), value);
    else if (["value", "checked", "key"].includes(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...nodesOf(children));
  return element;
}

function listen(element, type, listener) {
  const all = (element[heard] ??= new Map());
  if (!all.has(type)) element.addEventListener(type, (event) => all.get(type)?.(event));
  all.set(type, listener);
}

const nodesOf = (children) =>
  children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(child)));

/**
 * Lets an element have these children, after the end of a press. An element with a `key` keeps its identity:
 * the child that has the same key takes over the attributes, the listeners and the children of the new one.
 * An element that stays is not moved if it has the focus. So a redrawn page loses no click and no focus.
 */
export function fill(element, ...children) {
  const wanted = nodesOf(children);
  if (element.isConnected) afterPress(element, () => arrange(element, wanted));
  else arrange(element, wanted);
}

function arrange(element, wanted) {
  const focused = document.activeElement;
  const item = focused?.closest('[tabindex="0"]');
  const place = element.contains(focused)
    ? [...element.querySelectorAll(focused.tagName)].indexOf(focused)
    : -1;
  const keyed = [...element.children].filter(({ key }) => key !== undefined);
  const known = new Map(keyed.map((one) => [one.key, one]));
  const before = [...element.childNodes];
  const nodes = wanted.map((one, index) => {
    const there = before[index];
    if (one.nodeType === Node.TEXT_NODE)
      return there?.nodeType === Node.TEXT_NODE && there.data === one.data ? there : one;
    const old = known.get(one.key);
    known.delete(one.key);
    return old && old !== one && old.tagName === one.tagName ? taken(old, one) : one;
  });
  const stays = new Set(nodes);
  for (const node of before) if (!stays.has(node)) node.remove();
  const fixed = Math.max(0, nodes.findIndex((node) => node.contains(focused)));
  if (nodes.length && nodes[fixed].parentNode !== element) element.prepend(nodes[fixed]);
  for (let at = fixed + 1; at < nodes.length; at += 1)
    if (nodes[at - 1].nextSibling !== nodes[at]) nodes[at - 1].after(nodes[at]);
  for (let at = fixed - 1; at >= 0; at -= 1)
    if (nodes[at + 1].previousSibling !== nodes[at]) nodes[at + 1].before(nodes[at]);
  // If the focused control is gone, the focus goes to the item with its keys, or to the control in its place.
  if (place >= 0 && focused.key !== undefined && !focused.isConnected)
    (item ?? element.querySelectorAll(focused.tagName)[place])?.focus();
}

/** Lets an element look and act as the new one, and returns it. */
function taken(old, fresh) {
  for (const { name } of [...old.attributes])
    if (!fresh.hasAttribute(name) && !ownAttributes.includes(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const type of old[heard]?.keys() ?? []) old[heard].set(type, null);
  for (const [type, listener] of fresh[heard] ?? []) listen(old, type, listener);
  arrange(old, [...fresh.childNodes]);
  return old;
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
