// The editor of one question: the fields of every question, the fields of its kind, and its rules.
import { h } from "./dom.js";
import { dropped, handle } from "./grip.js";
import { hasTranslation, textFields, textOf } from "./localized.js";
import { kinds } from "./question-kinds.js";
import { ruleEditor } from "./rule-editor.js";
import { t } from "./words.js";

export function newQuestion(kind) {
  return { kind, title: "", required: false, ...kinds[kind].fresh() };
}

/** Returns whether any of its texts exists in the other language, too. */
export function isBilingual(question) {
  return (
    hasTranslation(question, "title", "detail", "placeholder") ||
    [...(question.choices ?? []), ...(question.points ?? [])].some((one) => hasTranslation(one, "label")) ||
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
 * there are answers. `isBoth` shows both languages. Rules can refer to `others` and `sets`; follow-ups need
 * the `promise` "named". `tools` are buttons below. With `grip`, a handle moves the question, by dragging and
 * with the arrow keys.
 */
export function questionEditor({
  question,
  index,
  isHost,
  isLocked,
  isBoth,
  promise,
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

  function input(field, { isOptional, label = t(`q_${field}`), type = "number", ...attributes } = {}) {
    const error = errorOf(field);
    return h(
      "div",
      { class: "field" },
      h(
        "label",
        { for: `${id}-${field}` },
        label,
        isOptional && h("small", { class: "tag" }, ` · ${t("optional")}`),
      ),
      h("input", {
        id: `${id}-${field}`,
        type,
        value: question[field] ?? "",
        disabled: isOld,
        "aria-invalid": error ? "true" : null,
        "aria-describedby": error?.id,
        oninput: ({ target: { value } }) => {
          if (value === "") delete question[field];
          else question[field] = type === "number" ? Number(value) : value;
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
      ...(grip && dropped(grip, ".question")),
    },
    h(
      "legend",
      {},
      isHost && grip && handle({ ...grip, index, name: textOf(question, "title") || index + 1 }),
      `${index + 1}. ${t(`add_${question.kind}`)}`,
      question.hidden && h("small", {}, ` · ${t("q_hidden")}`),
    ),
    words("title", { maxlength: 200 }),
    words("detail", { maxlength: 1000, isOptional: true }),
    kinds[question.kind].fields({ question, id, isOld, isBoth, errorOf, redraw, input, words }),
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
        // There are no branches if answers have no names, because the next set would reveal the answer, or if
        // there are no other sets.
        const isNamed = promise === "named";
        if (list === "branches" && !question.branches && !(isNamed && sets.length))
          return h("p", { class: "note" }, t(isNamed ? "noBranchesYet" : "noBranchesAnonymous"));
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
