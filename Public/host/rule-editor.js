// The editor of rules, conditions and follow-ups: lists of tests, each with its message or the set that
// follows.
import { fill, h } from "./dom.js";
import { textFields, textOf } from "./localized.js";
import { kinds as questionKinds } from "./question-kinds.js";
import { t } from "./words.js";

/** The number of lines in one list that the server accepts. */
const most = 10;

const testOf = (rule) =>
  rule.type === "sameAs" && rule.question !== undefined ? "sameAsQuestion" : rule.type;
const hasBounds = (test) => test === "minMax" || test === "minMaxLength";

/**
 * Returns the editor of `question[list]`: "rules", "eligibility" or "branches". A test can compare with a
 * question of `others`, and a branch leads to a set of `sets` (pairs of name and title). With `isFixed`,
 * only messages can change, because there are answers.
 */
export function ruleEditor({ question, list, id, others, sets, isBoth, isFixed, errorOf, redraw }) {
  const rules = question[list] ?? [];
  const applies = (test) => test !== "sameAsQuestion" || others.length > 0;
  const kinds = questionKinds[question.kind].tests.filter(applies);
  const focus = (id) => document.getElementById(id)?.focus();
  const add = h(
    "button",
    {
      type: "button",
      class: "quiet",
      id: `${id}-add`,
      onclick: () => {
        (question[list] ??= []).push(
          fresh(kinds[0], question, others, list === "branches" ? sets[0]?.[0] : undefined),
        );
        redraw();
        focus(`${id}-${rules.length || question[list].length - 1}-test`);
      },
    },
    t(`add_${list}`),
  );
  return h(
    "fieldset",
    { class: "rules" },
    h("legend", {}, t(`q_${list}`)),
    h("p", { class: "note" }, t(`q_${list}Hint`)),
    rules.map((rule, index) => row({ rule, index })),
    errorOf(list, rules.length),
    !isFixed && kinds.length > 0 && rules.length < most && add,
  );

  function row({ rule, index }) {
    const own = `${id}-${index}`;
    const error = errorOf(`${list}/${index}`);
    const described = { "aria-invalid": error ? "true" : null, "aria-describedby": error?.id };
    const test = testOf(rule);
    const names = new Map([...kinds, test].map((one) => [one, nameOf(one, question.kind)]));
    const remove = h(
      "button",
      {
        type: "button",
        class: "plain",
        "aria-label": t("removeRule", { number: index + 1 }),
        onclick: () => {
          question[list].splice(index, 1);
          if (!question[list].length) delete question[list];
          redraw();
          focus(`${id}-add`);
        },
      },
      t("remove"),
    );
    return h(
      "div",
      { class: "rule", role: "group", "aria-label": `${t(`q_${list}`)} ${index + 1}` },
      h(
        "div",
        { class: "side" },
        labelled(
          `${own}-test`,
          t(list === "branches" ? "rule_if" : "rule_must"),
          h(
            "select",
            {
              id: `${own}-test`,
              disabled: isFixed,
              ...described,
              onchange: ({ target: { value } }) => {
                const { message, messages, next } = rule;
                const made = fresh(value, question, others, next);
                question[list][index] = {
                  ...made,
                  ...(message !== undefined && { message }),
                  ...(messages && { messages }),
                };
                redraw();
                focus(`${own}-test`);
              },
            },
            [...names].map(([value, name]) => h("option", { value, selected: value === test }, name)),
          ),
        ),
        target({ rule, test, own, described }),
        list === "branches" &&
          labelled(
            `${own}-next`,
            t("rule_next"),
            setChoice({
              id: `${own}-next`,
              sets,
              chosen: rule.next,
              disabled: isFixed,
              onchange: (next) => (rule.next = next),
              ...described,
            }),
          ),
      ),
      list !== "branches" &&
        textFields(rule, "message", {
          id: `${own}-message`,
          label: t(`message_${list}`),
          isBoth,
          maxlength: 300,
          autocomplete: "off",
          isOptional: true,
        }),
      error,
      !isFixed && remove,
    );
  }

  function target({ rule, test, own, described }) {
    const attributes = { disabled: isFixed, ...described };
    if (hasBounds(test)) {
      return [0, 1].map((end) =>
        labelled(
          `${own}-${end}`,
          t(end ? "rule_most" : "rule_least"),
          h("input", {
            id: `${own}-${end}`,
            type: "number",
            step: test === "minMax" ? "any" : 1,
            min: test === "minMaxLength" ? 0 : null,
            value: rule.target[end] ?? "",
            ...attributes,
            oninput: ({ target: { value } }) => (rule.target[end] = value === "" ? null : Number(value)),
          }),
        ),
      );
    }
    if (test === "sameAsQuestion") {
      const shown = others.some((one) => one.id === rule.question)
        ? others
        : [...others, { id: rule.question, title: "…" }];
      return labelled(
        `${own}-target`,
        t("rule_question"),
        h(
          "select",
          {
            id: `${own}-target`,
            ...attributes,
            onchange: ({ target: { value } }) => (rule.question = value),
          },
          shown.map((one) =>
            h(
              "option",
              { value: one.id, selected: one.id === rule.question },
              textOf(one, "title") || one.title,
            ),
          ),
        ),
      );
    }
    const { answers: answersOf, value: type } = questionKinds[question.kind];
    const answers = answersOf(question);
    if (answers) {
      return labelled(
        `${own}-target`,
        t("rule_choice"),
        h(
          "select",
          { id: `${own}-target`, ...attributes, onchange: ({ target: { value } }) => (rule.target = value) },
          answers.map(([value, name]) =>
            h("option", { value, selected: value === rule.target }, name),
          ),
        ),
      );
    }
    const isNumber = type === "number";
    return labelled(
      `${own}-target`,
      t(test === "pattern" ? "rule_pattern" : "rule_value"),
      h("input", {
        id: `${own}-target`,
        type,
        step: isNumber ? "any" : null,
        value: rule.target ?? "",
        autocomplete: "off",
        spellcheck: "false",
        maxlength: test === "pattern" ? 1000 : null,
        ...attributes,
        oninput: ({ target: { value } }) =>
          (rule.target = isNumber ? (value === "" ? null : Number(value)) : value),
      }),
    );
  }
}

