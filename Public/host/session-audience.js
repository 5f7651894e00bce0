// Questions from the audience: one button and one key for each action. The questions move with their votes,
// but the one that has the focus keeps it. All changes can be undone in the journal.
import { call, get } from "./api.js";
import { chooseRoot, editHeldWords, writeAnswer } from "./audience-dialogs.js";
import { announce, fill, h, isKey, setText } from "./dom.js";
import { questionItem } from "/audience.js";
import { textModeration } from "./session-texts.js";
import { loadSets } from "./sets.js";
import { t } from "./words.js";

/** For each action: the key, the change or the dialog, and whether a question allows it. */
const actions = {
  show: { key: "s", change: { status: "visible" }, fits: ({ status }) => status !== "visible" },
  answered: { key: "a", change: { status: "answered" }, fits: ({ status }) => status === "visible" },
  hide: { key: "h", change: { status: "hidden" }, fits: ({ status }) => status !== "hidden" },
  pin: { key: "p", change: { pinned: true }, fits: ({ pinned }) => !pinned },
  unpin: { key: "p", change: { pinned: false }, fits: ({ pinned }) => pinned },
  answer: { key: "w", dialog: writeAnswer, fits: ({ status }) => status !== "hidden" },
  merge: { key: "m", dialog: chooseRoot, fits: (_, others) => others.length > 0 },
};

const words = {
  votes: (count) => t("votes", { count }),
  pinned: t("pinned"),
  pending: t("question_pending"),
  answered: t("question_answered"),
  hidden: t("question_hidden"),
};

export async function tab(model) {
  const path = `/api/v1/sessions/${model.session.id}`;
  await loadSets(model);
  const settings = await get(`${path}/audience-settings`);
  const switches = h("div", { class: "tools" });
  const summary = h("p", { class: "summary", role: "status" });
  const list = h("ol", { class: "audience-questions" });
  const items = new Map();

  async function edit(change) {
    Object.assign(settings, await call("PATCH", `${path}/audience-settings`, { body: change, etag: "*" }));
    showSwitches();
    show();
  }

  function showSwitches() {
    const { open, promise, moderation } = settings;
    const button = (name, act) =>
      h("button", { key: name, type: "button", class: "quiet", onclick: () => run(act) }, t(name));
    const change = (name, changes) => button(name, () => edit(changes));
    fill(
      switches,
      model.isHost && [
        open ? change("closeQuestions", { open: false }) : change("openQuestions", { open: true }),
        promise === "hidden"
          ? change("askWithNames", { promise: "named" })
          : change("askWithoutNames", { promise: "hidden" }),
        moderation === "after"
          ? change("checkFirst", { moderation: "before" })
          : change("showAtOnce", { moderation: "after" }),
      ],
      model.isHost && button("heldWords", () => editHeldWords(model.meeting.id)),
      ["csv", "json"].map((kind) =>
        h(
          "a",
          {
            key: kind,
            class: "button quiet",
            href: `${path}/audience-questions.${kind}${kind === "csv" ? "?bom=true" : ""}`,
            download: true,
          },
          t(kind === "csv" ? "exportCSV" : "exportJSON"),
        ),
      ),
      h("p", { class: "note" }, t(promise === "named" ? "namesAreSeen" : "namesAreHidden")),
    );
  }

  const run = (body) => body().catch((error) => announce(error.message));

  const othersThan = (question) => model.board.questions.filter(({ id }) => id !== question.id);

  /** Acts on the question as it is now. A button may be older. */
  async function act({ id }, { change, dialog }) {
    const question = model.board.questions.find((one) => one.id === id);
    if (!question) return announce(t("questionGone"));
    if (dialog) return dialog(path, question, othersThan(question));
    const etag = `"v${question.version}"`;
    await call("PATCH", `${path}/audience-questions/${question.id}`, { body: change, etag });
  }

  /** Returns the actions that this question allows now. */
  const fitting = (question) =>
    Object.entries(actions).filter(([, { fits }]) => fits(question, othersThan(question)));

  function onKey(event, id) {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const question = model.board.questions.find((one) => one.id === id);
    const found = question && fitting(question).find(([, { key }]) => isKey(event, key));
    if (!found || !model.isHost) return;
    event.preventDefault();
    run(() => act(question, found[1]));
  }

  /** Draws a question into its item, which stays the same element while its content changes. */
  function draw(question) {
    const known = items.get(question.id);
    const isAlone = !othersThan(question).length;
    if (known?.question === question && known.isAlone === isAlone) return known.item;
    const item =
      known?.item ?? h("li", { tabindex: "0", onkeydown: (event) => onKey(event, question.id) });
    item.className = question.status;
    fill(
      item,
      [...questionItem(question, words).children],
      model.isHost &&
        h(
          "div",
          { key: "tools", class: "tools" },
          fitting(question).map(([name, action]) =>
            h(
              "button",
              {
                key: name,
                type: "button",
                class: "quiet",
                "aria-label": `${t(`question_${name}`)}: ${question.text}`,
                onclick: () => run(() => act(question, action)),
              },
              `${t(`question_${name}`)} (${action.key})`,
            ),
          ),
        ),
    );
    items.set(question.id, { item, question, isAlone });
    return item;
  }

  function show() {
    const { questions, shown, pending = 0, hidden = 0 } = model.board;
    const ids = new Set(questions.map(({ id }) => id));
    for (const id of [...items.keys()]) if (!ids.has(id)) items.delete(id);
    fill(list, questions.map(draw));
    const none = settings.open ? "nobodyAsked" : "nobodyMayAsk";
    setText(summary, questions.length ? t("questionCounts", { shown, pending, hidden }) : t(none));
  }

  showSwitches();
  show();
  const stop = model.on(["board"], () => {
    const { open, promise, moderation } = model.board;
    Object.assign(settings, { open, promise, moderation });
    showSwitches();
    show();
  });
  const texts = textModeration(model);
  return {
    content: [switches, summary, list, texts.element],
    end: () => {
      stop();
      texts.end();
    },
  };
}
