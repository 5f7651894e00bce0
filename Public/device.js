// The data that the browser stores for its user: drafts, settings and, on request, the name for the next
// check-in. The browser sends these data only as part of a form.
const me = "qring-me";
const remembered = ["name", "email", "number"];
const typed = "qring-typed:";
const longestTyped = 15 * 60_000;
/** The values of this page, for a browser that forbids storage. */
const memory = new Map();

/** Returns the value that is stored on the device, or in this tab only; null if there is none. */
export function stored(key, place = "localStorage") {
  try {
    return JSON.parse(window[place].getItem(key) ?? "null") ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

/** Stores a value, or removes it if it is null. If the browser forbids storage, this page keeps the value. */
export function store(key, value, place = "localStorage") {
  memory.delete(key);
  try {
    if (value === null) window[place].removeItem(key);
    else window[place].setItem(key, JSON.stringify(value));
  } catch {
    if (value !== null) memory.set(key, value);
  }
}

/** Returns the keys of the stored values under this prefix. */
export function keysFrom(prefix) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    // If the browser forbids storage, nothing is stored.
    return [];
  }
}

/** Removes the stored values under this prefix that are older than `longest` milliseconds. */
export function forgetOld(prefix, longest) {
  for (const key of keysFrom(prefix)) if (!((stored(key)?.at ?? 0) > Date.now() - longest)) store(key, null);
}

/** Fills in the fields that match the selector, from pairs of name and value. */
export function fillFields(form, fields, selector) {
  const filled = new Map();
  for (const field of form.querySelectorAll(selector)) {
    const { name } = field;
    const values = fields.filter((pair) => pair[0] === name).map(([, value]) => value);
    if (["radio", "checkbox"].includes(field.type)) {
      field.checked = values.includes(field.value);
      continue;
    }
    // Several text fields can share a name. The values are in their order.
    const at = filled.get(name) ?? 0;
    field.value = values[at] ?? "";
    filled.set(name, at + 1);
  }
  form.dispatchEvent(new Event("filled"));
}

/**
 * Stores what the attendee types until the form is sent: in this tab, for a reload and for the other
 * language; and on the device if the scan has expired, because a new scan opens a new tab.
 */
export function keepTyped(form) {
  const key = typed + form.dataset.session;
  const selector = remembered.map((name) => `[name=${name}]`).join() + ",[name^=q_]";
  forgetOld(typed, longestTyped);
  const isExpired = form.matches(".expired");
  const keep = () => {
    const value = {
      at: Date.now(),
      fields: [...new FormData(form)].filter(([name]) => remembered.includes(name) || name.startsWith("q_")),
    };
    store(key, value, "sessionStorage");
    if (isExpired) store(key, value);
  };
  form.addEventListener("input", keep);
  // The form of another person is empty, but a change of the language keeps what that person has typed.
  const mayFill = !isAnother() || new URLSearchParams(location.search).has("lang");
  const known = stored(key, "sessionStorage") ?? stored(key);
  if (isExpired) keep();
  else if (known && mayFill && form.dataset.filled === undefined) fillFields(form, known.fields, selector);
  form.addEventListener("sent", () => {
    store(key, null, "sessionStorage");
    store(key, null);
  });
}

const isAnother = () => new URLSearchParams(location.search).has("another");

/**
 * Lets the check box store the attendee's fields on this device, and fills in the stored values. If another
 * person checks in on the same phone (`?another`), the fields start empty.
 */
export function rememberMe(form) {
  const label = form.querySelector(".remember");
  const box = label.querySelector("input");
  label.classList.remove("scripted");

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
