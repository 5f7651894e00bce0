// The editor of one question: the fields of every question, the fields of its kind, and its rules.
import { h } from "./dom.js";
import { hasTranslation, textFields, textOf } from "./localized.js";
import { ruleEditor } from "./rule-editor.js";
import { t } from "./words.js";

export const kinds = ["multipleChoice", "shortAnswer", "rating", "number"];

const fresh = {
  multipleChoice: () => ({
    choices: [
      { id: "a", label: "" },
      { id: "b", label: "" },
    ],
    minSelections: 1,
    maxSelections: 1,
  }),
  shortAnswer: () => ({ maxLength: 500 }),
  rating: () => ({ scale: 5 }),
  number: () => ({ decimals: 0 }),
};

export function newQuestion(kind) {
  return { kind, title: "", required: false, ...fresh[kind]() };
}

/** Returns whether any of its texts exists in the other language, too. */
export function isBilingual(question) {
  return (
    hasTranslation(question, "title", "detail", "placeholder") ||
    (question.choices ?? []).some((choice) => hasTranslation(choice, "label")) ||
    [...(question.rules ?? []), ...(question.eligibility ?? [])].some((rule) =>
      hasTranslation(rule, "message"),
    )
  );
}

/** The questions whose rules are open, so that they stay open when the list is drawn again. */
const opened = new WeakSet();

/**
 * Returns the editor of `question`, which it changes in place. `errors` are the server's messages by
 * pointer, and `redraw` draws the list again. With `isLocked`, only texts and hiding can change, because
 * there are answers. `isBoth` shows both languages. Rules can refer to `others`, `sets` and `isAnonymous`.
 * `tools` are buttons below. With `grip`, a handle moves the question, by dragging and with the arrow keys.
 */
export function questionEditor({
  question,
  index,
  isHost,
  isLocked,
  isBoth,
  isAnonymous,
  others,
  sets,
  errors,
  redraw,
  grip,
  tools,
}) {
  const id = `q${index}`;
  const errorOf = (field, from = 0) => {
    const start = `/questions/${index}/${field}`;
    const isOfRow = (pointer) => from > 0 && Number(pointer.slice(start.length + 1).split("/")[0]) < from;
    const messages = [...errors].filter(
      ([pointer]) => (pointer === start || pointer.startsWith(`${start}/`)) && !isOfRow(pointer),
    );
    return messages.length
      ? h(
          "span",
          { class: "error", id: `${id}-${field.replace("/", "-")}-error` },
          messages.map(([, message]) => message).join(" "),
        )
      : null;
  };
  const isOld = isLocked && Boolean(question.id);

  const words = (field, options) =>
    textFields(question, field, {
      id: `${id}-${field}`,
      label: t(`q_${field}`),
      isBoth,
      error: errorOf(field),
      autocomplete: "off",
      ...options,
    });

  function number(field, { isOptional, ...attributes } = {}) {
    const error = errorOf(field);
    return h(
      "div",
      { class: "field" },
      h(
        "label",
        { for: `${id}-${field}` },
        t(`q_${field}`),
        isOptional && h("small", { class: "tag" }, ` · ${t("optional")}`),
      ),
      h("input", {
        id: `${id}-${field}`,
        type: "number",
        value: question[field] ?? "",
        disabled: isOld,
        "aria-invalid": error ? "true" : null,
        "aria-describedby": error?.id,
        oninput: ({ target: { value } }) => {
          if (value === "") delete question[field];
          else question[field] = Number(value);
        },
        ...attributes,
      }),
      error,
    );
  }

  function box(label, isChecked, onchange, isFixed = false) {
    return h(
      "label",
      { class: "choice" },
      h("input", {
        type: "checkbox",
        checked: isChecked,
        disabled: isFixed && isOld,
        onchange: (event) => onchange(event.target.checked),
      }),
      label,
    );
  }

  return h(
    "fieldset",
    {
      class: question.hidden ? "question archived" : "question",
      disabled: !isHost,
      ...(grip && dropped(grip)),
    },
    h(
      "legend",
      {},
      isHost && grip && handle(grip, question, index),
      `${index + 1}. ${t(`add_${question.kind}`)}`,
      question.hidden && h("small", {}, ` · ${t("q_hidden")}`),
    ),
    words("title", { maxlength: 200 }),
    words("detail", { maxlength: 1000, isOptional: true }),
    question.kind === "multipleChoice" && choices({ question, id, errorOf, redraw, isOld, isBoth }),
    question.kind === "shortAnswer" && number("maxLength", { min: 1, max: 5000 }),
    question.kind === "rating" && number("scale", { min: 2, max: 10 }),
    question.kind === "number" &&
      h(
        "div",
        { class: "side" },
        number("min", { step: "any", isOptional: true }),
        number("max", { step: "any", isOptional: true }),
        number("decimals", { min: 0, max: 4 }),
      ),
    ["shortAnswer", "number"].includes(question.kind) &&
      words("placeholder", { maxlength: 200, isOptional: true }),
    h(
      "div",
      { class: "boxes" },
      box(t("q_required"), question.required === true, (is) => (question.required = is), true),
      box(t("q_hide"), question.hidden === true, (is) => {
        question.hidden = is;
        redraw(index);
      }),
    ),
    rules(),
    isHost && h("div", { class: "tools" }, tools),
  );

  function rules() {
    const lists = ["rules", "eligibility", "branches"];
    const count = lists.reduce((sum, list) => sum + (question[list]?.length ?? 0), 0);
    const isWrong = [...errors.keys()].some((pointer) =>
      lists.some((list) => pointer.startsWith(`/questions/${index}/${list}`)),
    );
    const details = h(
      "details",
      {
        open: opened.has(question) || isWrong,
        ontoggle: () => (details.open ? opened.add(question) : opened.delete(question)),
      },
      h(
        "summary",
        {},
        t("q_more"),
        " ",
        h("span", { class: "note" }, count ? t("rulesCount", { count }) : ""),
      ),
      lists.map((list) => {
        // There are no branches if answers are anonymous, because the next set would reveal the answer, or if
        // there are no other sets.
        if (list === "branches" && !question.branches && (isAnonymous || !sets.length))
          return h("p", { class: "note" }, t(isAnonymous ? "noBranchesAnonymous" : "noBranchesYet"));
        return ruleEditor({
          question,
          list,
          id: `${id}-${list}`,
          others,
          sets,
          isBoth,
          isFixed: isOld,
          errorOf,
          redraw,
        });
      }),
    );
    return details;
  }
}

