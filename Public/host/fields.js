// Form fields with their label, hint and error, and forms that send themselves and keep what was typed.
import { NotSent, Problem } from "./api.js";
import { h, say, setText } from "./dom.js";
import { t } from "./words.js";

/**
 * A labelled field. `name` is the API's, so that a problem's `errors` find it. `check` gives a message or nothing; it is quiet until the field
 * is left once, then live. `id` is given where a page has several fields of one name.
 */
export function field(name, label, { type = "text", hint, check, as = "input", options, id = `f-${name}`, ...attributes } = {}) {
  const error = h("span", { class: "error", id: `${id}-error`, hidden: true });
  const input =
    as === "select"
      ? h("select", { id, name, ...attributes }, options.map(([value, text]) => h("option", { value, selected: value === attributes.value }, text)))
      : h(as, { id, name, type: as === "input" ? type : null, ...attributes });
  if (attributes.value !== undefined) input.value = attributes.value;
  const described = [hint && `${id}-hint`, error.id].filter(Boolean).join(" ");
  input.setAttribute("aria-describedby", described);
  let wasLeft = false;
  const tell = (message) => {
    setText(error, message || "");
    error.hidden = !message;
    if (message) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  };
  const look = () => tell(check?.(input.value, input));
  input.addEventListener("blur", () => {
    wasLeft = input.value !== "" || wasLeft;
    if (wasLeft) look();
  });
  input.addEventListener("input", () => (wasLeft ? look() : tell("")));
  const element = h(
    "div",
    { class: "field" },
    h("label", { for: id }, label),
    hint && h("span", { class: "hint", id: `${id}-hint` }, hint),
    input,
    error,
  );
  return { element, input, name, tell, isGood: () => { wasLeft = true; look(); return error.hidden; } };
}

/**
 * A form of these fields. `send` is called with the values when all are good; what the server refuses is told beside its field, or above the
 * button, and what was typed stays. `cancel` is what a second button does, or its `{ text, act }`.
 */
export function form({ fields, button, send, extra = [], cancel }) {
  const problem = h("p", { class: "error", role: "alert", hidden: true });
  const submit = h("button", { type: "submit" }, button);
  const element = h(
    "form",
    { novalidate: true, onsubmit: onSubmit },
    fields.map((one) => one.element),
    extra,
    problem,
    h("div", { class: "buttons" }, submit, cancel && h("button", { type: "button", class: "quiet", onclick: cancel.act ?? cancel }, cancel.text ?? t("cancel"))),
  );

  async function onSubmit(event) {
    event.preventDefault();
    if (submit.disabled || submit.getAttribute("aria-disabled")) return;
    problem.hidden = true;
    const wrong = fields.filter((one) => !one.isGood());
    if (wrong.length) return wrong[0].input.focus();
    submit.setAttribute("aria-disabled", "true");
    try {
      await send(valuesOf(fields));
    } catch (error) {
      showProblem(error);
    } finally {
      submit.removeAttribute("aria-disabled");
    }
  }

  function showProblem(error) {
    if (!(error instanceof Problem) && !(error instanceof NotSent)) throw error;
    const left = new Map(error.fields ?? []);
    const told = [];
    for (const one of fields) {
      const pointer = [...left.keys()].find((key) => key === `/${one.name}` || key.endsWith(`/${one.name}`));
      if (!pointer) continue;
      one.tell(left.get(pointer));
      left.delete(pointer);
      told.push(one);
    }
    if (told.length) told[0].input.focus();
    const rest = [...left.values()];
    if (told.length && !rest.length) return;
    problem.textContent = error instanceof NotSent ? t("notSent") : [error.message, ...rest].join(" ");
    problem.hidden = false;
  }

  return { element, submit, showProblem };
}

export function valuesOf(fields) {
  return Object.fromEntries(fields.map((one) => [one.name, one.input.type === "checkbox" ? one.input.checked : one.input.value]));
}

/** Runs an action of a button; what is refused is told, and 412 shows what is there now. */
export async function attempt(button, action, { onChanged } = {}) {
  // Not `disabled`, which would take the focus from under the keyboard.
  if (button.getAttribute("aria-disabled")) return undefined;
  button.setAttribute("aria-disabled", "true");
  try {
    return await action();
  } catch (error) {
    if (error instanceof Problem && error.status === 412) {
      say(t("somebodyFaster"));
      await onChanged?.();
    } else if (error instanceof Problem) say(error.message);
    else if (error instanceof NotSent) say(t("notSent"));
    else throw error;
  } finally {
    button.removeAttribute("aria-disabled");
  }
}
