// The texts that attendees wrote as answers, with pending ones first. One button or one key shows or hides
// each. They follow the room; all changes can be undone in the journal.
import { call } from "./api.js";
import { announce, fill, h, isKey, setText } from "./dom.js";
import { keyedList } from "./keyed.js";
import { titleOf } from "./sets.js";
import { textIn } from "/phrase.js";
import { language, t } from "./words.js";

const order = ["pending", "visible", "hidden"];
const modes = ["none", "after", "before"];
/** For each action: the key, the new status, and the statuses that allow it. */
const actions = {
  show: { key: "s", status: "visible", from: ["pending", "hidden"] },
  hide: { key: "h", status: "hidden", from: ["pending", "visible"] },
};

const run = (body) => body().catch((error) => announce(error.message));

/** Returns the section with all questions that take texts. It is hidden if there are none. */
export function textModeration(model) {
  const list = h("div", {});
  const element = h("section", { class: "texts-moderation" }, h("h2", {}, t("textsOfAnswers")), list);
  const sections = keyedList(list, (item) => section(model, item));

  function show() {
    const items = [...model.texts.values()].filter(({ questionId }) => model.tallies.has(questionId));
    element.hidden = !items.length;
    sections.show(items.map((item) => [item.questionId, item]));
  }

  show();
  const stop = model.on(["texts", "tallies"], show);
  return { element, end: stop };
}

function section(model, { questionId, set }) {
  const heading = h("h3", {});
  const note = h("p", { class: "note", role: "status" });
  const mode = h("div", { class: "tools" });
  const list = h("ol", { class: "audience-questions" });
  const element = h("section", {}, heading, mode, note, list);
  const rows = keyedList(list, (text) => row(model, questionId, text));

  function update({ texts, moderation }) {
    const tally = model.tallies.get(questionId);
    const about = model.sets.get(set);
    const title = textIn(language, tally.title, tally.titles);
    setText(heading, about ? `${titleOf(about)} · ${title}` : title);
    const count = (status) => texts.filter((one) => one.status === status).length;
    const [pending, shown, hidden] = order.map(count);
    setText(note, texts.length ? t("textCounts", { pending, shown, hidden }) : t("noTexts"));
    fill(mode, model.isHost && modes.map((name) => modeButton(model, set, name, name === moderation)));
    const sorted = order.flatMap((status) => texts.filter((one) => one.status === status));
    // Words have counts, and the most frequent ones come first.
    const ranked = order.flatMap((status) =>
      sorted.filter((one) => one.status === status).sort((a, b) => (b.count ?? 0) - (a.count ?? 0)),
    );
    rows.show(ranked.map((one) => [one.id, one]));
  }

  return { element, update };
}

/** Returns the button for one mode of moderation. The button of the current mode is pressed. */
const modeButton = (model, set, name, isPressed) =>
  h(
    "button",
    {
      key: name,
      type: "button",
      class: "quiet",
      "aria-pressed": String(isPressed),
      onclick: () =>
        run(() =>
          call("PATCH", `/api/v1/sessions/${model.session.id}/sets/${encodeURIComponent(set)}/moderation`, {
            body: { moderation: name },
            etag: "*",
          }),
        ),
    },
    t(`texts_${name}`),
  );

function row(model, questionId, { id, text }) {
  let fitting = [];
  const change = (wanted) =>
    run(() =>
      call("PATCH", `/api/v1/questions/${questionId}/answers/${id}`, { body: { status: wanted }, etag: "*" }),
    );
  const onKey = (event) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const found = fitting.find(([, { key }]) => isKey(event, key));
    if (!found) return;
    event.preventDefault();
    change(found[1].status);
  };
  const number = h("b", { class: "count" });
  const note = h("p", { class: "note" });
  const tools = h("div", { class: "tools" });
  const element = h(
    "li",
    model.isHost ? { tabindex: "0", onkeydown: onKey } : {},
    h("p", { class: "question" }, text, " ", number),
    note,
    model.isHost && tools,
  );

  function update({ status, count }) {
    fitting = Object.entries(actions).filter(([, { from }]) => from.includes(status));
    element.className = status;
    setText(number, count ? t("wordPeople", { count }) : "");
    note.hidden = status === "visible";
    setText(note, note.hidden ? "" : t(`question_${status}`));
    if (model.isHost) fill(tools, fitting.map(button));
  }

  const button = ([name, { key, status }]) =>
    h(
      "button",
      {
        key: name,
        type: "button",
        class: "quiet",
        "aria-label": `${t(`question_${name}`)}: ${text}`,
        onclick: () => change(status),
      },
      `${t(`question_${name}`)} (${key})`,
    );
  return { element, update };
}
