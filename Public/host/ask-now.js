// "Ask now": one button from any tab asks a prepared or a new poll, and the strip at the bottom runs it.
import { actionButton, attempt } from "./fields.js";
import { hrefOf } from "./address.js";
import { change, create, reloadSets } from "./polls.js";
import { open } from "./dialog.js";
import { announce, fill, h, setText } from "./dom.js";
import { keyedList } from "./keyed.js";
import { afterPress } from "/press.js";
import { promiseChoice } from "./promise.js";
import { kinds } from "./question-kinds.js";
import { switches } from "./set-buttons.js";
import { inOrder, isPoll, loadSets, titleOf } from "./sets.js";
import { t } from "./words.js";

/** Questions that hosts ask often: the name of each text, its kind, and the names of its other texts. */
const templates = [
  ["template_clear", "multipleChoice", ["template_clearYes", "template_clearPartly", "template_clearNo"]],
  ["template_pace", "multipleChoice", ["template_paceSlow", "template_paceRight", "template_paceFast"]],
  ["template_yesNo", "yesNo", []],
  ["template_scale", "scale", ["template_scaleLow", "template_scaleHigh"]],
  ["template_words", "wordCloud", []],
  ["template_rating", "rating", []],
  ["template_open", "shortAnswer", []],
];

/** Returns the button for the session's head, and fills the strip at the bottom of the page. */
export function askNow(model) {
  const button = h(
    "button",
    { type: "button", class: "ask-now", hidden: true, onclick: () => showAsking(model) },
    t("askNow"),
  );
  const dock = document.getElementById("dock");
  const rows = keyedList(dock, (set) => running(model, set));
  const show = () => {
    button.hidden = !model.isHost || !["doors", "running"].includes(model.session.phase);
    const asked = inOrder(model).filter((set) => set.open && isPoll(set));
    rows.show(model.isHost ? asked.map((set) => [set.set, set]) : []);
    afterPress(show, () => (dock.hidden = !dock.children.length));
  };
  const stop = model.on(["session", "sets", "tallies"], show);
  show();
  loadSets(model).catch(() => {});
  return {
    button: model.isHost && button,
    end: () => {
      stop();
      rows.show([]);
      afterPress(show, () => (dock.hidden = true));
    },
  };
}

/** Returns an open poll with its number of answers, and the buttons that end it. */
function running(model, set) {
  const count = h("span", { class: "note" });
  const title = h("a", { href: hrefOf("sessions", model.session.id, "results", set.set) });
  const tools = h("div", { class: "tools" });
  const element = h("div", { class: "running", role: "group" }, h("p", {}, title, " ", count), tools);
  return {
    element,
    update: (now) => {
      element.setAttribute("aria-label", titleOf(now));
      setText(title, titleOf(now));
      setText(count, t("answersCount", { count: now.responses }));
      fill(tools, switches(model, now));
    },
  };
}

/** Shows the dialog in which the host chooses or writes a poll. */
async function showAsking(model) {
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
              onChanged: () => reloadSets(model),
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
    title.value = t(text);
    kind.value = kindOfText;
    parts[kindOfText]?.take(texts.map((name) => t(name)));
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
    const question = {
      kind: kind.value,
      title: title.value.trim(),
      required: true,
      ...(parts[kind.value]?.value() ?? kinds[kind.value].fresh()),
    };
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
        h("button", { type: "button", class: "template", onclick: () => take(one) }, t(one[0])),
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
