// The scene of a question that people answer while its results are not shared.
import { kindOf } from "./kinds.js";
import { pager } from "./present-pages.js";
import { captionOf } from "./present-sets.js";
import { textIn } from "./phrase.js";
import { t } from "./words.js";

const language = document.documentElement.lang;
/** The most characters of a point that stands in a row with the others. */
const longestInRow = 24;

export function scene(box) {
  const [caption, heading, note, list, mark] = ["caption", "h3", "note", "choices", "page"].map((name) =>
    box.querySelector(name === "h3" ? name : `.${name}`),
  );
  const pages = pager(box, mark);

  function show(_room, { item: { id, set, question }, number, count }) {
    caption.textContent = captionOf(set, number, count);
    heading.textContent = textIn(language, question.title, question.titles);
    const words = question.maxWords && t("sendWords", { count: question.maxWords });
    const lines = [t("answerNow"), words, t("answersSoFar", { count: set.responses })];
    note.textContent = lines.filter(Boolean).join(" ");
    const choices = choicesOf(question);
    const isRow = !question.choices && choices.every((text) => text.length <= longestInRow);
    const key = [id, heading.textContent, isRow, ...choices].join("\n");
    if (list.dataset.key !== key) {
      list.dataset.key = key;
      list.classList.toggle("row", isRow);
      list.replaceChildren(
        ...choices.map((text) => Object.assign(document.createElement("li"), { textContent: text })),
      );
    }
    pages.update(key, isRow ? [] : [...list.children]);
  }

  /** Returns what people can choose: choices, or the points of a scale with their labels. */
  function choicesOf(question) {
    const { choices, scale, points = [] } = question;
    const { unit } = kindOf(question);
    if (choices) return choices.map(({ label, labels }) => textIn(language, label, labels));
    return Array.from({ length: scale ?? 0 }, (_, index) => {
      const named = points.find(({ point }) => point === index + 1);
      return `${index + 1}${unit}${named ? ` ${textIn(language, named.label, named.labels)}` : ""}`;
    });
  }

  return { show, turn: pages.turn, end: pages.end };
}
