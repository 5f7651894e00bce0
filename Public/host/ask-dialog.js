// The dialog in which a host chooses a prepared poll or writes a new one, and starts it.
import { actionButton, attempt } from "./fields.js";
import { change, create } from "./polls.js";
import { open } from "./dialog.js";
import { announce, h } from "./dom.js";
import { examples } from "./examples.js";
import { promiseChoice } from "./promise.js";
import { kinds } from "./question-kinds.js";
import { inOrder, isPoll, readSets, titleOf } from "./sets.js";
import { language, t } from "./words.js";

/** Questions that hosts ask often: the name of the question, its kind, and the names of its other texts. */
const templates = [
  ["clear", "multipleChoice", ["clearYes", "clearPartly", "clearNo"]],
  ["pace", "multipleChoice", ["paceSlow", "paceRight", "paceFast"]],
  ["yesNo", "yesNo", []],
  ["scale", "scale", ["scaleLow", "scaleHigh"]],
  ["words", "wordCloud", []],
  ["rating", "rating", []],
  ["open", "shortAnswer", []],
];

/** Returns a record with the text of a field in all languages, if it is the text of an example. */
function inAllLanguages(owner, field) {
  const texts = Object.values(examples).find((one) => one[language] === owner[field]);
  return texts ? { ...owner, [`${field}s`]: texts } : owner;
}

/** Shows the dialog. */
export function showAsking(model) {
  const prepared = inOrder(model).filter(
    (set) => set.questions && !set.open && !set.responses && isPoll(set),
  );
  const dialog = open(t("askNow"), [
    prepared.length > 0 && [
      h("h3", {}, t("preparedPolls")),
      h(
        "ul",
        { class: "cards" },
        prepared.map((set) =>
          h(
            "li",
            {},
            h("span", { class: "name" }, titleOf(set)),
            actionButton(t("ask"), () => done(() => change(model, set, { open: true })), {
              "aria-label": `${t("ask")}: ${titleOf(set)}`,
              onChanged: () => readSets(model),
            }),
          ),
        ),
      ),
      h("h3", {}, t("newQuestion")),
    ],
    newPoll((poll) => done(() => create(model, { ...poll, open: true })), () => dialog.close()),
  ]);
  dialog.classList.add("wide");
  dialog.querySelector("#f-ask")?.focus();

  async function done(action) {
    const set = await action();
    dialog.close();
    announce(t("asked", { title: titleOf(model.sets.get(set.set) ?? set) }));
  }
}

/** Returns the form for a new question. `send` receives the poll; the form stays if it fails. */
function newPoll(send, cancel) {
  const title = h("input", { id: "f-ask", maxlength: 200, autocomplete: "off" });
  const kind = h(
    "select",
    { id: "f-ask-kind", onchange: showParts },
    Object.keys(kinds).map((one) => h("option", { value: one }, t(`add_${one}`))),
  );
  const parts = Object.fromEntries(
    Object.entries(kinds).flatMap(([name, { ask }]) => (ask ? [[name, ask()]] : [])),
  );
  const promise = promiseChoice({ id: "f-ask-promise", chosen: "hidden" });
  const hint = h("p", { class: "note", id: "f-ask-shared-hint" }, t("askSharedHint"));
  const shared = h("input", { type: "checkbox", "aria-describedby": hint.id });
  const problem = h("p", { class: "error", role: "alert", id: "f-ask-error", hidden: true });
  const submit = h("button", { type: "submit" }, t("ask"));

  function showParts() {
    for (const [name, { element }] of Object.entries(parts)) element.hidden = name !== kind.value;
  }

  function take([text, kindOfText, texts]) {
    title.value = examples[text][language];
    kind.value = kindOfText;
    parts[kindOfText]?.take(texts.map((name) => examples[name][language]));
    showParts();
    submit.focus();
  }

  function fail(message, input) {
    problem.textContent = message;
    problem.hidden = false;
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", problem.id);
    input.addEventListener("input", () => input.removeAttribute("aria-invalid"), { once: true });
    input.focus();
  }

  async function onSubmit(event) {
    event.preventDefault();
    problem.hidden = true;
    if (!title.value.trim()) return fail(t("questionMissing"), title);
    const missing = parts[kind.value]?.missing();
    if (missing) return fail(...missing);
    const { choices, points, ...value } = parts[kind.value]?.value() ?? kinds[kind.value].fresh();
    const translated = (list) => list?.map((one) => inAllLanguages(one, "label"));
    const asked = inAllLanguages({ kind: kind.value, title: title.value.trim(), required: true }, "title");
    const question = { ...asked, ...value, choices: translated(choices), points: translated(points) };
    await attempt(submit, () =>
      send({ questions: [question], promise: promise.select.value, shared: shared.checked }),
    );
  }

  showParts();
  return h(
    "form",
    { novalidate: true, onsubmit: onSubmit },
    h(
      "div",
      { class: "sets", role: "group", "aria-label": t("templates") },
      templates.map((one) =>
        h(
          "button",
          { type: "button", class: "template", onclick: () => take(one) },
          examples[one[0]][language],
        ),
      ),
    ),
    h("div", { class: "field" }, h("label", { for: title.id }, t("q_title")), title),
    h("div", { class: "field" }, h("label", { for: kind.id }, t("kind")), kind),
    Object.values(parts).map(({ element }) => element),
    promise.element,
    h("label", { class: "choice" }, shared, t("askShared")),
    hint,
    problem,
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", class: "quiet", onclick: cancel }, t("cancel")),
      submit,
    ),
  );
}
