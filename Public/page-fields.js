// Rules beside the fields of a form: nothing is said until a field has been left once, then with every key. The server judges in any case, and
// has words for what is not checked here.
let spoken = { text: "", words: {} };

/** What the page says, in its language. */
export function say(name, values = {}) {
  const text = document.body.dataset.words ?? "{}";
  if (spoken.text !== text) spoken = { text, words: JSON.parse(text) };
  return (spoken.words[name] ?? "").replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
}

/** Characters as people count them (UAX #29), as the server does. */
function length(text) {
  const letters = text.normalize("NFC");
  return Intl.Segmenter ? [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(letters)].length : [...letters].length;
}

/** Every question, and every field that stands alone. */
const itemsOf = (form) => [...form.querySelectorAll("fieldset, input:not([type=hidden]):not(fieldset *):not([data-device])")];
const inputsOf = (item) => (item.matches("fieldset") ? [...item.querySelectorAll("input, textarea")] : [item]);
const isShown = (element) => element.offsetParent !== null;
const labelOf = (item) =>
  (item.matches("fieldset") ? item.querySelector("legend")?.firstChild : item.labels[0])?.textContent.trim() ?? "";

/** What is wrong with the answer; empty where nothing is. */
export function judge(item) {
  const inputs = inputsOf(item);
  const first = inputs[0];
  if (!first) return "";
  const chosen = inputs.filter((input) => input.checked).map((input) => input.value);
  const isChoice = ["radio", "checkbox"].includes(first.type);
  if (isChoice ? !chosen.length : !first.value.trim()) {
    if (first.validity?.badInput) return say("numberWrong");
    return first.required || item.dataset.required !== undefined ? say("needed") : "";
  }
  const { least, most } = item.dataset;
  if (first.type === "checkbox" && (chosen.length < least || chosen.length > most)) return say("chooseUpTo", { min: least, max: most });
  if (first.type === "email" && !first.validity.valid) return say("emailWrong");
  if (first.type === "number" && !first.validity.valid) return say("numberWrong");
  const over = first.dataset.mostCharacters ? length(first.value.trim()) - Number(first.dataset.mostCharacters) : 0;
  if (over > 0) return say("tooLong", { over });
  const value = first.type === "checkbox" ? chosen : first.type === "radio" ? chosen[0] : first.value;
  return broken(item, isChoice ? chosen : [value], first) ?? "";
}

/** The message of the first rule that the values break; a rule without words of its own is left to the server. */
function broken(item, values, first) {
  for (const { type, target, question, message, messages } of JSON.parse(item.dataset.rules ?? "[]")) {
    if (question ? isSame(question, values, first.form) : holds(type, target, values, first)) continue;
    const own = messages?.[document.documentElement.lang] ?? message;
    if (own) return own;
  }
}

/** Whether the other question of the form has been answered so; what is not on this page is left to the server. */
function isSame(question, values, form) {
  const other = form.querySelector(`fieldset[data-question="${question}"]`);
  if (!other) return true;
  const inputs = inputsOf(other);
  const isChoice = ["radio", "checkbox"].includes(inputs[0]?.type);
  const others = isChoice ? inputs.filter((input) => input.checked).map((input) => input.value) : [inputs[0].value];
  return others.join("\n") === values.join("\n");
}

function holds(type, target, values, first) {
  const number = Number(values[0]);
  const inside = (value) => !(value < Number(bound(target[0], -Infinity))) && !(value > Number(bound(target[1], Infinity)));
  if (type === "minMax") return inside(number);
  if (type === "minMaxLength") return inside(first.type === "checkbox" ? values.length : length(values[0]));
  if (type === "not") return !values.includes(String(target));
  if (type === "sameAs") return values.includes(String(target));
  if (type === "pattern") return matches(values[0], target);
  return true;
}

const bound = (value, open) => (value === "-" || value === null || value === undefined ? open : value);

/** The server's engine takes linear time; a browser's may not. So what repeats a group, or looks elsewhere, is left to the server. */
function matches(text, pattern) {
  if (text.length > 200 || /\)[*+?{]|\\[1-9]|\(\?/.test(pattern) || (pattern.match(/[*+]/g) ?? []).length > 3) return true;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true;
  }
}

/** Says at the field what is wrong with it; gives whether nothing is. */
export function showJudgement(item) {
  const wrong = judge(item);
  const id = item.matches("fieldset") ? `q_${item.dataset.question}_error` : `${item.id}-error`;
  let place = document.getElementById(id);
  if (!wrong && !place) return true;
  if (!place) {
    place = Object.assign(document.createElement(item.matches("fieldset") ? "p" : "span"), { id, className: "error" });
    if (item.matches("fieldset")) item.append(place);
    else item.after(place);
  }
  place.textContent = wrong;
  for (const element of item.matches("fieldset") ? [item] : inputsOf(item)) {
    element.toggleAttribute("aria-invalid", false);
    if (wrong) element.setAttribute("aria-invalid", "true");
    if (wrong) element.setAttribute("aria-describedby", id);
    else element.removeAttribute("aria-describedby");
  }
  return !wrong;
}

/** Where a form is judged while it is filled in. */
export function watchFields(form) {
  form.noValidate = true;
  const left = new WeakSet();
  const waits = document.createElement("p");
  waits.className = "note waits";
  form.querySelector("button[type=submit]").before(waits);
  const itemOf = (target) => target.closest("fieldset") ?? (target.matches("input:not([data-device])") ? target : null);

  function tell() {
    const names = itemsOf(form).filter(judge).map(labelOf);
    waits.textContent = names.length ? say("waits", { field: names.join(", ") }) : "";
  }
  form.addEventListener("focusout", ({ target, relatedTarget }) => {
    const item = itemOf(target);
    // A group is left when the focus leaves it, not when it moves from star to star.
    if (!item || item.contains(relatedTarget)) return;
    left.add(item);
    showJudgement(item);
    tell();
  });
  form.addEventListener("input", ({ target }) => {
    const item = itemOf(target);
    if (item && left.has(item)) showJudgement(item);
    count(target);
    tell();
  });
  form.addEventListener("keydown", (event) => moveOn(form, event));
  for (const area of form.querySelectorAll("textarea")) if (area.value) count(area);

  return () => {
    const wrong = itemsOf(form).filter((item) => (left.add(item), !showJudgement(item)));
    tell();
    if (!wrong.length) return true;
    form.reveal?.(wrong[0]);
    (inputsOf(wrong[0]).find((input) => input.checked) ?? inputsOf(wrong[0])[0]).focus();
    return false;
  };
}

/** Enter goes to the next field, and sends behind the last. In Korean, Enter may end a syllable. */
function moveOn(form, event) {
  if (event.key !== "Enter" || event.isComposing || !event.target.matches("input:not([type=hidden])")) return;
  const items = itemsOf(form).filter(isShown);
  const next = items[items.indexOf(event.target.closest("fieldset") ?? event.target) + 1];
  const forward = form.querySelector("button.next:not([hidden])");
  if (!next && !forward) return;
  event.preventDefault();
  if (!next) return forward.click();
  (inputsOf(next).find((input) => input.checked) ?? inputsOf(next)[0]).focus();
}

function count(area) {
  const place = area.matches?.("textarea") && area.parentElement.querySelector(".count");
  if (place) place.textContent = say("counter", { count: length(area.value), most: area.dataset.mostCharacters });
}
