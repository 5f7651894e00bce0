// Fields with label, hint and error, and forms that send themselves and keep the input if that fails.
import { NotSent, Problem } from "./api.js";
import { announce, h, setText } from "./dom.js";
import { t } from "./words.js";

/**
 * Returns a labelled field. `name` is its name in the API, by which a problem's `errors` find it. `check`
 * returns an error message or null; errors appear when the host leaves the field for the first time, and
 * then with each key. Give an `id` if the page has several fields of one name.
 */
export function field(
  name,
  label,
  { type = "text", hint, check, as = "input", options, id = `f-${name}`, ...attributes } = {},
) {
  const error = h("span", { class: "error", id: `${id}-error`, hidden: true });
  const input =
    as === "select"
      ? h(
          "select",
          { id, name, ...attributes },
          options.map(([value, text]) => h("option", { value, selected: value === attributes.value }, text)),
        )
      : h(as, { id, name, type: as === "input" ? type : null, ...attributes });
  if (attributes.value !== undefined) input.value = attributes.value;
  const described = [hint && `${id}-hint`, error.id].filter(Boolean).join(" ");
  input.setAttribute("aria-describedby", described);
  let wasLeft = false;
  const showError = (message) => {
    setText(error, message || "");
    error.hidden = !message;
    if (message) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  };
  const validate = () => showError(check?.(input.value, input));
  input.addEventListener("blur", () => {
    wasLeft = input.value !== "" || wasLeft;
    if (wasLeft) validate();
  });
  input.addEventListener("input", () => (wasLeft ? validate() : showError("")));
  const element = h(
    "div",
    { class: "field" },
    h("label", { for: id }, label),
    hint && h("span", { class: "hint", id: `${id}-hint` }, hint),
    input,
    error,
  );
  return {
    element,
    input,
    name,
    showError,
    isValid: () => {
      wasLeft = true;
      validate();
      return error.hidden;
    },
  };
}

/**
 * Returns a form of these fields. The form calls `send` with the values when all fields are valid. It shows
 * the server's error messages at the fields or above the button. `cancel` is the action of a second button,
 * or its `{ text, act }`.
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
    h(
      "div",
      { class: "buttons" },
      submit,
      cancel &&
        h(
          "button",
          { type: "button", class: "quiet", onclick: cancel.act ?? cancel },
          cancel.text ?? t("cancel"),
        ),
    ),
  );

  async function onSubmit(event) {
    event.preventDefault();
    if (submit.disabled || submit.getAttribute("aria-disabled")) return;
    problem.hidden = true;
    const wrong = fields.filter((one) => !one.isValid());
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
    const marked = [];
    for (const one of fields) {
      const pointer = [...left.keys()].find((key) => key === `/${one.name}` || key.endsWith(`/${one.name}`));
      if (!pointer) continue;
      one.showError(left.get(pointer));
      left.delete(pointer);
      marked.push(one);
    }
    if (marked.length) marked[0].input.focus();
    const rest = [...left.values()];
    if (marked.length && !rest.length) return;
    problem.textContent = error instanceof NotSent ? t("notSent") : [error.message, ...rest].join(" ");
    problem.hidden = false;
  }

  return { element, submit, showProblem };
}

export function valuesOf(fields) {
  return Object.fromEntries(
    fields.map((one) => [one.name, one.input.type === "checkbox" ? one.input.checked : one.input.value]),
  );
}

/** Runs the action of a button, and shows the reason if the action fails. After 412, calls `onChanged`. */
export async function attempt(button, action, { onChanged } = {}) {
  // The button is not `disabled`, because a disabled button loses the focus.
  if (button.getAttribute("aria-disabled")) return undefined;
  button.setAttribute("aria-disabled", "true");
  try {
    return await action();
  } catch (error) {
    if (error instanceof Problem && error.status === 412) {
      announce(t("somebodyFaster"));
      await onChanged?.();
    } else if (error instanceof Problem) announce(error.message);
    else if (error instanceof NotSent) announce(t("notSent"));
    else throw error;
  } finally {
    button.removeAttribute("aria-disabled");
  }
}

/**
 * Returns a button that runs `action` by `attempt`. `onChanged` shows the new version after 412; the other
 * options are attributes.
 */
export function actionButton(text, action, { onChanged, ...attributes } = {}) {
  // The second click of a double click meant what the button was before the first.
  const onclick = (event) => event.detail <= 1 && attempt(button, action, { onChanged });
  const button = h("button", { type: "button", class: "quiet", onclick, ...attributes }, text);
  return button;
}
