// Draws the words of a word cloud as a picture. The same words with the same counts give the same picture on
// every screen, because the sizes of the letters are estimated and not measured. The picture has its own
// coordinates, and its frame follows from the words, so that no word is ever cut.

/** The most words of a picture; the list beside it has the others. */
const most = 50;
/** The smallest and the largest size of a word, in units of the picture. */
const [smallest, largest] = [10, 44];
/** The width of the frame divided by its height, towards which the words spread. */
const ratio = 1.6;
const namespace = "http://www.w3.org/2000/svg";

/** Narrow and wide letters of the Latin alphabet; other letters below U+1100 have a middle width. */
const [narrow, wide] = [/[iljtfrI1 .,:;'’!|()[\]-]/, /[mwMW@%&—]/];

/** Returns a width in which the word fits in bold letters of the size 1. */
export function widthOf(word) {
  const widthOfLetter = (letter) => {
    if (letter >= "\u1100" || wide.test(letter)) return 1;
    return narrow.test(letter) ? 0.42 : /[A-Z]/.test(letter) ? 0.8 : 0.64;
  };
  return [...word].reduce((sum, letter) => sum + widthOfLetter(letter), 0);
}

/**
 * Places words, each with its `word` and `count`. Returns `words`, the most frequent first, each with its
 * `size`, its centre `x` and `y`, its `width` and `height`, and its `share` of the highest count; and
 * `frame`, the rectangle around all of them. No two words overlap. The order of `given` does not matter.
 */
export function placeWords(given) {
  const sorted = [...given]
    .sort((one, other) => other.count - one.count || (one.word < other.word ? -1 : 1))
    .slice(0, most);
  const highest = sorted[0]?.count ?? 1;
  const placed = [];
  for (const { word, count } of sorted) {
    const share = count / highest;
    // The area of a word follows its count. If all words came once, none stands out.
    const part = highest > 1 ? Math.sqrt(share) : 0.4;
    const size = rounded(smallest + (largest - smallest) * part);
    const box = { word, count, share, size, width: size * (widthOf(word) + 0.3), height: size * 1.2 };
    placed.push({ ...box, ...freePlace(box, placed) });
  }
  const farthest = (reach) => Math.max(0, ...placed.map(reach));
  const left = farthest(({ x, width }) => width / 2 - x);
  const right = farthest(({ x, width }) => width / 2 + x);
  const top = farthest(({ y, height }) => height / 2 - y);
  const bottom = farthest(({ y, height }) => height / 2 + y);
  return { words: placed, frame: { x: -left, y: -top, width: left + right, height: top + bottom } };
}

const rounded = (number) => Math.round(number * 10) / 10;

/** The places on a spiral around the centre, as far as a word has needed them. */
const spiral = [];

function placeAt(step) {
  // The angle grows by a constant length of the way, so that no gap is passed over.
  const angle = 2.4 * Math.sqrt(step);
  return (spiral[step] ??= {
    x: rounded(Math.cos(angle) * angle * ratio),
    y: rounded(Math.sin(angle) * angle),
  });
}

/** Returns the first place on the spiral where the box overlaps no other. */
function freePlace(box, others) {
  // The box that covered a place covers the next one, too, more often than not, so it is tried first.
  let [step, first] = [0, 0];
  for (; ; step += 1) {
    const { x, y } = placeAt(step);
    const covers = (one) =>
      Math.abs(one.x - x) < (one.width + box.width) / 2 &&
      Math.abs(one.y - y) < (one.height + box.height) / 2;
    if (others[first] && covers(others[first])) continue;
    first = others.findIndex(covers);
    if (first < 0) return { x, y };
  }
}

/** Returns an empty picture. It is for the eye only: the words must also be there as a list. */
export function cloudPicture() {
  const picture = document.createElementNS(namespace, "svg");
  picture.setAttribute("class", "cloud");
  picture.setAttribute("aria-hidden", "true");
  picture.setAttribute("preserveAspectRatio", "xMidYMid meet");
  return picture;
}

/**
 * Returns a function that calls `draw` at once, and then at most twice a second with its newest values: in a
 * hall, words arrive twenty times a second, and each can move many others. `stop` drops what waits.
 */
export function paced(draw) {
  let [pause, waiting] = [0, null];
  const run = (...values) => {
    if (pause) return void (waiting = values);
    draw(...values);
    pause = setTimeout(() => {
      const newest = waiting;
      run.stop();
      if (newest) run(...newest);
    }, 500);
  };
  run.stop = () => {
    clearTimeout(pause);
    [pause, waiting] = [0, null];
  };
  return run;
}

/** Draws words into a picture. A word that stays is the same element, so that it can glide to its place. */
export function drawCloud(picture, given) {
  const key = given.map(({ word, count }) => `${count} ${word}`).join("\n");
  if (keys.get(picture) === key) return;
  keys.set(picture, key);
  const { words, frame } = placeWords(given);
  picture.setAttribute("viewBox", `${frame.x} ${frame.y} ${frame.width || 1} ${frame.height || 1}`);
  const known = new Map([...picture.children].map((text) => [text.textContent, text]));
  const all = words.map(({ word, size, x, y, share }) => {
    const text = known.get(word) ?? newWord(word);
    const place = `translate(${x}px, ${y}px)`;
    if (text.style.transform !== place) text.style.transform = place;
    text.classList.toggle("strong", share >= 0.66);
    text.classList.toggle("soft", share < 0.33);
    return text;
  });
  if (all.some((text, index) => picture.children[index] !== text)) picture.replaceChildren(...all);
  // A word whose letters are wider than estimated becomes narrower, and never longer than its place. Only a
  // new size is measured, because the browser must lay out the picture for it.
  const resized = words.flatMap(({ size, width }, index) => {
    const text = all[index];
    if (text.dataset.size === `${size}`) return [];
    text.dataset.size = size;
    text.style.fontSize = `${size}px`;
    text.removeAttribute("textLength");
    return [{ text, width }];
  });
  const lengths = resized.map(({ text }) => text.getComputedTextLength());
  for (const [index, { text, width }] of resized.entries())
    if (lengths[index] > width) text.setAttribute("textLength", width);
}

/** The words that each picture shows. */
const keys = new WeakMap();

function newWord(word) {
  const text = document.createElementNS(namespace, "text");
  text.textContent = word;
  text.setAttribute("text-anchor", "middle");
  text.setAttribute("dominant-baseline", "central");
  text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  return text;
}
