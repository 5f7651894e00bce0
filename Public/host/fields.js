// Fields with label, hint and error, and forms that send themselves and keep the input if that fails.
import { NotSent, Problem } from "./api.js";
import { announce, h, setText } from "./dom.js";
import { t } from "./words.js";

/** The event of a field whose error has changed. A form that names its missing fields listens to it. */
export const stateChanged = "statechanged";

/**
 * Returns the mark beside a label that shows the state of a field in colour, text and icon. `show` takes
 * `valid`, `invalid`, `needed`, `optional` or `typing`.
 */
export function fieldState(id) {
  const element = h("span", { class: "field-state", id });
  const texts = {
    valid: t("fieldValid"),
    invalid: t("fieldInvalid"),
    needed: t("fieldNeeded"),
    optional: t("optional"),
    typing: t("fieldTyping"),
  };
  return {
    element,
    show: (state) => {
      element.dataset.state = state;
      setText(element, texts[state]);
    },
  };
}

/** Shows the message in `error` and marks the input as invalid. Without a message, it hides the error. */
export function markError(input, error, message) {
  setText(error, message || "");
  error.hidden = !message;
  if (message) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}

/**
 * Returns a labelled field. `name` is its name in the API, by which a problem's `errors` find it. `check`
 * returns an error message or null; errors appear when the host leaves the field for the first time, and
 * then with each key. Give an `id` if the page has several fields of one name. The space of the longest of
 * `messages` is reserved, so that a late error moves no button. With `states`, a mark shows the state. With
 * `judgesAtOnce`, the first key shows an error already; a required field does so when it is emptied again.
 * If `isComplete` is false for a correct value, the field shows neither a mark nor an error.
 */
export function field(
  name,
  label,
  {
    type = "text",
    hint,
    check,
    as = "input",
    options,
    id = `f-${name}`,
    messages,
    states = false,
    judgesAtOnce = false,
    isComplete = () => true,
    ...attributes
  } = {},
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
  const state = states ? fieldState(`${id}-state`) : null;
  const described = [hint && `${id}-hint`, state && `${id}-state`, error.id].filter(Boolean).join(" ");
  input.setAttribute("aria-describedby", described);
  let wasLeft = false;
  let wasFilled = input.value !== "";
  const showError = (message) => {
    markError(input, error, message);
    showState();
    input.dispatchEvent(new Event(stateChanged, { bubbles: true }));
  };
  const isEmpty = () => input.value.trim() === "" && !input.validity.badInput;
  /** Returns `needed` if a required field is empty, `wrong` if its value is, and null if it is good. */
  const lack = () => {
    if (isEmpty()) return input.required ? "needed" : check?.(input.value, input) ? "wrong" : null;
    return !error.hidden || check?.(input.value, input) ? "wrong" : null;
  };
  const stateNow = () => {
    if (!error.hidden) return "invalid";
    if (isEmpty()) return input.required ? "needed" : "optional";
    return lack() || !isComplete(input.value) ? "typing" : "valid";
  };
  function showState() {
    if (!state) return;
    // The border of the input shows the state, too.
    input.dataset.state = stateNow();
    state.show(stateNow());
  }
  const validate = () => showError(check?.(input.value, input));
  input.addEventListener("blur", () => {
    wasLeft = !isEmpty() || wasLeft;
    if (wasLeft) validate();
  });
  input.addEventListener("input", () => {
    wasLeft ||= judgesAtOnce || (wasFilled && input.required && isEmpty());
    wasFilled ||= !isEmpty();
    if (wasLeft) validate();
    else showError("");
  });
  const element = h(
    "div",
    { class: "field" },
    state
      ? h("div", { class: "labelled" }, h("label", { for: id }, label), state.element)
      : h("label", { for: id }, label),
    hint && h("span", { class: "hint", id: `${id}-hint` }, hint),
    input,
    messages ? reserved(error, messages) : error,
  );
  showState();
  return {
    element,
    input,
    name,
    label,
    showError,
    lack,
    /** Looks again, because another field has changed. */
    look: () => (wasLeft ? validate() : showState()),
    isValid: () => {
      wasLeft = true;
      validate();
      return error.hidden;
    },
  };
}

