// The scene of the questions from the audience: each with its votes, its marks and the written answer.
import { pager } from "./present-pages.js";
import { t } from "./words.js";

export function scene(box) {
  const [note, list, mark] = [".note", ".questions", ".page"].map((css) => box.querySelector(css));
  const pages = pager(box, mark);
  const items = new Map();

  function show({ board }) {
    const { open, shown, questions } = board;
    // A room has the first questions only. The line says how many there are.
    const about = [questions.length ? t("audienceShown", { count: shown }) : t("audienceNone")];
    about.push(t(open ? "audienceOpen" : "audienceClosed"));
    note.textContent = about.join(" · ");
    for (const id of [...items.keys()]) if (!questions.some((one) => one.id === id)) items.delete(id);
    const rows = questions.map(draw);
    if (rows.length !== list.children.length || rows.some((row, index) => row !== list.children[index]))
      list.replaceChildren(...rows);
    // A further digit of a count takes room from the text, so the rows are fitted again.
    const digits = Math.max(1, ...questions.map(({ votes }) => `${votes}`.length));
    const texts = rows.map((row) => row.lastChild.textContent);
    pages.update(["audience", digits, note.textContent, ...texts].join("\n"), rows);
  }

  /** Draws a question into its item, which stays the same element. */
  function draw({ id, text, votes, status, pinned, answer }) {
    const item = items.get(id) ?? document.createElement("li");
    items.set(id, item);
    const marks = [pinned && t("audiencePinned"), status === "answered" && t("audienceAnswered")];
    const key = JSON.stringify([text, votes, ...marks, answer]);
    if (item.dataset.key === key) return item;
    item.dataset.key = key;
    item.className = [status, pinned && "pinned"].filter(Boolean).join(" ");
    const count = part("span", "votes");
    count.append(part("strong", "", votes), part("span", "unit", t("audienceVotes", { count: votes })));
    const body = part("div", "body");
    body.append(part("p", "question", text));
    if (answer) body.append(part("p", "answer", answer));
    const words = marks.filter(Boolean).map((name) => part("span", "mark", name));
    if (words.length) body.append(part("p", "marks"));
    body.lastChild.append(...words);
    item.replaceChildren(count, body);
    return item;
  }

  return { show, turn: pages.turn, end: pages.end };
}

function part(tag, className, textContent = "") {
  return Object.assign(document.createElement(tag), { className, textContent });
}
