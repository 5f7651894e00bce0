// Adds to feedback forms: one question at a time, if the attendee prefers that, and a draft that the browser
// stores until the form is sent.
import { fillFields, forgetOld, showJudgement, store, stored, t } from "./page.js";

const mode = "qring-one-by-one";
const drafts = "qring-draft:";
const longest = 7 * 86_400_000;

export function enhance(forms) {
  forgetOld(drafts, longest);
  for (const form of forms) {
    storeDraft(form);
    steps(form);
  }
}

// MARK: Drafts

function storeDraft(form) {
  const key = drafts + form.dataset.draft;
  const draft = stored(key);
  const promise = form.elements.promise.value;
  if (draft && form.dataset.filled === undefined) {
    fillFields(form, draft.fields, "[name^=q_]");
    if (draft.promise && draft.promise !== promise) warnOfChange(form, promise);
  }
  form.addEventListener("input", () => {
    store(key, {
      at: Date.now(),
      promise,
      fields: [...new FormData(form)].filter(([name]) => name.startsWith("q_")),
    });
    const status = form.querySelector("[role=status]");
    if (!status.textContent) status.textContent = t("draftStored");
  });
  form.addEventListener("sent", () => store(key, null));
}

const newPromise = { anonymous: "becameAnonymous", hidden: "becameHidden", named: "becameNamed" };

/**
 * Shows an alert if the draft was written before the promise of the form changed. The attendee then decides
 * again.
 */
function warnOfChange(form, promise) {
  const warning = Object.assign(document.createElement("p"), { className: "error" });
  warning.setAttribute("role", "alert");
  warning.textContent = t(newPromise[promise]);
  form.before(warning);
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
