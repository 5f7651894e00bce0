// The data that the browser stores for its user: drafts, settings and, on request, the name for the next
// check-in. The browser sends these data only as part of a form.
import { t } from "./words.js";

const me = "qring-me";
const remembered = ["name", "email", "number"];
const typed = "qring-typed:";
const longestTyped = 15 * 60_000;

/** Returns the stored value, or null if there is none or the browser forbids storage. */
export function stored(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/**
 * Stores a value, or removes it if it is null. Does nothing if the browser forbids storage or has no room.
 */
export function store(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The page works without storage.
  }
}

/** Removes the stored values under this prefix that are older than `longest` milliseconds. */
export function forgetOld(prefix, longest) {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(prefix) && !((stored(key)?.at ?? 0) > Date.now() - longest)) store(key, null);
    }
  } catch {
    // If the browser forbids storage, nothing is stored.
  }
}

/** Fills in the fields that match the selector, from pairs of name and value. */
export function fillFields(form, fields, selector) {
  for (const field of form.querySelectorAll(selector)) {
    const values = fields.filter(([name]) => name === field.name).map(([, value]) => value);
    if (["radio", "checkbox"].includes(field.type)) field.checked = values.includes(field.value);
    else field.value = values[0] ?? "";
  }
}

/**
 * Stores what the attendee typed if the scan has expired, because a new scan opens a new page. That page
 * fills in its form and removes the values when the form is sent.
 */
export function keepTyped(form) {
  const key = typed + form.dataset.session;
  const selector = remembered.map((name) => `[name=${name}]`).join() + ",[name^=q_]";
  forgetOld(typed, longestTyped);
  const keep = () =>
    store(key, {
      at: Date.now(),
      fields: [...new FormData(form)].filter(([name]) => remembered.includes(name) || name.startsWith("q_")),
    });
  if (form.matches(".expired")) {
    keep();
    form.addEventListener("input", keep);
  } else if (stored(key) && !isAnother()) fillFields(form, stored(key).fields, selector);
  form.addEventListener("sent", () => store(key, null));
}

const isAnother = () => new URLSearchParams(location.search).has("another");

/**
 * Adds a check box that stores the attendee's fields on this device, and fills in the stored values. If
 * another person checks in on the same phone (`?another`), the fields start empty.
 */
export function rememberMe(form) {
  const label = Object.assign(document.createElement("label"), { className: "choice remember" });
  const box = Object.assign(document.createElement("input"), { type: "checkbox" });
  box.dataset.device = "";
  const text = document.createElement("span");
  text.textContent = t("remember");
  label.append(box, " ", text);
  form.querySelector("button[type=submit]").before(label);

  const known = stored(me);
  if (known && !isAnother()) {
    box.checked = true;
    for (const name of remembered) {
      const field = form.elements[name];
      if (field && !field.value && typeof known[name] === "string") field.value = known[name];
    }
  }
  form.addEventListener("sent", () => {
    if (box.checked)
      store(
        me,
        Object.fromEntries(
          remembered.map((name) => [name, form.elements[name]?.value]).filter(([, value]) => value),
        ),
      );
    // The next person on this phone must not delete the data that another person stored.
    else if (!isAnother()) store(me, null);
  });
}
