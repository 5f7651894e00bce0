// Adds to feedback forms: one question at a time, if the attendee prefers that; a draft that the browser
// stores until the form is sent; and what happens to a form whose set the host closes.
import { fillFields, forgetOld, keysFrom, store, stored } from "./device.js";
import { showJudgement } from "./fields.js";
import { statusOf } from "./page.js";
import { t } from "./words.js";

const mode = "qring-one-by-one";
const drafts = "qring-draft:";
const longest = 7 * 86_400_000;
const answers = "qring-answers:";
/** The key of what this tab has sent to a set, as a text. */
export const saidKey = (attendee, set) => `qring-said:${attendee}/${set}`;

/** Returns the form of a set on the page. */
export const formOf = (name) => document.querySelector(`form.feedback[data-set="${CSS.escape(name)}"]`);

export function enhance(forms) {
  forgetOld(drafts, longest);
  for (const form of forms) {
    storeDraft(form);
    steps(form);
  }
}

const fieldsOf = (form) => [...new FormData(form)].filter(([name]) => name.startsWith("q_"));

/** Whether the attendee has changed something in the form. */
const isTouched = (form) =>
  [...form.querySelectorAll("[name^=q_]")].some(
    (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked,
  );

// MARK: Drafts

function storeDraft(form) {
  const key = drafts + form.dataset.draft;
  const draft = stored(key);
  const promise = form.elements.promise.value;
  // What the attendee entered before this script arrived is newer than the draft.
  const wasTouched = isTouched(form);
  if (draft && form.dataset.filled === undefined && !wasTouched) {
    fillFields(form, draft.fields, "[name^=q_]");
    if (draft.promise && draft.promise !== promise) warnOfChange(form, promise);
  }
  const keep = () => {
    const { title } = form.dataset;
    store(key, { at: Date.now(), promise, fields: fieldsOf(form), title, text: textOf(form) });
    const status = statusOf(form);
    if (!status.textContent) status.textContent = t("draftStored");
  };
  if (wasTouched) keep();
  form.addEventListener("input", keep);
  form.addEventListener("sent", () => {
    // Only this tab knows the answer of the attendee, so that the results can mark it.
    store(answers + form.dataset.draft, fieldsOf(form), "sessionStorage");
    const [attendee, set] = form.dataset.draft.split("/");
    const said = values(form).map(([, ...texts]) => texts.join(", "));
    store(saidKey(attendee, set), said.join(" · "), "sessionStorage");
    store(key, null);
  });
}

/** Returns the stored texts of an attendee's sets: of each the set, its title, and the text to copy. */
export function storedTexts(attendee) {
  const prefix = `${drafts}${attendee}/`;
  const all = keysFrom(prefix).map((key) => ({ set: key.slice(prefix.length), ...stored(key) }));
  return all.filter(({ text, title }) => text && title);
}

/** Deletes the draft of a form whose answers the server has stored. */
export const forgetDraft = (name) => store(drafts + name, null);

/** Returns the values that this tab has sent for a question of an attendee's set, or an empty list. */
export const sentValues = (attendee, set, question) =>
  (stored(`${answers}${attendee}/${set}`, "sessionStorage") ?? [])
    .filter(([name]) => name === `q_${question}` || name === `q_${question}_other`)
    .map(([, value]) => value);

const newPromise = { anonymous: "becameAnonymous", hidden: "becameHidden", named: "becameNamed" };

/**
 * Shows an alert if the draft was written before the promise of the form changed. The attendee then decides
 * again.
 */
function warnOfChange(form, promise) {
  const warning = made("p", { className: "error" }, t(newPromise[promise]));
  warning.setAttribute("role", "alert");
  form.before(warning);
}

// MARK: A set that is closed

/** Returns each answered question with the texts and choices that the attendee has entered. */
function values(form) {
  const place = (input) => input.value && `${input.value}. ${input.labels[0].textContent.trim()}`;
  const said = (input) =>
    input.matches(".place") ? place(input) : ["radio", "checkbox"].includes(input.type)
      ? (input.checked && (input.ariaLabel ?? input.labels[0].textContent.trim())) || ""
      : input.value.trim();
  return [...form.querySelectorAll("fieldset")]
    .map((item) => [item, [...item.querySelectorAll("input, textarea")].map(said).filter(Boolean)])
    .filter(([, texts]) => texts.length)
    .map(([item, texts]) => [item.querySelector("legend").firstChild.textContent.trim(), ...texts]);
}

const textOf = (form) => values(form).map((lines) => lines.join("\n")).join("\n\n");

/**
 * Closes the form. Returns the element that shows the unsent text, or null if there is none. `done` is called
 * when the text is discarded.
 */
export function closeForm(form, done) {
  form.dataset.closed = "";
  form.querySelector(".told")?.remove();
  // The form of stored answers has text that was not sent only after the attendee changed something.
  const isStored = form.dataset.answered !== undefined && !isTouched(form);
  const text = isStored ? "" : textOf(form);
  if (!text) return null;
  const told = keptText(form.dataset.title, text, () => {
    discard(form);
    done();
  });
  form.prepend(told);
  return told;
}

/** Returns an element that shows an unsent text, with buttons to copy or discard it. */
export function keptText(title, text, discardIt) {
  const told = made("div", { className: "told", tabIndex: -1 });
  told.setAttribute("role", "alert");
  const kept = made("textarea", { className: "kept", readOnly: true, value: text, rows: 4 });
  kept.setAttribute("aria-label", `${t("yourText")}: ${title}`);
  const button = (name, word, act) => {
    const one = pushButton(name, t(word), act);
    one.setAttribute("aria-label", `${t(word)}: ${title}`);
    return one;
  };
  told.append(
    made("p", {}, "", made("strong", {}, t("setClosed", { title }))),
    made("p", {}, t("textKept")),
    kept,
    made(
      "div",
      { className: "pair" },
      "",
      button("copy", "copy", ({ target }) => {
        copy(kept, target);
        told.classList.add("copied");
      }),
      button("aside", "putAside", discardIt),
    ),
  );
  return told;
}

/** Deletes what was entered. The form of stored answers shows these again. */
function discard(form) {
  store(drafts + form.dataset.draft, null);
  form.dispatchEvent(new Event("aside", { bubbles: true }));
  if (form.dataset.answered === undefined) return form.remove();
  form.reset();
  form.querySelector(".told").remove();
}

/** Lets the attendee go on, because the host has opened the set again. */
export function reopenForm(form) {
  delete form.dataset.closed;
  form.querySelector(".told")?.remove();
}

// Pages without TLS have no clipboard interface, so that the text is copied from its field.
function copy(field, done) {
  field.select();
  const isCopied = document.execCommand("copy");
  done.textContent = t(isCopied ? "copied" : "selected");
}

// MARK: One question at a time

function steps(form) {
  const questions = [...form.querySelectorAll("fieldset")];
  const place = form.querySelector(".mode-place");
  if (questions.length < 2 || !place) return;
  place.classList.remove("scripted");
  const send = form.querySelector("button[type=submit]");
  const choice = pushButton("quiet mode", "", () => {
    store(mode, !choice.hasAttribute("data-stepping"));
    show(Boolean(stored(mode)));
  });
  const progress = made("p", { className: "note progress" });
  progress.setAttribute("role", "status");
  const bar = made("progress", { max: questions.length });
  bar.setAttribute("aria-label", t("progress", { number: 1, count: questions.length }));
  const next = pushButton("next", t("next"), () => {
    // Show a wrong answer here, and not only at the end.
    if (showJudgement(questions[at])) go(at + 1);
  });
  const back = pushButton("quiet back", t("back"), () => go(at - 1));
  place.replaceChildren(choice);
  questions[0].before(progress, bar);
  send.after(next, back);
  form.reveal = (question) =>
    choice.hasAttribute("data-stepping") && go(Math.max(0, questions.indexOf(question)));

  // A form that the server has rejected begins with the first wrong answer.
  const wrong = form.querySelector("fieldset[aria-invalid], fieldset [aria-invalid]")?.closest("fieldset");
  let at = Math.max(0, questions.indexOf(wrong));
  // The page of a published form begins with one question at a time.
  show(Boolean(stored(mode) ?? form.dataset.steps !== undefined));

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
    // The bar is full when the answers are sent, and not at the last question.
    bar.value = at;
  }
}

// MARK: Elements

/** Returns a new element with these properties, this text and these children. */
export function made(tag, properties, text = "", ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...(text ? [text] : []), ...children);
  return element;
}

/** Returns a button that calls `act` and does not send its form. */
export function pushButton(className, text, act) {
  const button = made("button", { type: "button", className }, text);
  button.addEventListener("click", act);
  return button;
}
