// Shows the result of a question as rows, and as bars with texts and counts, on a phone, on the host's page
// and on the projector. `Tests/Fixtures/tally-rows.json` contains the rows that these pages and the terminal
// show for each kind of question.
import { amount, amounts, kindOf, percentage } from "./kinds.js";
import { textIn } from "./phrase.js";

export { textIn } from "./phrase.js";

export const feedback = "feedback";

/** Compares sets by their places: feedback is first. A set that has not arrived yet has only its name. */
export const byPlace = (one, other) =>
  Number(other.set === feedback) - Number(one.set === feedback) ||
  (one.position ?? 0) - (other.position ?? 0) ||
  Number(one.set > other.set) - Number(one.set < other.set);

/** Returns the tallies in the order of their sets and questions. `sets` is a map of sets by their names. */
export const inOrderOfSets = (tallies, sets) => {
  const setOf = ({ set }) => sets.get(set) ?? { set };
  return [...tallies].sort(
    (one, other) => byPlace(setOf(one), setOf(other)) || one.number - other.number,
  );
};

/**
 * Returns the visible parts of a tally in `language`. `pending` is the number of answers of its set that are
 * held back.
 * - `title`, the question;
 * - `rows`, from top to bottom: `title`, `count`, `share`, the part of the people who answered, and
 *   `percent`, the share in whole percent as text; or for a ranking `title`, `count`, `points` and `share`,
 *   the part of the most points;
 * - `texts`, the newest of them;
 * - `summary`, its numbers: `answers`, or `hiddenBelow` if the tally is hidden; `average`, `median`,
 *   `deviation` (the standard deviation), `mostPoints` (of a ranking), `mode` (the most frequent stars,
 *   points, numbers or days), `lowest`, `highest`, `lowerQuartile` and `upperQuartile` as texts; and
 *   `pending`. Those that do not apply are left out.
 */
export function tallyRows(tally, language, pending = 0) {
  const say = (text, texts) => textIn(language, text, texts);
  const title = say(tally.title, tally.titles);
  const summary = pending ? { pending } : {};
  if (tally.hidden) {
    return { title, rows: [], texts: [], summary: { hiddenBelow: tally.hidden.minimum, ...summary } };
  }
  const { answers } = tally;
  const rows = kindOf(tally).rows(tally, say, language).map(([title, count, points], _, { length }) =>
    points === undefined
      ? { title, count, share: answers ? count / answers : 0, percent: percentOf(count, answers, language) }
      : { title, count, points: amount(points, language), share: points / length },
  );
  if (rows[0]?.points) summary.mostPoints = rows.length;
  const texts = (tally.latest ?? []).map(({ text }) => text);
  return { title, rows, texts, summary: { answers, ...numbersOf(tally, language), ...summary } };
}

/** Returns whole percent: 0% only for nobody, 100% only for everybody. 1 of 432 is <1%, 299 of 300 >99%. */
function percentOf(count, answers, language) {
  if (!count || !answers) return percentage(0, language);
  if (count >= answers) return percentage(100, language);
  const rounded = Math.round((100 * count) / answers);
  return percentage({ 0: "<1", 100: ">99" }[rounded] ?? rounded, language);
}

function numbersOf(tally, language) {
  const { answers, average, median, min, max, quartiles } = tally;
  const { firstDate, lastDate, medianDate, standardDeviation } = tally;
  // An order by count shows which of them are the most frequent.
  const mode = tally.mode && !kindOf(tally).isByCount ? { mode: amounts(tally.mode, language) } : {};
  if (answers && firstDate) return { median: medianDate, ...mode, lowest: firstDate, highest: lastDate };
  const numbers = {
    average,
    median,
    deviation: standardDeviation,
    lowest: min,
    highest: max,
    lowerQuartile: quartiles?.[0],
    upperQuartile: quartiles?.[2],
  };
  const known = Object.entries(numbers).filter(([, number]) => answers && typeof number === "number");
  return { ...Object.fromEntries(known.map(([name, number]) => [name, amount(number, language)])), ...mode };
}

/** Returns the summary as one line. `t(name, values)` returns a text of the page. */
export function summaryText(summary, t) {
  const { answers, hiddenBelow, average, mostPoints, median, lowest, highest, pending } = summary;
  const parts = [hiddenBelow ? t("tooFew", { minimum: hiddenBelow }) : t("answersCount", { count: answers })];
  if (average) parts.push(t("average", { value: average }));
  if (mostPoints) parts.push(t("rankedPoints", { most: mostPoints }));
  if (median) parts.push(t("median", { value: median }));
  if (lowest) parts.push(t("range", { min: lowest, max: highest }));
  if (pending) parts.push(t("pending", { count: pending }));
  return parts.join(" · ");
}

/**
 * Returns a list of bars for the rows of `tallyRows`. If `list` is given, the function changes that list, and
 * rows with the same title stay the same elements, so that their bars can grow and move.
 */
export function barList(rows, list = element("ol", "bars")) {
  const known = new Map([...list.children].map((row) => [row.firstChild.textContent, row]));
  const all = rows.map((row) => {
    const one = known.get(row.title) ?? emptyBar(row.title);
    known.delete(row.title);
    const [figure, percent, line] = [".amount", ".percent", ".bar"].map((css) => one.querySelector(css));
    figure.textContent = row.points ?? row.count;
    percent.textContent = row.points ? "" : row.percent;
    one.classList.toggle("ranked", row.points !== undefined);
    line.style.setProperty("--share", row.share);
    return one;
  });
  if (all.some((row, index) => list.children[index] !== row)) list.replaceChildren(...all);
  else for (const row of known.values()) row.remove();
  return list;
}

function emptyBar(title) {
  const row = element("li");
  const line = element("span", "bar");
  line.setAttribute("aria-hidden", "true");
  row.append(element("span", "label", title), " ", element("span", "amount"), " ");
  row.append(element("span", "percent"), line);
  return row;
}

/** Returns a list of texts. */
export function textList(texts) {
  const list = element("ul", "texts");
  list.append(...texts.map((text) => element("li", "", text)));
  return list;
}

/**
 * Draws a tally into the element `box` and replaces its children. `set` is the question set of the tally,
 * and `text` returns the phrases.
 */
export function drawTally(box, tally, set, t) {
  const { title, rows, texts, summary } = tallyRows(tally, document.documentElement.lang, set?.pending);
  box.replaceChildren(element("h3", "", title), element("p", "note", summaryText(summary, t)));
  if (rows.length) box.append(barList(rows));
  if (texts.length) box.append(textList(texts));
}

function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}
