// "Ask now": one button from any tab asks a prepared or a new poll, and the strip at the bottom runs it.
import { actionButton, attempt } from "./fields.js";
import { hrefOf } from "./address.js";
import { askPoll, change, reloadSets } from "./polls.js";
import { open } from "./dialog.js";
import { announce, fill, h, setText } from "./dom.js";
import { keyedList } from "./keyed.js";
import { appearance, switches } from "./set-buttons.js";
import { checkIn, feedback, inOrder, loadSets, titleOf } from "./sets.js";
import { t } from "./words.js";

const kinds = ["multipleChoice", "rating", "shortAnswer", "number"];
const mostChoices = 20;
/** Questions that hosts ask often: the name of each text, its kind, and the names of its choices. */
const templates = [
  ["template_clear", "multipleChoice", ["template_clearYes", "template_clearPartly", "template_clearNo"]],
  ["template_pace", "multipleChoice", ["template_paceSlow", "template_paceRight", "template_paceFast"]],
  ["template_yesNo", "multipleChoice", ["template_yes", "template_no"]],
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
    const asked = inOrder(model).filter((set) => set.open && ![feedback, checkIn].includes(set.set));
    rows.show(model.isHost ? asked.map((set) => [set.set, appearance(model, set), set]) : []);
    dock.hidden = !dock.children.length;
  };
  const stop = model.on(["session", "sets", "tallies"], show);
  show();
  loadSets(model).catch(() => {});
  return {
    button: model.isHost && button,
    end: () => {
      stop();
      fill(dock);
      dock.hidden = true;
    },
  };
}

/** Returns an open poll with its number of answers, and the buttons that end it. */
function running(model, set) {
  const count = h("span", { class: "note" });
  const results = hrefOf("sessions", model.session.id, "results", set.set);
  return {
    element: h(
      "div",
      { class: "running", role: "group", "aria-label": titleOf(set, model) },
      h("p", {}, h("a", { href: results }, titleOf(set, model)), " ", count),
      h("div", { class: "tools" }, switches(model, set)),
    ),
    update: ({ responses }) => setText(count, t("answersCount", { count: responses })),
  };
}

/** Shows the dialog in which the host chooses or writes a poll. */
async function showAsking(model) {
  const prepared = inOrder(model).filter(
    (set) => set.questions && !set.open && !set.responses && ![feedback, checkIn].includes(set.set),
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
            h("span", { class: "name" }, titleOf(set, model)),
            actionButton(t("ask"), () => done(() => change(model, set, { open: true })), {
              "aria-label": `${t("ask")}: ${titleOf(set, model)}`,
              onChanged: () => reloadSets(model),
            }),
          ),
        ),
      ),
      h("h3", {}, t("newQuestion")),
    ],
    newPoll((poll) => done(() => askPoll(model, poll)), () => dialog.close()),
  ]);
  dialog.classList.add("wide");
  dialog.querySelector("#f-ask")?.focus();

  async function done(action) {
    const set = await action();
    dialog.close();
    announce(t("asked", { title: titleOf(set, model) }));
  }
}

/** Returns the form for a new question. `send` receives the poll; the form stays if it fails. */
function newPoll(send, cancel) {
  const title = h("input", { id: "f-ask", maxlength: 200, autocomplete: "off" });
  const kind = h(
    "select",
    { id: "f-ask-kind", onchange: showChoices },
    kinds.map((one) => h("option", { value: one }, t(`add_${one}`))),
  );
  const list = h("div", { class: "choices" });
  const several = h("input", { type: "checkbox" });
  const choices = h(
    "div",
    { class: "field", role: "group", "aria-label": t("q_choices") },
    h("span", { class: "label" }, t("q_choices")),
    list,
    h("button", { type: "button", class: "quiet", onclick: () => addChoice().focus() }, t("addChoice")),
    h("label", { class: "choice" }, several, t("several")),
  );
  const named = h(
    "select",
    { id: "f-ask-named" },
    h("option", { value: "" }, t("askAnonymous")),
    h("option", { value: "named" }, t("askNamed")),
  );
  const shared = h("input", { type: "checkbox" });
  const problem = h("p", { class: "error", role: "alert", id: "f-ask-error", hidden: true });
  const submit = h("button", { type: "submit" }, t("ask"));

  function addChoice(text = "") {
    const number = list.children.length + 1;
    const input = h("input", {
      value: text,
      maxlength: 200,
      autocomplete: "off",
      "aria-label": t("choice", { number }),
      placeholder: t("choice", { number }),
      onkeydown: (event) => {
        // Enter leads to the next choice. Only the button asks.
        if (event.key !== "Enter" || event.isComposing) return;
        event.preventDefault();
        const following = input.nextElementSibling;
        if (following) following.focus();
        else if (input.value.trim() && list.children.length < mostChoices) addChoice().focus();
      },
    });
    list.append(input);
    return input;
  }

  function showChoices() {
    choices.hidden = kind.value !== "multipleChoice";
  }

  function take([text, kindOfText, texts]) {
    title.value = t(text);
    kind.value = kindOfText;
    fill(list);
    for (const name of texts) addChoice(t(name));
    if (!texts.length) for (let number = 0; number < 2; number += 1) addChoice();
    showChoices();
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

  const questionOf = {
    multipleChoice: (labels) => ({
      choices: labels.map((label) => ({ label })),
      minSelections: 1,
      maxSelections: several.checked ? labels.length : 1,
    }),
    rating: () => ({ scale: 5 }),
    shortAnswer: () => ({ maxLength: 500 }),
    number: () => ({ decimals: 0 }),
  };

  async function onSubmit(event) {
    event.preventDefault();
    problem.hidden = true;
    const labels = [...list.children].map((input) => input.value.trim()).filter(Boolean);
    if (!title.value.trim()) return fail(t("questionMissing"), title);
    if (kind.value === "multipleChoice" && labels.length < 2) {
      const empty = [...list.children].find((input) => !input.value.trim());
      return fail(t("choicesMissing"), empty ?? addChoice());
    }
    const question = {
      kind: kind.value,
      title: title.value.trim(),
      required: true,
      ...questionOf[kind.value](labels),
    };
    await attempt(submit, () => send({ question, anonymous: !named.value, shared: shared.checked }));
  }

  addChoice();
  addChoice();
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
    choices,
    h("div", { class: "field" }, h("label", { for: named.id }, t("askPromise")), named),
    h("label", { class: "choice" }, shared, t("askShared")),
    problem,
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", class: "quiet", onclick: cancel }, t("cancel")),
      submit,
    ),
  );
}
