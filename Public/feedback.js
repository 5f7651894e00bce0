// Adds to feedback forms: one question at a time, if the attendee prefers that, and a draft that the browser
// stores until the form is sent.
import { showJudgement, store, stored, t } from "./page.js";

const mode = "qring-one-by-one";
const drafts = "qring-draft:";
const longest = 7 * 86_400_000;

export function enhance(forms) {
  forgetOldDrafts();
  for (const form of forms) {
    storeDraft(form);
    steps(form);
  }
}

// MARK: Drafts

function storeDraft(form) {
  const key = drafts + form.dataset.draft;
  const draft = stored(key);
  const anonymous = form.elements.anonymous.value;
  if (draft && form.dataset.filled === undefined) {
    fillIn(form, draft.fields);
    if (draft.anonymous && draft.anonymous !== anonymous) warnOfChange(form, anonymous);
  }
  form.addEventListener("input", () => {
    store(key, {
      at: Date.now(),
      anonymous,
      fields: [...new FormData(form)].filter(([name]) => name.startsWith("q_")),
    });
    const status = form.querySelector("[role=status]");
    if (!status.textContent) status.textContent = t("draftStored");
  });
  form.addEventListener("sent", () => store(key, null));
}

/**
 * Shows an alert if the draft was written before the anonymity of the form changed. The attendee then
 * decides again.
 */
function warnOfChange(form, anonymous) {
  const warning = Object.assign(document.createElement("p"), { className: "error" });
  warning.setAttribute("role", "alert");
  warning.textContent = t(anonymous === "true" ? "becameAnonymous" : "becameNamed");
  form.before(warning);
}

function fillIn(form, fields) {
  for (const field of form.querySelectorAll("[name^=q_]")) {
    const values = fields.filter(([name]) => name === field.name).map(([, value]) => value);
    if (["radio", "checkbox"].includes(field.type)) field.checked = values.includes(field.value);
    else field.value = values[0] ?? "";
  }
}

function forgetOldDrafts() {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(drafts) && !((stored(key)?.at ?? 0) > Date.now() - longest)) store(key, null);
    }
  } catch {
    // If the browser forbids storage, there are no drafts.
  }
}

// MARK: One question at a time

function steps(form) {
  const questions = [...form.querySelectorAll("fieldset")];
  if (questions.length < 2) return;
  const send = form.querySelector("button[type=submit]");
  const choice = button("quiet mode", () => {
    store(mode, !stored(mode));
    show(Boolean(stored(mode)));
  });
  const progress = Object.assign(document.createElement("p"), { className: "note progress" });
  progress.setAttribute("role", "status");
  const bar = Object.assign(document.createElement("progress"), { max: questions.length });
  bar.setAttribute("aria-label", t("progress", { number: 1, count: questions.length }));
  const next = button("next", () => {
    // Show a wrong answer here, and not only at the end.
    if (showJudgement(questions[at])) go(at + 1);
  });
  const back = button("quiet back", () => go(at - 1));
  next.textContent = t("next");
  back.textContent = t("back");
  form.before(choice);
  questions[0].before(progress, bar);
  send.after(next, back);
  form.reveal = (question) =>
    choice.hasAttribute("data-stepping") && go(Math.max(0, questions.indexOf(question)));

  let at = 0;
  show(Boolean(stored(mode)));

  function go(number) {
    at = number;
    draw(true);
    const inputs = [...questions[at].querySelectorAll("input, textarea")];
    (inputs.find((input) => input.checked) ?? inputs[0])?.focus();
  }

  function show(isStepping) {
    choice.textContent = t(isStepping ? "allAtOnce" : "oneByOne");
    draw(isStepping);
  }

  function draw(isStepping) {
    choice.toggleAttribute("data-stepping", isStepping);
    questions.forEach((question, index) => (question.hidden = isStepping && index !== at));
    progress.hidden = bar.hidden = !isStepping;
    next.hidden = !isStepping || at === questions.length - 1;
    send.hidden = isStepping && at !== questions.length - 1;
    back.hidden = !isStepping || at === 0;
    const said = t("progress", { number: at + 1, count: questions.length });
    if (isStepping) progress.textContent = said;
    bar.setAttribute("aria-label", said);
    bar.value = at + 1;
  }
}

function button(className, act) {
  const made = Object.assign(document.createElement("button"), { type: "button", className });
  made.addEventListener("click", act);
  return made;
}