/** Returns a box in which the element has the space of the longest of these messages, whatever it shows. */
export const reserved = (element, messages) =>
  h(
    "div",
    { class: "reserved" },
    element,
    messages.map((text) =>
      h(element.tagName, { class: `${element.className} unused`, "aria-hidden": "true" }, text),
    ),
  );

/**
 * Returns a form of these fields. The form calls `send` with the values when all fields are valid. It shows
 * the server's error messages at the fields or above the button. `cancel` is the action of a second button,
 * or its `{ text, act }`. With `namesMissing`, a line below the buttons names the fields that are missing or
 * wrong, and the button looks inactive until there are none. It is not disabled: a press says what is
 * missing.
 */
export function form({ fields, button, send, extra = [], cancel, namesMissing = false }) {
  const problem = h("p", { class: "error", role: "alert", hidden: true });
  const missing = namesMissing ? h("p", { class: "note missing", id: "f-missing" }) : null;
  const submit = h("button", { type: "submit", "aria-describedby": missing?.id }, button);
  let isSending = false;
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
    missing,
  );
  if (missing) {
    for (const name of ["input", stateChanged]) element.addEventListener(name, showLacks);
    showLacks();
  }

  /** Returns the texts that name the fields that keep the form from being sent. */
  function lacks() {
    const found = fields.map((one) => [one.lack(), one.label]);
    const named = (kind) => found.filter(([lack]) => lack === kind).map(([, label]) => label);
    return [
      ["needed", "stillNeeded"],
      ["wrong", "stillWrong"],
    ]
      .map(([kind, text]) => [named(kind).join(", "), text])
      .filter(([names]) => names)
      .map(([names, text]) => t(text, { names }));
  }

  function showLacks() {
    setText(missing, lacks().join(" "));
    showReadiness();
  }

  function showReadiness() {
    const isReady = !isSending && !(missing && lacks().length);
    submit.setAttribute("aria-busy", String(isSending));
    if (isReady) submit.removeAttribute("aria-disabled");
    else submit.setAttribute("aria-disabled", "true");
  }

  async function onSubmit(event) {
    event.preventDefault();
    if (isSending) return announce(t("stillSending"));
    problem.hidden = true;
    const wrong = fields.filter((one) => !one.isValid());
    if (wrong.length) {
      if (missing) {
        showLacks();
        announce(missing.textContent);
      }
      return wrong[0].input.focus();
    }
    isSending = true;
    showReadiness();
    try {
      await send(valuesOf(fields));
    } catch (error) {
      showProblem(error);
    } finally {
      isSending = false;
      showReadiness();
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
    fields.map((one) => [
      one.name,
      one.values?.() ?? (one.input.type === "checkbox" ? one.input.checked : one.input.value),
    ]),
  );
}

/**
 * Runs the action of a button, and shows the reason if the action fails. After 412, calls `onChanged`. While
 * the action runs, another press says that the host has to wait.
 */
export async function attempt(button, action, { onChanged } = {}) {
  // The button is not `disabled`, because a disabled button loses the focus.
  if (button.getAttribute("aria-disabled")) return announce(t("stillSending"));
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

// The action button that was clicked last.
let lastClicked = null;

/**
 * Returns a button that runs `action` by `attempt`. `onChanged` shows the new version after 412; the other
 * options are attributes.
 */
export function actionButton(text, action, { onChanged, ...attributes } = {}) {
  const onclick = ({ currentTarget, detail }) => {
    // The second click of a double click meant what the button was before the first. The browser counts also
    // two quick touches of different buttons as a double click.
    const repeats = detail > 1 && currentTarget === lastClicked;
    lastClicked = currentTarget;
    if (!repeats) attempt(currentTarget, action, { onChanged });
  };
  return h("button", { type: "button", class: "quiet", onclick, ...attributes }, text);
}

/** Copies a link. Calls `otherwise` if the browser cannot, for example without HTTPS. */
export async function copied(url, otherwise) {
  try {
    await navigator.clipboard.writeText(url);
    announce(t("linkCopied"));
  } catch {
    otherwise();
  }
}

/**
 * Returns a function that runs actions one after the other. Each waits for the one before it, so that it
 * knows the version that the one before has made.
 */
export function inTurn() {
  let last = Promise.resolve();
  return (action) => (last = last.catch(() => {}).then(action));
}
