// Dialogs for questions from the audience: write an answer, merge a question that was asked twice, and edit
// the meeting's list of words that hold texts back.
import { call, get, post, tagOf } from "./api.js";
import { open } from "./dialog.js";
import { announce, h } from "./dom.js";
import { field, form } from "./fields.js";
import { t } from "./words.js";

const most = { answer: 1000, words: 200 };

/** Shows a dialog with a form that closes the dialog when it was sent. */
function show(title, fields, { button, send, intro }) {
  const dialog = open(title, [
    intro && h("p", {}, intro),
    form({
      fields,
      button,
      cancel: () => dialog.close(),
      send: async (values) => {
        await send(values);
        dialog.close();
      },
    }).element,
  ]);
  dialog.classList.add("wide");
  fields[0].input.focus();
}

/** Lets the host write the answer that everybody sees below the question. An empty text deletes it. */
export function writeAnswer(path, question) {
  const text = field("answer", t("question_answer"), {
    as: "textarea",
    rows: 4,
    maxlength: most.answer,
    value: question.answer ?? "",
    hint: t("answerHint"),
  });
  show(t("question_answer"), [text], {
    intro: question.text,
    button: t("save"),
    send: ({ answer }) =>
      call("PATCH", `${path}/audience-questions/${question.id}`, { body: { answer }, etag: tagOf(question) }),
  });
}

/** Lets the host choose the question that absorbs this one with its votes. */
export function chooseRoot(path, question, others) {
  const into = field("into", t("question_mergeInto"), {
    as: "select",
    options: others.map(({ id, text }) => [id, text]),
    hint: t("question_mergeHint"),
  });
  show(t("question_merge"), [into], {
    intro: question.text,
    button: t("question_merge"),
    send: (body) => post(`${path}/audience-questions/${question.id}/merge`, body),
  });
}

/** Shows the meeting's list of words, one in each line. */
export async function editHeldWords(meeting) {
  const path = `/api/v1/meetings/${meeting}/held-words`;
  const known = await get(path);
  const words = field("words", t("heldWords"), {
    as: "textarea",
    rows: 8,
    value: known.words.join("\n"),
    hint: t("heldWordsHint", { count: most.words }),
  });
  show(t("heldWords"), [words], {
    button: t("save"),
    send: async (values) => {
      const list = values.words.split("\n").map((word) => word.trim());
      await call("PUT", path, { body: { words: list.filter(Boolean) }, etag: tagOf(known) });
      announce(t("saved"));
    },
  });
}
