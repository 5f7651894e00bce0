// Checks the fields of a form while the attendee fills them in. A field shows its error when the attendee
// leaves the field for the first time, and after that with each key. The server checks all fields again, and
// checks the rules that this script does not know.
import { textIn } from "./phrase.js";
import { t } from "./words.js";

/** Returns the number of characters as people count them (UAX #29), as the server does. */
function length(text) {
  const letters = text.normalize("NFC");
  return Intl.Segmenter
    ? [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(letters)].length
    : [...letters].length;
}

/** Returns the questions of a form and its fields outside of questions. */
const itemsOf = (form) => [
  ...form.querySelectorAll("fieldset, input:not([type=hidden]):not(fieldset *):not([data-device])"),
];
const inputsOf = (item) =>
  item.matches("fieldset") ? [...item.querySelectorAll("input, textarea")] : [item];
const isShown = (element) => element.offsetParent !== null;
const labelOf = (item) =>
  item.dataset.label ??
  (item.matches("fieldset")
    ? item.querySelector("legend")?.firstChild
    : item.labels[0]
  )?.textContent.trim() ?? "";

/** Returns the error message for an answer, or "" if the answer is valid. */
export function judge(item) {
  const inputs = inputsOf(item);
  const first = inputs[0];
  if (!first) return "";
  const chosen = inputs.filter((input) => input.checked).map((input) => input.value);
  const isChoice = ["radio", "checkbox"].includes(first.type);
  // A question for words has several fields, of which any can be empty.
  if (isChoice ? !chosen.length : inputs.every(({ value }) => !value.trim())) {
    if (first.validity?.badInput) return limitsOf(item);
    const isRequired = first.required || item.dataset.required !== undefined;
    return isRequired ? t(missing[first.name] ?? (isChoice ? "chooseAnswer" : "enterAnswer")) : "";
  }
  const own = item.querySelector?.(".other");
  if (own?.value.trim() && !choiceOf(own).checked) return t("otherLeft");
  const { least, most } = item.dataset;
  const count = chosen.length;
  if (first.type === "checkbox" && count < least) return t("choseTooFew", { count, min: least });
  if (first.type === "checkbox" && count > most) return t("choseTooMany", { count, max: most });
  const ranked = inputs.filter((input) => input.matches(".place") && input.value).length;
  if (ranked > most) return t("choseTooMany", { count: ranked, max: most });
  if (first.type === "email" && !first.validity.valid) return t("emailWrong");
  if (first.type === "number" && !first.validity.valid) return limitsOf(item);
  const over = Math.max(...inputs.map(overOf));
  if (over > 0) return t("tooLong", { over });
  return broken(item, isChoice ? chosen : [first.value], first) ?? "";
}

/** Returns by how many characters a field is too long, or a number below 1. */
const overOf = ({ value, dataset }) => length(value.trim()) - Number(dataset.mostCharacters ?? Infinity);

/** Returns the word fields of a wrong question that need a change. */
function wrongWords(item) {
  const words = [...item.querySelectorAll(".word")];
  const long = words.filter((word) => overOf(word) > 0);
  if (long.length) return long;
  const filled = words.filter(({ value }) => value.trim());
  return filled.length ? filled : words.slice(0, 1);
}

/** Returns the choice "other" of the field for the attendee's own text. */
const choiceOf = (own) => own.previousElementSibling.querySelector("input");

/** The phrases that ask for an empty field of the check-in, by the field's name. */
const missing = { name: "enterName", email: "enterEmail", number: "enterNumber", consent: "tickBox" };

/** Returns the sentence below a number field that states the allowed numbers. A field for a day has none. */
const limitsOf = (item) => item.querySelector(".limits")?.textContent ?? t("enterAnswer");

/** Returns the message of the first rule that the values break. The server checks rules without a message. */
function broken(item, values, first) {
  for (const { type, target, question, message, messages } of JSON.parse(item.dataset.rules ?? "[]")) {
    if (question ? isSame(question, values, first.form) : holds(type, target, values, first)) continue;
    const own = textIn(document.documentElement.lang, message, messages);
    if (own) return own;
  }
}

/**
 * Returns whether the other question of the form has the same answer. The server checks questions that are
 * not on this page.
 */
function isSame(question, values, form) {
  const other = form.querySelector(`fieldset[data-question="${question}"]`);
  if (!other) return true;
  const inputs = inputsOf(other);
  const isChoice = ["radio", "checkbox"].includes(inputs[0]?.type);
  const others = isChoice
    ? inputs.filter((input) => input.checked).map((input) => input.value)
    : [inputs[0].value];
  return others.join("\n") === values.join("\n");
}

function holds(type, target, values, first) {
  const number = Number(values[0]);
  const inside = (value) =>
    !(value < Number(bound(target[0], -Infinity))) && !(value > Number(bound(target[1], Infinity)));
  if (type === "minMax") return inside(number);
  if (type === "minMaxLength") return inside(first.type === "checkbox" ? values.length : length(values[0]));
  if (type === "not") return !values.includes(String(target));
  if (type === "sameAs") return values.includes(String(target));
  if (type === "pattern") return matches(values[0], target);
  return true;
}

const bound = (value, open) => (value === "-" || value === null || value === undefined ? open : value);

