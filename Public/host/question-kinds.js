// The kinds of questions in the host's editors. A further kind needs a line in this table, and its text
// `add_KIND`. A test names each kind that the table or the texts lack.
import { choicesPart, rankingPart, scalePart, wordsPart } from "./ask-parts.js";
import { h } from "./dom.js";
import { hasText, textFields, textOf } from "./localized.js";
import { t } from "./words.js";

/** The tests of `sameAs` and `not` apply to every kind whose answer is one value. */
const equality = ["sameAs", "not", "sameAsQuestion"];

/**
 * The table of kinds, in the order of the buttons that add them:
 * - `fresh` returns the fields of a new question;
 * - `fields` returns the elements that edit them;
 * - `ask` returns the part of the dialog "Ask now", or is null if the dialog asks with the fields of `fresh`;
 * - `tests` are the tests of its rules. `sameAsQuestion` is stored as `sameAs` with a `question`;
 * - `hasParts`: whether tests are about the chosen parts of an answer, and not about the answer;
 * - `value` is the type of the field for a value of a test, if the question has no fixed answers;
 * - `answers(question)` returns pairs of value and name, or nothing if the question has no fixed answers.
 */
export const kinds = {
  multipleChoice: {
    fresh: () => ({
      choices: [
        { id: "a", label: "" },
        { id: "b", label: "" },
      ],
      minSelections: 1,
      maxSelections: 1,
    }),
    fields: choices,
    ask: choicesPart,
    tests: ["sameAs", "not", "minMaxLength", "sameAsQuestion"],
    hasParts: true,
    value: "text",
    answers: ({ choices }) =>
      choices.map((choice, index) => [
        choice.id,
        textOf(choice, "label") || choice.label || t("choice", { number: index + 1 }),
      ]),
  },
  yesNo: {
    fresh: () => ({}),
    fields: () => null,
    ask: null,
    tests: equality,
    hasParts: false,
    value: "text",
    answers: () => ["yes", "no"].map((value) => [value, t(`answer_${value}`)]),
  },
  scale: {
    fresh: () => ({ scale: 5 }),
    fields: scale,
    ask: scalePart,
    tests: ["minMax", ...equality],
    hasParts: false,
    value: "number",
    answers: () => null,
  },
  wordCloud: {
    fresh: () => ({ maxWords: 3 }),
    fields: ({ input }) => input("maxWords", { min: 1, max: 3 }),
    ask: wordsPart,
    tests: ["sameAsQuestion"],
    hasParts: false,
    value: "text",
    answers: () => null,
  },
  shortAnswer: {
    fresh: () => ({ maxLength: 500 }),
    fields: ({ input, words }) => [input("maxLength", { min: 1, max: 5000 }), placeholder(words)],
    ask: null,
    tests: ["minMaxLength", "pattern", ...equality],
    hasParts: false,
    value: "text",
    answers: () => null,
  },
  rating: {
    fresh: () => ({ scale: 5 }),
    fields: ({ input }) => input("scale", { min: 2, max: 10 }),
    ask: null,
    tests: ["minMax", ...equality],
    hasParts: false,
    value: "number",
    answers: () => null,
  },
  number: {
    fresh: () => ({ decimals: 0 }),
    fields: ({ input, words }) => [
      side(
        input("min", { step: "any", isOptional: true }),
        input("max", { step: "any", isOptional: true }),
        input("decimals", { min: 0, max: 4 }),
      ),
      placeholder(words),
    ],
    ask: null,
    tests: ["minMax", ...equality],
    hasParts: false,
    value: "number",
    answers: () => null,
  },
  ranking: {
    fresh: () => ({
      choices: [
        { id: "a", label: "" },
        { id: "b", label: "" },
        { id: "c", label: "" },
      ],
    }),
    fields: (place) => [choices(place, mostRanked), place.input("most", { min: 1, isOptional: true })],
    ask: rankingPart,
    tests: [],
    hasParts: false,
    value: "text",
    answers: () => null,
  },
  date: {
    fresh: () => ({}),
    fields: ({ input }) =>
      side(
        input("earliest", { type: "date", isOptional: true }),
        input("latest", { type: "date", isOptional: true }),
      ),
    ask: null,
    tests: equality,
    hasParts: false,
    value: "date",
    answers: () => null,
  },
};

const side = (...fields) => h("div", { class: "side" }, fields);
const placeholder = (words) => words("placeholder", { maxlength: 200, isOptional: true });

// MARK: Scales

/** The smallest and the largest number of points. */
const [fewest, most] = [2, 10];

