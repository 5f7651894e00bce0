// The fields of some kinds in the dialog that asks a question now. Each part has its `element`; `take` fills
// it in from an example; `missing` returns the message and the field if something is missing; `value` returns
// the fields of the question.
import { fill, h } from "./dom.js";
import { t } from "./words.js";

/** Returns the part for a ranking: choices, of which people put all in order. */
export const rankingPart = () => choicesPart("ranking", 12);

export function choicesPart(kind = "multipleChoice", mostChoices = 20) {
  const list = h("div", { class: "choices", role: "group", "aria-label": t("q_choices") });
  const several = h("input", { type: "checkbox" });
  const labels = () => [...list.children].map((input) => input.value.trim()).filter(Boolean);

  function add(text = "") {
    const number = list.children.length + 1;
    const input = h("input", {
      value: text,
      maxlength: 200,
      autocomplete: "off",
      "aria-label": t("choice", { number }),
      placeholder: t("choice", { number }),
      onkeydown: (event) => {
        // Enter leads to the next choice. Only the button asks.
        if (event.key !== "Enter" || event.isComposing) return;
        event.preventDefault();
        const following = input.nextElementSibling;
        if (following) following.focus();
        else if (input.value.trim() && list.children.length < mostChoices) add().focus();
      },
    });
    list.append(input);
    return input;
  }

  function take(texts) {
    fill(list);
    for (const text of texts) add(text);
    while (list.children.length < 2) add();
  }

  function missing() {
    if (labels().length > 1) return null;
    const empty = [...list.children].find((input) => !input.value.trim());
    return [t("choicesMissing"), empty ?? add()];
  }

  take([]);
  const more = h(
    "button",
    {
      type: "button",
      class: "quiet",
      onclick: () => list.children.length < mostChoices && add().focus(),
    },
    t("addChoice"),
  );
  return {
    element: h(
      "div",
      { class: "field" },
      h("span", { class: "label" }, t("q_choices")),
      list,
      more,
      kind === "multipleChoice" && h("label", { class: "choice" }, several, t("several")),
    ),
    take,
    missing,
    value: () => {
      const choices = labels().map((label) => ({ label }));
      if (kind === "ranking") return { choices };
      return { choices, minSelections: 1, maxSelections: several.checked ? choices.length : 1 };
    },
  };
}

/** Returns a labelled choice of a number. */
function numberChoice(id, label, from, to, chosen) {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const select = h(
    "select",
    { id },
    numbers.map((one) => h("option", { value: one, selected: one === chosen }, one)),
  );
  return { element: h("div", { class: "field" }, h("label", { for: id }, label), select), select };
}

export function scalePart() {
  const points = numberChoice("f-ask-points", t("q_points"), 2, 10, 5);
  const ends = ["q_lowEnd", "q_highEnd"].map((name, index) => {
    const id = `f-ask-end${index}`;
    const input = h("input", { id, maxlength: 200, autocomplete: "off" });
    const optional = h("small", { class: "tag" }, ` · ${t("optional")}`);
    const label = h("label", { for: id }, t(name), optional);
    return { input, element: h("div", { class: "field" }, label, input) };
  });
  return {
    element: h("div", {}, points.element, h("div", { class: "side" }, ends.map(({ element }) => element))),
    take: (texts) => ends.forEach(({ input }, index) => (input.value = texts[index] ?? "")),
    missing: () => null,
    value: () => {
      const scale = Number(points.select.value);
      const [low, high] = ends.map(({ input }) => input.value.trim());
      const labels = [
        { point: 1, label: low },
        { point: scale, label: high },
      ];
      return { scale, points: labels.filter(({ label }) => label) };
    },
  };
}

export function wordsPart() {
  const { element, select } = numberChoice("f-ask-words", t("q_maxWords"), 1, 3, 3);
  return { element, take: () => {}, missing: () => null, value: () => ({ maxWords: Number(select.value) }) };
}
