// The scene of a question that people answer while its results are not shared.
import { pager } from "./present-pages.js";
import { captionOf } from "./present-sets.js";
import { textIn } from "./tallies.js";
import { t } from "./words.js";

const language = document.documentElement.lang;

export function scene(box) {
  const [caption, heading, note, list, mark] = ["caption", "h3", "note", "choices", "page"].map((name) =>
    box.querySelector(name === "h3" ? name : `.${name}`),
  );
  const pages = pager(box, mark);

  function show(_room, { item: { id, set, question }, number, count }) {
    caption.textContent = captionOf(set, number, count);
    heading.textContent = textIn(language, question.title, question.titles);
    note.textContent = `${t("answerNow")} ${t("answersSoFar", { count: set.responses })}`;
    const choices = (question.choices ?? []).map(({ label, labels }) => textIn(language, label, labels));
    const key = [id, heading.textContent, ...choices].join("\n");
    if (list.dataset.key !== key) {
      list.dataset.key = key;
      list.replaceChildren(
        ...choices.map((text) => Object.assign(document.createElement("li"), { textContent: text })),
      );
    }
    pages.update(key, [...list.children]);
  }

  return { show, turn: pages.turn, end: pages.end };
}