/** Returns the number of points, the labels of the ends, and behind a line the labels between them. */
function scale({ question, id, isBoth, errorOf, redraw, input }) {
  const count = Math.min(most, Math.max(fewest, question.scale || fewest));
  const written = new Map((question.points ?? []).map((one) => [one.point, one]));
  const points = Array.from(
    { length: count },
    (_, index) => written.get(index + 1) ?? { point: index + 1, label: "" },
  );
  // A point without a label is not stored.
  const keep = () => {
    question.points = points.filter((one) => hasText(one, "label"));
    if (!question.points.length) delete question.points;
  };
  const resize = () => {
    const to = question.scale;
    if (to === count || !(to >= fewest && to <= most)) return;
    // The label of the last point belongs to the end of the scale.
    const last = points[count - 1];
    last.point = to;
    question.points = points.filter((one) => hasText(one, "label") && (one === last || one.point < to));
    if (!question.points.length) delete question.points;
    redraw();
    document.getElementById(`${id}-scale`).focus();
  };
  const label = (one, name) =>
    textFields(one, "label", {
      id: `${id}-point${one.point}`,
      label: t(name, { point: one.point }),
      isBoth,
      isOptional: true,
      maxlength: 200,
      autocomplete: "off",
    });
  const between = points.slice(1, -1);
  return h(
    "div",
    { oninput: keep },
    input("scale", { label: t("q_points"), min: fewest, max: most, onchange: resize }),
    side(label(points[0], "q_lowEnd"), label(points[count - 1], "q_highEnd")),
    between.length > 0 &&
      h(
        "details",
        { open: between.some((one) => written.has(one.point)) },
        h("summary", {}, t("q_between")),
        side(between.map((one) => label(one, "q_point"))),
      ),
    errorOf("points"),
  );
}

// MARK: Choices

/** Returns the first unused id: letters, because an id is part of stored answers. */
function freeID(choices) {
  for (let number = 0; ; number += 1) {
    const id = String.fromCharCode(97 + (number % 26)) + (number < 26 ? "" : Math.floor(number / 26));
    if (!choices.some((choice) => choice.id === id)) return id;
  }
}

/** The most choices of a ranking. */
const mostRanked = 12;

/** Returns the editor of choices. Rankings have no choice "other" and no number of choices. */
function choices({ question, id, errorOf, redraw, isOld, isBoth }, most = 50) {
  const isRanking = question.kind === "ranking";
  const several = () => question.maxSelections > 1;
  const hasOther = question.choices.some((choice) => choice.other);
  const add = (choice) => {
    const other = question.choices.findIndex((one) => one.other);
    const at = other < 0 || choice.other ? question.choices.length : other;
    // A ranking of all choices stays one.
    if (!(question.most < question.choices.length)) delete question.most;
    question.choices.splice(at, 0, { id: freeID(question.choices), ...choice });
    if (several()) question.maxSelections = question.choices.length;
    redraw();
    document.getElementById(`${id}-choice${at}`)?.focus();
  };
  const remove = (index) => {
    const isWhole = !(question.most < question.choices.length);
    question.choices.splice(index, 1);
    if (isRanking) {
      if (isWhole || question.most > question.choices.length) delete question.most;
    } else {
      question.maxSelections = Math.min(question.maxSelections, question.choices.length);
      question.minSelections = Math.min(question.minSelections, question.maxSelections);
    }
    redraw();
    document.getElementById(`${id}-choice${Math.max(0, index - 1)}`)?.focus();
  };
  const bound = (name) =>
    h(
      "div",
      { class: "field" },
      h("label", { for: `${id}-${name}` }, t(`q_${name}`)),
      h("input", {
        id: `${id}-${name}`,
        type: "number",
        min: 1,
        max: question.choices.length,
        value: question[name],
        disabled: isOld,
        oninput: ({ target: { value } }) => value && (question[name] = Number(value)),
      }),
      errorOf(name),
    );
  return h(
    "div",
    { class: "field", role: "group", "aria-label": t("q_choices") },
    h("span", { class: "label" }, t("q_choices")),
    question.choices.map((choice, index) =>
      h(
        "div",
        { class: "tools one" },
        textFields(choice, "label", {
          id: `${id}-choice${index}`,
          label: choice.other ? t("choiceOther") : t("choice", { number: index + 1 }),
          isBoth,
          maxlength: 200,
          autocomplete: "off",
          "data-choice": true,
        }),
        question.choices.length > 2 &&
          !isOld &&
          h(
            "button",
            {
              type: "button",
              class: "plain",
              "aria-label": t("removeOf", { name: textOf(choice, "label") || index + 1 }),
              onclick: () => remove(index),
            },
            "×",
          ),
      ),
    ),
    errorOf("choices"),
    !isOld &&
      h(
        "div",
        { class: "tools" },
        h(
          "button",
          {
            type: "button",
            class: "quiet add-choice",
            hidden: question.choices.length >= most,
            onclick: () => add({ label: "" }),
          },
          t("addChoice"),
        ),
        !hasOther &&
          !isRanking &&
          h(
            "button",
            { type: "button", class: "quiet", onclick: () => add({ label: t("other"), other: true }) },
            t("addOther"),
          ),
      ),
    !isRanking &&
      h(
        "label",
        { class: "choice" },
        h("input", {
          type: "checkbox",
          checked: several(),
          disabled: isOld,
          onchange: (event) => {
            question.maxSelections = event.target.checked ? question.choices.length : 1;
            question.minSelections = 1;
            redraw();
          },
        }),
        t("several"),
      ),
    several() && h("div", { class: "side" }, bound("minSelections"), bound("maxSelections")),
  );
}