/** Returns a choice of the session's sets. A chosen set that does not exist yet stays chosen. */
export function setChoice({ sets, chosen, onchange, none, ...attributes }) {
  const all = !chosen || sets.some(([name]) => name === chosen) ? sets : [...sets, [chosen, chosen]];
  const select = h("select", { ...attributes, onchange: ({ target: { value } }) => onchange(value) });
  fill(
    select,
    none !== undefined && h("option", { value: "", selected: !chosen }, none),
    all.map(([name, title]) => h("option", { value: name, selected: name === chosen }, title)),
  );
  return select;
}

function fresh(test, question, others, next) {
  const made =
    test === "sameAsQuestion"
      ? { type: "sameAs", question: others[0]?.id }
      : { type: test, target: targetOf(test, question) };
  return next === undefined ? made : { ...made, next };
}

function targetOf(test, question) {
  if (hasBounds(test)) return [null, null];
  const { answers, value } = questionKinds[question.kind];
  return answers(question)?.[0]?.[0] ?? (value === "number" ? null : "");
}

/**
 * Returns a test's name. For choices, a length is their number, and equality means that one is among them.
 */
function nameOf(test, kind) {
  const { hasParts } = questionKinds[kind];
  return t(`test_${test}${hasParts && ["not", "sameAs", "minMaxLength"].includes(test) ? "Choice" : ""}`);
}

function labelled(id, label, field) {
  return h("div", { class: "field" }, h("label", { for: id }, label), field);
}
