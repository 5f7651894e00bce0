// The data that the browser stores for its user: drafts, settings and, on request, the name for the next
// check-in. The browser sends these data only as part of a form.
import { t } from "./words.js";

const me = "qring-me";
const remembered = ["name", "email", "number"];

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
  const isAnother = new URLSearchParams(location.search).has("another");
  if (known && !isAnother) {
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
    else if (!isAnother) store(me, null);
  });
}
