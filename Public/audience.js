// Keeps the questions from the audience as the frames of a room change them, and draws them as a list. It
// depends on no page, so that the phone, the host's page and the hall's screen share it.

/** The board before the first frame. */
export const emptyBoard = { open: false, promise: "hidden", moderation: "after", shown: 0, questions: [] };

/**
 * Returns the board after a frame's part `audienceQuestions`. `pending` and `hidden` are counts that only
 * members get. `questions` are in the order of the API's lists.
 */
export function boardAfter(board, part) {
  const known = new Map((part.complete ? [] : board.questions).map((question) => [question.id, question]));
  for (const question of part.items) known.set(question.id, question);
  for (const { id, votes } of part.votes) {
    if (known.has(id)) known.set(id, { ...known.get(id), votes });
  }
  for (const id of part.removed) known.delete(id);
  const { open, promise, moderation, shown, pending, hidden } = part;
  const counts = pending === undefined ? {} : { pending, hidden };
  return { open, promise, moderation, shown, ...counts, questions: [...known.values()].sort(byRank) };
}

/** Pinned questions come first, then the most votes, then the oldest. */
function byRank(one, other) {
  const text = (question) => `${question.at} ${question.id}`;
  return (
    Number(other.pinned) - Number(one.pinned) ||
    other.votes - one.votes ||
    (text(one) < text(other) ? -1 : 1)
  );
}

/**
 * Returns the questions as an ordered list. `words` has the page's texts: `votes(count)`, `pinned`, and
 * `pending`, `answered` and `hidden` for statuses.
 */
export function questionList(questions, words) {
  const list = element("ol", "audience-questions");
  list.append(...questions.map((question) => questionItem(question, words)));
  return list;
}

/** Returns the list's item for a question. */
export function questionItem({ id, text, votes, status, pinned, answer, name }, words) {
  const item = element("li", status);
  item.dataset.question = id;
  const about = [words.votes(votes), name, pinned && words.pinned, words[status]].filter(Boolean);
  item.append(element("p", "question", text), element("p", "note", about.join(" · ")));
  if (answer) item.append(element("p", "answer", answer));
  return item;
}

function element(name, className, textContent = "") {
  return Object.assign(document.createElement(name), { className, textContent });
}