/** The place of the question that is being dragged. */
let dragged = null;

/** Returns the handle of a question: the pointer drags it, and the arrow keys move the question. */
function handle(grip, question, index) {
  const focusHandle = (moved) => moved.querySelector(".grip").focus();
  return h(
    "button",
    {
      type: "button",
      class: "grip",
      draggable: "true",
      "aria-label": t("moveQuestion", { name: textOf(question, "title") || index + 1 }),
      ondragstart: (event) => {
        dragged = { index, moveTo: grip.moveTo };
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", textOf(question, "title"));
        event.dataTransfer.setDragImage(event.target.closest(".question"), 20, 20);
      },
      ondragend: () => (dragged = null),
      onkeydown: (event) => {
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        grip.moveTo(index + by, focusHandle);
      },
    },
    "⠿",
  );
}

/** Returns the listeners of a question on which another one can be dropped. */
const dropped = ({ list }) => ({
  ondragover: (event) => dragged && event.preventDefault(),
  ondrop: (event) => {
    if (!dragged) return;
    event.preventDefault();
    const place = [...list.children].indexOf(event.target.closest(".question"));
    dragged.moveTo(place, (moved) => moved.querySelector(".grip").focus());
  },
});

/** Returns the first unused id: letters, because an id is part of stored answers. */
function freeID(choices) {
  for (let number = 0; ; number += 1) {
    const id = String.fromCharCode(97 + (number % 26)) + (number < 26 ? "" : Math.floor(number / 26));
    if (!choices.some((choice) => choice.id === id)) return id;
  }
}

function choices({ question, id, errorOf, redraw, isOld, isBoth }) {
  const several = () => question.maxSelections > 1;
  const hasOther = question.choices.some((choice) => choice.other);
  const add = (choice) => {
    const other = question.choices.findIndex((one) => one.other);
    const at = other < 0 || choice.other ? question.choices.length : other;
    question.choices.splice(at, 0, { id: freeID(question.choices), ...choice });
    if (several()) question.maxSelections = question.choices.length;
    redraw();
    document.getElementById(`${id}-choice${at}`)?.focus();
  };
  const remove = (index) => {
    question.choices.splice(index, 1);
    question.maxSelections = Math.min(question.maxSelections, question.choices.length);
    question.minSelections = Math.min(question.minSelections, question.maxSelections);
    redraw();
    document.getElementById(`${id}-choice${Math.max(0, index - 1)}`)?.focus();
  };
  const most = (name) =>
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
          { type: "button", class: "quiet add-choice", onclick: () => add({ label: "" }) },
          t("addChoice"),
        ),
        !hasOther &&
          h(
            "button",
            { type: "button", class: "quiet", onclick: () => add({ label: t("other"), other: true }) },
            t("addOther"),
          ),
      ),
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
    several() && h("div", { class: "side" }, most("minSelections"), most("maxSelections")),
  );
}
