// A list of words: Enter adds one, and the button of each removes it.
import { announce, fill, h } from "./dom.js";
import { t } from "./words.js";

const most = 20;
const longest = 50;

/**
 * `wanted` is the number of words that the operator wants. The hint shows this number, but fewer are allowed.
 */
export function chips(label, given = [], { wanted = 0, onChange = () => {} } = {}) {
  let words = [...given];
  const list = h("ul", { class: "chips" });
  const hint = h("span", { class: "hint", id: "f-chips-hint" });
  const input = h("input", {
    id: "f-chips",
    maxlength: longest,
    autocomplete: "off",
    "aria-describedby": hint.id,
    onkeydown: onKey,
  });

  function onKey(event) {
    // While a Korean syllable is composed, Enter only completes the syllable.
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    add(input.value);
  }

  function add(text) {
    const word = text.normalize("NFC").trim();
    if (!word || words.length >= most) return;
    input.value = "";
    if (words.some((one) => one.toLowerCase() === word.toLowerCase())) return;
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
    const left = wanted - words.length;
    hint.textContent = left > 0 ? t("interestsHint", { count: left }) : t("interestsAdd");
    onChange(words);
  }

  show();
  return {
    element: h("div", { class: "field" }, h("label", { for: input.id }, label), hint, list, input),
    // The text that is still in the field is also a word of the list.
    values: () => (input.value.trim() && add(input.value), [...words]),
  };
}
