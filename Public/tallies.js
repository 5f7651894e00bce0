// Shows the result of a question as rows, and as bars with texts and counts, on a phone, on the host's page
// and on the projector. `Tests/Fixtures/tally-rows.json` contains the rows that these pages and the terminal
// show for each kind of question.

/** Returns a text of a question in the reader's language, or the text without a language. */
export const textIn = (language, text, texts) => texts?.[language] ?? text;

/** Returns a number with at most four decimals, without exponent and grouping. */
const amount = (number) => String(Number(number.toFixed(4)));

/**
 * Returns the visible parts of a tally in `language`. `pending` is the number of answers of its set that are
 * held back.
 * - `title`, the question;
 * - `rows`, from top to bottom: `title`, `count`, and `share`, the count divided by the largest count;
 * - `texts`, the newest of them;
 * - `summary`, its numbers: `answers`, or `hiddenBelow` if the tally is hidden; `average`, `median`,
 *   `lowest`, `highest`, `lowerQuartile` and `upperQuartile` as texts; and `pending`. Those that do not apply
 *   are left out.
 */
export function tallyRows(tally, language, pending = 0) {
  const title = textIn(language, tally.title, tally.titles);
  const summary = pending ? { pending } : {};
  if (tally.hidden) {
    return { title, rows: [], texts: [], summary: { hiddenBelow: tally.hidden.minimum, ...summary } };
  }
  const counts = countsOf(tally, language);
  const most = Math.max(1, ...counts.map(([, count]) => count));
  const rows = counts.map(([title, count]) => ({ title, count, share: count / most }));
  const texts = (tally.latest ?? []).map(({ text }) => text);
  return { title, rows, texts, summary: { answers: tally.answers, ...numbersOf(tally), ...summary } };
}

/** Returns pairs of title and count in the order of the tally. For a rating, the most stars come first. */
function countsOf(tally, language) {
  if (tally.choices) {
    return tally.choices.map((choice) => [textIn(language, choice.label, choice.labels), choice.count]);
  }
  if (tally.words) return tally.words.map(({ word, count }) => [word, count]);
  if (tally.dates) {
    return tally.dates.map(({ from, to, count }) => [from === to ? from : `${from} – ${to}`, count]);
  }
  if (tally.kind === "scale") {
    const labels = new Map((tally.points ?? []).map((point) => [point.point, point]));
    return tally.counts.map((count, index) => {
      const label = labels.get(index + 1);
      return [label ? `${index + 1} ${textIn(language, label.label, label.labels)}` : `${index + 1}`, count];
    });
  }
  if (tally.counts) return tally.counts.map((count, index) => [`${index + 1} ★`, count]).reverse();
  const isWhole = Number.isInteger(tally.min) && Number.isInteger(tally.max);
  // A bin includes `from` and not `to`, so that a bin of width 1 contains a single whole number.
  const titleOf = ({ from, to }) =>
    isWhole && to - from === 1 && Number.isInteger(from) ? amount(from) : `${amount(from)} – ${amount(to)}`;
  return (tally.histogram ?? []).map((bin) => [titleOf(bin), bin.count]);
}

function numbersOf({ answers, average, median, min, max, quartiles, firstDate, lastDate, medianDate }) {
  if (answers && firstDate) return { median: medianDate, lowest: firstDate, highest: lastDate };
  const numbers = {
    average,
    median,
    lowest: min,
    highest: max,
    lowerQuartile: quartiles?.[0],
    upperQuartile: quartiles?.[2],
  };
  const known = Object.entries(numbers).filter(([, number]) => answers && typeof number === "number");
  return Object.fromEntries(known.map(([name, number]) => [name, amount(number)]));
}

/** Returns the summary as one line. `t(name, values)` returns a text of the page. */
export function summaryText({ answers, hiddenBelow, average, median, lowest, highest, pending }, t) {
  const parts = [hiddenBelow ? t("tooFew", { minimum: hiddenBelow }) : t("answersCount", { count: answers })];
  if (average) parts.push(t("average", { value: average }));
  if (median) parts.push(t("median", { value: median }));
  if (lowest) parts.push(t("range", { min: lowest, max: highest }));
  if (pending) parts.push(t("pending", { count: pending }));
  return parts.join(" · ");
}

/** Returns a list of bars for the rows of `tallyRows`. */
export function barList(rows) {
  const list = element("ol", "bars");
  list.append(...rows.map(bar));
  return list;
}

function bar({ title, count, share }) {
  const row = element("li");
  const line = element("span", "bar");
  line.style.setProperty("--share", share);
  line.setAttribute("aria-hidden", "true");
  row.append(element("span", "label", title), " ", element("span", "amount", count), line);
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
