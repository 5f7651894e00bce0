// What the device remembers, if the person wants it: who they are, for the next check-in. Nothing of it is sent but by the form itself.
const me = "qring-me";
const remembered = ["name", "email", "number"];

/** Reads what may be kept; a browser that keeps nothing is one that remembers nothing. */
export function kept(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

export function keep(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A full or forbidden store is no reason to stop anybody.
  }
}

/** Offers to remember, and fills in what is. The next person on a shared phone starts with empty fields. */
export function rememberMe(form) {
  const label = Object.assign(document.createElement("label"), { className: "choice remember" });
  const box = Object.assign(document.createElement("input"), { type: "checkbox" });
  box.dataset.device = "";
  const text = document.createElement("span");
  text.textContent = say("remember");
  label.append(box, " ", text);
  form.querySelector("button[type=submit]").before(label);

  const known = kept(me);
  const isAnother = new URLSearchParams(location.search).has("another");
  if (known && !isAnother) {
    box.checked = true;
    for (const name of remembered) {
      const field = form.elements[name];
      if (field && !field.value && typeof known[name] === "string") field.value = known[name];
    }
  }
  form.addEventListener("sent", () => {
    if (box.checked) keep(me, Object.fromEntries(remembered.map((name) => [name, form.elements[name]?.value]).filter(([, value]) => value)));
    // What one person has kept is not the next one's to forget.
    else if (!isAnother) keep(me, null);
  });
}
