// One question as it is written: what every kind has, then what its own kind has.
import { h } from "./dom.js";
import { language, t } from "./words.js";

export const kinds = ["multipleChoice", "shortAnswer", "rating", "number"];

const fresh = {
  multipleChoice: () => ({ choices: [{ label: "" }, { label: "" }], minSelections: 1, maxSelections: 1 }),
  shortAnswer: () => ({ maxLength: 500 }),
  rating: () => ({ scale: 5 }),
  number: () => ({ decimals: 0 }),
};

export function newQuestion(kind) {
  return { kind, title: "", required: false, ...fresh[kind]() };
}

/**
 * Edits `question` in its place. `told(field)` is what the server said of a field, `redraw` shows the list again, `isLocked` leaves words,
 * detail and hiding, as the server does once there are answers. `tools` stand below.
 */
export function questionEditor({ question, index, isHost, isLocked, errors, redraw, tools }) {
  const id = `q${index}`;
  const told = (field) => {
    const messages = [...errors].filter(([place]) => place === `/questions/${index}/${field}` || place.startsWith(`/questions/${index}/${field}/`));
    return messages.length ? h("span", { class: "error", id: `${id}-${field}-error` }, messages.map(([, message]) => message).join(" ")) : null;
  };
  const isOld = isLocked && question.id;

  function input(field, type, { isFixed = false, hint, ...attributes } = {}) {
    const error = told(field);
    return h("div", { class: "field" }, h("label", { for: `${id}-${field}` }, t(`q_${field}`)), hint && h("span", { class: "hint" }, hint),
      h("input", { id: `${id}-${field}`, type, value: question[field] ?? "", disabled: isFixed && isOld, "aria-invalid": error ? "true" : null, "aria-describedby": error?.id,
        oninput: ({ target: { value } }) => write(field, type, value), ...attributes }), error);
  }

  function write(field, type, value) {
    if (type === "number") {
      if (value === "") delete question[field];
      else question[field] = Number(value);
      return;
    }
    question[field] = value;
    // Where the words have languages, these are of the page's.
    const all = question[`${field}s`];
    if (all) all[language] = value;
  }

  function box(label, isChecked, onchange, isFixed = false) {
    return h("label", { class: "choice" }, h("input", { type: "checkbox", checked: isChecked, disabled: isFixed && isOld, onchange: (event) => onchange(event.target.checked) }), label);
  }

  const rules = (question.rules?.length ?? 0) + (question.eligibility?.length ?? 0) + (question.branches?.length ?? 0);
  return h("fieldset", { class: question.hidden ? "question archived" : "question", disabled: !isHost },
    h("legend", {}, `${index + 1}. ${t(`add_${question.kind}`)}`, question.hidden && h("small", {}, ` · ${t("q_hidden")}`)),
    input("title", "text", { maxlength: 200 }),
    input("detail", "text", { maxlength: 1000, hint: t("optional") }),
    question.kind === "multipleChoice" && choices({ question, id, told, redraw, isOld }),
    question.kind === "shortAnswer" && input("maxLength", "number", { min: 1, max: 5000, isFixed: true }),
    question.kind === "rating" && input("scale", "number", { min: 2, max: 10, isFixed: true }),
    question.kind === "number" && h("div", { class: "side" }, input("min", "number", { step: "any", isFixed: true, hint: t("optional") }),
      input("max", "number", { step: "any", isFixed: true, hint: t("optional") }), input("decimals", "number", { min: 0, max: 6, isFixed: true })),
    h("div", { class: "boxes" }, box(t("q_required"), question.required === true, (is) => (question.required = is), true),
      box(t("q_hide"), question.hidden === true, (is) => {
        question.hidden = is;
        redraw(index);
      })),
    rules > 0 && h("p", { class: "note" }, t("q_rules", { count: rules })),
    told("rules"),
    isHost && h("div", { class: "tools" }, tools));
}

function choices({ question, id, told, redraw, isOld }) {
  const several = () => question.maxSelections > 1;
  const hasOther = question.choices.some((choice) => choice.other);
  const add = (choice) => {
    const place = question.choices.findIndex((one) => one.other);
    question.choices.splice(place < 0 || choice.other ? question.choices.length : place, 0, choice);
    if (several()) question.maxSelections = question.choices.length;
    redraw();
    const inputs = document.querySelectorAll(`input[id^="${id}-choice"]`);
    inputs[choice.other ? inputs.length - 1 : inputs.length - 1 - Number(hasOther)]?.focus();
  };
  const remove = (index) => {
    question.choices.splice(index, 1);
    question.maxSelections = Math.min(question.maxSelections, question.choices.length);
    question.minSelections = Math.min(question.minSelections, question.maxSelections);
    redraw();
    document.getElementById(`${id}-choice${Math.max(0, index - 1)}`)?.focus();
  };
  const most = (name) => h("div", { class: "field" }, h("label", { for: `${id}-${name}` }, t(`q_${name}`)),
    h("input", { id: `${id}-${name}`, type: "number", min: 1, max: question.choices.length, value: question[name], disabled: isOld,
      oninput: ({ target: { value } }) => value && (question[name] = Number(value)) }), told(name));
  return h("div", { class: "field", role: "group", "aria-label": t("q_choices") },
    h("span", { class: "label" }, t("q_choices")),
    question.choices.map((choice, index) =>
      h("div", { class: "tools" },
        h("input", { id: `${id}-choice${index}`, "aria-label": choice.other ? t("choiceOther") : t("choice", { number: index + 1 }), value: choice.label, maxlength: 200,
          oninput: ({ target: { value } }) => {
            choice.label = value;
            if (choice.labels) choice.labels[language] = value;
          } }),
        choice.other && h("span", { class: "note" }, t("choiceOther")),
        question.choices.length > 2 && !isOld && h("button", { type: "button", class: "plain", "aria-label": t("removeOf", { name: choice.label || index + 1 }), onclick: () => remove(index) }, "×"))),
    told("choices"),
    !isOld && h("div", { class: "tools" }, h("button", { type: "button", class: "quiet", onclick: () => add({ label: "" }) }, t("addChoice")),
      !hasOther && h("button", { type: "button", class: "quiet", onclick: () => add({ label: t("other"), other: true }) }, t("addOther"))),
    h("label", { class: "choice" }, h("input", { type: "checkbox", checked: several(), disabled: isOld, onchange: (event) => {
      question.maxSelections = event.target.checked ? question.choices.length : 1;
      question.minSelections = 1;
      redraw();
    } }), t("several")),
    several() && h("div", { class: "side" }, most("minSelections"), most("maxSelections")));
}
