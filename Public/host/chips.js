// A list of words: Enter, a comma or the button adds one, and the button of each word removes it. The list
// folds to three lines.
import { announce, fill, h, setText } from "./dom.js";
import { afterPress } from "/press.js";
import { fieldState, markError, stateChanged } from "./fields.js";
import { t } from "./words.js";

const lines = 3;
/** The form in which words are compared, as on the server. */
const keyOf = (word) => word.normalize("NFKC").toLowerCase().replace(/\s/gu, "");

/**
 * Returns a field of words, as `field` does. `wanted` is the number of words that the operator wants. If
 * `isRequired`, the field is invalid with fewer. `most` and `longest` limit the list and a word.
 */
export function chips(
  label,
  given = [],
  { wanted = 0, isRequired = false, most = 20, longest = 50, onChange = () => {} } = {},
) {
  let words = [...given];
  let isOpen = false;
  let wasLeft = false;
  const list = h("ul", { class: "chips", id: "f-chips-list" });
  const hint = h("span", { class: "hint", id: "f-chips-hint" });
  const error = h("span", { class: "error", id: "f-chips-error", hidden: true });
  const state = fieldState("f-chips-state");
  const more = h("button", {
    type: "button",
    class: "plain",
    hidden: true,
    "aria-controls": list.id,
    onclick: () => {
      isOpen = !isOpen;
      fold();
    },
  });
  const input = h("input", {
    id: "f-chips",
    maxlength: longest,
    autocomplete: "off",
    "aria-describedby": `${hint.id} ${state.element.id} ${error.id}`,
    onkeydown: onKey,
    oninput: onInput,
    onblur: onBlur,
  });
  const adding = h("button", { type: "button", class: "quiet", onclick: addTyped }, t("interestAdd"));
  const left = () => Math.max(0, wanted - words.length);
  const isEnough = () => words.length >= (wanted || most);

  function onKey(event) {
    // While a Korean syllable is composed, Enter only completes the syllable.
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    if (input.value.trim() || !isEnough()) add(input.value);
    else finish();
  }

  function onInput(event) {
    if (event.isComposing || !/[,，、]/u.test(input.value)) return;
    const parts = input.value.split(/[,，、]/u);
    const rest = parts.pop();
    parts.forEach(add);
    input.value = rest;
  }

  function onBlur() {
    wasLeft ||= words.length > 0 || input.value !== "";
    look();
  }

  function addTyped() {
    const isDone = isEnough() && !input.value.trim();
    add(input.value);
    if (isDone) finish();
    else input.focus();
  }

  /** Leaves the field, so that the keyboard of a phone closes. */
  function finish() {
    (input.form?.querySelector("[type=submit]") ?? adding).focus();
  }

  function add(text) {
    const word = text.normalize("NFC").trim();
    if (!word || words.length >= most) return;
    input.value = "";
    if (words.some((one) => keyOf(one) === keyOf(word))) return;
    words.push(word);
    show();
    announce(t("chipAdded", { word }));
  }

  function remove(word) {
    words = words.filter((one) => one !== word);
    show();
    input.focus();
    announce(t("chipRemoved", { word }));
  }

  function show() {
    fill(
      list,
      words.map((word) =>
        h(
          "li",
          {},
          word,
          h(
            "button",
            { type: "button", "aria-label": t("chipRemove", { word }), onclick: () => remove(word) },
            "×",
          ),
        ),
      ),
    );
    setText(hint, left() > 0 ? t("interestsHint", { count: left() }) : t("interestsAdd"));
    // The Enter key adds words while some are missing. A keyboard has no word "Add", but a key for an entry.
    input.enterKeyHint = isEnough() ? "done" : "enter";
    setText(adding, t(isEnough() ? "interestsDone" : "interestAdd"));
    afterPress(list.id, fold);
    look();
    onChange(words);
  }

  /** Hides the words behind the third line, so that nobody can reach their buttons by the keyboard either. */
  function fold() {
    const items = [...list.children];
    for (const item of items) item.hidden = false;
    const tops = [...new Set(items.map((item) => item.offsetTop))];
    const behind = items.filter((item) => tops.indexOf(item.offsetTop) >= lines);
    more.hidden = behind.length === 0;
    if (!isOpen) for (const item of behind) item.hidden = true;
    setText(more, isOpen ? t("chipsLess") : t("chipsMore", { count: behind.length }));
    more.setAttribute("aria-expanded", String(isOpen));
  }

  function showError(message) {
    markError(input, error, message);
    showState();
    input.dispatchEvent(new Event(stateChanged, { bubbles: true }));
  }

  const isMissing = () => isRequired && left() > 0;
  const look = () => showError(wasLeft && isMissing() ? t("interestsMissing", { count: left() }) : null);
  const stateNow = () => {
    if (!error.hidden) return "invalid";
    if (isMissing()) return "needed";
    return words.length ? "valid" : "optional";
  };
  function showState() {
    input.dataset.state = stateNow();
    state.show(stateNow());
  }

  const element = h(
    "div",
    { class: "field" },
    h("div", { class: "labelled" }, h("label", { for: input.id }, label), state.element),
    hint,
    list,
    more,
    h("div", { class: "adding" }, input, adding),
    error,
  );
  let width = 0;
  new ResizeObserver(() => {
    if (list.clientWidth === width) return;
    width = list.clientWidth;
    fold();
  }).observe(list);
  show();
  return {
    element,
    input,
    name: "interests",
    label,
    showError,
    look,
    lack: () => (isMissing() ? "needed" : error.hidden ? null : "wrong"),
    isValid: () => {
      addRest();
      wasLeft = true;
      look();
      return error.hidden;
    },
    // The text that is still in the field is also a word of the list.
    values: () => (addRest(), [...words]),
  };

  function addRest() {
    if (input.value.trim()) add(input.value);
  }
}
