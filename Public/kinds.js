// The kinds of questions on phones, on the projector and in the host's results: the only table of these
// scripts. The host's editor has another in host/question-kinds.js. A test names each kind that a table
// lacks.

/** Whether people write a comma before decimals in this language, as `Language` of Swift says (CLDR). */
const hasDecimalComma = (language) => ["de", "es", "fr"].includes(language);

/** Returns a number, which is a text with a point, with the decimal sign of the language. */
const numberIn = (language, text) => (hasDecimalComma(language) ? text.replace(".", ",") : text);

/** Returns a number with at most four decimals, without exponent and grouping. */
export const amount = (number, language) => numberIn(language, String(Number(number.toFixed(4))));

/** Returns a list of numbers, which are texts. A semicolon separates numbers that may contain a comma. */
export const amounts = (texts, language) =>
  texts.map((text) => numberIn(language, text)).join(hasDecimalComma(language) ? "; " : ", ");

/** Returns a percentage. Before its sign, German and Spanish have a space, and French a narrow one (CLDR). */
export const percentage = (number, language) =>
  `${number}${{ de: "\u00a0", es: "\u00a0", fr: "\u202f" }[language] ?? ""}%`;

const choiceRows = ({ choices = [] }, say) =>
  choices.map(({ label, labels, count }) => [say(label, labels), count]);
const isOwnChoice = ({ choices = [] }, values, row) => values.includes(choices[row]?.id);
const isOwnStep = (tally, values, row) => row + 1 === Number(values[0]);

/**
 * What the scripts know of each kind:
 * - `rows(tally, say, language)` returns title and count of each row, and for a ranking the average points.
 *   `say(text, texts)` returns a text in the reader's language;
 * - `isOwn(tally, values, row)` returns whether a row is the attendee's own answer. For words, `values` are
 *   their keys;
 * - `isByCount`: whether the rows begin with the highest count, which shows the most frequent ones;
 * - `isTextAlone`: whether each answer is a text;
 * - `hasCloud`: whether the host's page draws the words as a picture;
 * - `unit`: the sign after a number.
 */
export const kinds = {
  multipleChoice: {
    rows: choiceRows,
    isOwn: isOwnChoice,
    isByCount: true,
    isTextAlone: false,
    hasCloud: false,
    unit: "",
  },
  shortAnswer: {
    rows: () => [],
    isOwn: () => false,
    isByCount: false,
    isTextAlone: true,
    hasCloud: false,
    unit: "",
  },
  rating: {
    rows: ({ counts = [] }) => counts.map((count, index) => [`${index + 1} ★`, count]),
    isOwn: isOwnStep,
    isByCount: false,
    isTextAlone: false,
    hasCloud: false,
    unit: " ★",
  },
  number: {
    rows: bins,
    isOwn: ({ histogram = [] }, values, row) => {
      const [bin, number] = [histogram[row], Number(values[0])];
      return bin && bin.from <= number && (number < bin.to || row === histogram.length - 1);
    },
    isByCount: false,
    isTextAlone: false,
    hasCloud: false,
    unit: "",
  },
  wordCloud: {
    rows: ({ words = [] }) => words.map(({ word, count }) => [word, count]),
    isOwn: ({ words = [] }, values, row) => values.includes(words[row]?.word),
    isByCount: true,
    isTextAlone: false,
    hasCloud: true,
    unit: "",
  },
  scale: {
    rows: labelledPoints,
    isOwn: isOwnStep,
    isByCount: false,
    isTextAlone: false,
    hasCloud: false,
    unit: "",
  },
  yesNo: {
    rows: choiceRows,
    isOwn: isOwnChoice,
    isByCount: true,
    isTextAlone: false,
    hasCloud: false,
    unit: "",
  },
  date: {
    rows: ({ dates = [] }) =>
      dates.map(({ from, to, count }) => [from === to ? from : `${from} – ${to}`, count]),
    isOwn: ({ dates = [] }, [day], row) => dates[row]?.from <= day && day <= dates[row]?.to,
    isByCount: false,
    isTextAlone: false,
    hasCloud: false,
    unit: "",
  },
  ranking: {
    rows: ({ choices = [] }, say) =>
      choices.map(({ label, labels, count, points }) => [say(label, labels), count, points]),
    isOwn: () => false,
    isByCount: true,
    isTextAlone: false,
    hasCloud: false,
    unit: "",
  },
};

/** A kind of a server that is newer than this page: its title and its number of answers are shown. */
const unknown = { rows: () => [], isOwn: () => false, unit: "" };

/** Returns what the scripts know of the kind of a question or of its tally. */
export const kindOf = ({ kind }) => kinds[kind] ?? unknown;

function bins({ histogram = [], decimals }, say, language) {
  // A bin does not include `to`. Its title ends with the largest number that the bin can hold.
  const unit = decimals === undefined ? 0 : 10 ** -decimals;
  return histogram.map(({ from, to, count }) => {
    const [first, last] = [amount(from, language), amount(to - unit, language)];
    return [first === last ? first : `${first} – ${last}`, count];
  });
}

function labelledPoints({ counts = [], points = [] }, say) {
  const labels = new Map(points.map((point) => [point.point, point]));
  return counts.map((count, index) => {
    const label = labels.get(index + 1);
    return [label ? `${index + 1} ${say(label.label, label.labels)}` : `${index + 1}`, count];
  });
}