/**
 * Returns whether the text matches the pattern, or true if only the server can check the text. The server's
 * engine (RE2) takes linear time, but a browser's engine may not. Therefore only the server checks patterns
 * that repeat groups or look ahead.
 */
function matches(text, pattern) {
  if (text.length > 200 || /\)[*+?{]|\\[1-9]|\(\?/.test(pattern) || (pattern.match(/[*+]/g) ?? []).length > 3)
    return true;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true;
  }
}

/** Shows the error message of a field at the field. Returns true if the field is valid. */
export function showJudgement(item) {
  const wrong = judge(item);
  const id = item.matches("fieldset") ? `q_${item.dataset.question}_error` : `${item.id || item.name}-error`;
  let message = document.getElementById(id);
  if (!wrong && !message) return true;
  if (!message) {
    message = Object.assign(document.createElement(item.matches("fieldset") ? "p" : "span"), {
      id,
      className: "error",
    });
    // A message inside a label would become a part of the field's name.
    if (item.matches("fieldset")) item.append(message);
    else (item.closest("label") ?? item).after(message);
  }
  message.textContent = wrong;
  for (const element of item.matches("fieldset") ? [item] : inputsOf(item)) {
    element.toggleAttribute("aria-invalid", false);
    if (wrong) element.setAttribute("aria-invalid", "true");
    if (wrong) element.setAttribute("aria-describedby", id);
    else element.removeAttribute("aria-describedby");
  }
  for (const word of item.querySelectorAll(".word")) word.removeAttribute("aria-invalid");
  if (wrong) for (const word of wrongWords(item)) word.setAttribute("aria-invalid", "true");
  return !wrong;
}

/** Checks a form while the attendee fills it in. Returns a function that checks all fields before sending. */
export function watchFields(form) {
  form.noValidate = true;
  const left = new WeakSet();
  const waits = form.querySelector(".waits") ?? document.createElement("p");
  const itemOf = (target) =>
    target.closest("fieldset") ?? (target.matches("input:not([data-device])") ? target : null);

  function showNeeded() {
    const names = itemsOf(form).filter(judge).map(labelOf);
    waits.textContent = names.length ? t("stillNeeded", { field: names.join(", ") }) : "";
  }
  form.addEventListener("focusout", ({ target, relatedTarget }) => {
    const item = itemOf(target);
    // The attendee leaves a group of fields when the focus leaves the group, not when it moves from star to
    // star.
    if (!item || item.contains(relatedTarget)) return;
    left.add(item);
    showJudgement(item);
    showNeeded();
  });
  form.addEventListener("input", ({ target }) => {
    const item = itemOf(target);
    const own = item?.querySelector(".other");
    // If a person types their own answer, that is their choice. A text beside another choice gets a message
    // at once.
    if (target === own && own.value.trim()) choiceOf(own).checked = true;
    else if (own?.value) left.add(item);
    if (item && left.has(item)) showJudgement(item);
    count(target);
    showNeeded();
  });
  form.addEventListener("keydown", (event) => moveOn(form, event));
  for (const button of form.querySelectorAll("fieldset > .clear")) {
    button.classList.remove("scripted");
    button.addEventListener("click", () => clear(button.closest("fieldset")));
  }
  for (const area of form.querySelectorAll("textarea")) if (area.value) count(area);

  return () => {
    const wrong = itemsOf(form).filter((item) => (left.add(item), !showJudgement(item)));
    showNeeded();
    if (!wrong.length) return true;
    form.reveal?.(wrong[0]);
    (inputsOf(wrong[0]).find((input) => input.checked) ?? inputsOf(wrong[0])[0]).focus();
    return false;
  };
}

/** Removes the answer of an optional question, which a radio button alone cannot do. */
function clear(item) {
  for (const input of inputsOf(item)) {
    if (input.matches(".other")) input.value = "";
    else input.checked = false;
  }
  inputsOf(item)[0].focus();
  inputsOf(item)[0].dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Enter moves to the next field, and sends the form from the last field, if that is a field for a text or a
 * number. While a Korean syllable is composed, Enter only completes the syllable.
 */
function moveOn(form, event) {
  if (event.key !== "Enter" || event.isComposing || !event.target.matches("input:not([type=hidden])")) return;
  const word = event.target.matches(".word") && event.target.nextElementSibling;
  if (word && word.matches(".word") && event.target.value.trim()) {
    event.preventDefault();
    return word.focus();
  }
  const items = itemsOf(form).filter(isShown);
  const next = items[items.indexOf(event.target.closest("fieldset") ?? event.target) + 1];
  const forward = form.querySelector("button.next:not([hidden])");
  const isChoice = event.target.matches("[type=radio], [type=checkbox], .other");
  if (!next && !forward && !isChoice) return;
  event.preventDefault();
  if (!next && !forward) return form.querySelector("button[type=submit]").focus();
  if (!next) return forward.click();
  (inputsOf(next).find((input) => input.checked) ?? inputsOf(next)[0]).focus();
}

function count(area) {
  const counter = area.matches?.("textarea") && area.parentElement.querySelector(".count");
  if (counter)
    counter.textContent = t("counter", { count: length(area.value), most: area.dataset.mostCharacters });
}
