// The scene of one question's results. Without results, it explains the reason and what to do.
import { cloudPicture, drawCloud, paced } from "./cloud.js";
import { kindOf } from "./kinds.js";
import { barList, summaryText, tallyRows, textList } from "./tallies.js";
import { pager } from "./present-pages.js";
import { captionOf, titleOf, toShare } from "./present-sets.js";
import { t } from "./words.js";

const language = document.documentElement.lang;

/** `mayShare` is true if a member is signed in at the screen. The member can share results here. */
export function scene(box, { mayShare }) {
  const [caption, tally, mark] = ["caption", "tally", "page"].map((id) => document.getElementById(id));
  const heading = document.createElement("h3");
  const note = Object.assign(document.createElement("p"), { className: "note" });
  const bars = barList([]);
  let texts = textList([]);
  // The note has the average too, so the large figure is only for the eye.
  const figure = Object.assign(document.createElement("p"), { className: "figure", ariaHidden: true });
  // The words of a word cloud are also rows, for those who do not see the picture.
  const cloud = cloudPicture();
  tally.append(figure, heading, note, cloud, bars, texts);
  const pages = pager(box, mark);
  const mayMove = matchMedia("(prefers-reduced-motion: no-preference)");

  const drawSoon = paced(draw);
  /** The item whose word cloud is shown; null without one. */
  let clouded = null;

  /** Draws the results: those of a word cloud in its pace, because each answer can move all its words. */
  function show(room, what) {
    const id = what.item?.tally.words ? what.item.id : null;
    if (id !== clouded) drawSoon.stop();
    clouded = id;
    if (id) drawSoon(room, what);
    else draw(room, what);
  }

  function draw(room, { item, number, count }) {
    if (!item) return explain(room);
    const shown = tallyRows(item.tally, language, item.set.pending);
    caption.textContent = captionOf(item.set, number, count);
    heading.textContent = shown.title;
    note.textContent = summaryText(shown.summary, t);
    const { average } = shown.summary;
    figure.textContent = average ? `${average}${kindOf(item.tally).unit}` : "";
    drawWords(item.tally.words ?? []);
    moved(() => barList(shown.rows, bars));
    bars.hidden = !shown.rows.length;
    showTexts(shown.texts);
    const lines = [...shown.rows.map(({ title }) => title), ...shown.texts];
    pages.update(`${item.id}\n${[shown.title, ...lines].join("\n")}`, [...bars.children, ...texts.children]);
  }

  function drawWords(words) {
    tally.classList.toggle("has-cloud", words.length > 0);
    drawCloud(cloud, words);
  }

  function showTexts(all) {
    const now = [...texts.children].map((row) => row.textContent);
    if (now.length === all.length && now.every((text, index) => text === all[index])) return;
    const next = textList(all);
    texts.replaceWith(next);
    texts = next;
  }

  /** Lets each row glide to its new place after `change` has sorted the rows. */
  function moved(change) {
    const before = new Map([...bars.children].map((row) => [row, row.offsetTop]));
    change();
    if (!mayMove.matches) return;
    for (const row of bars.children) {
      const by = (before.get(row) ?? row.offsetTop) - row.offsetTop;
      if (by) row.animate([{ transform: `translateY(${by}px)` }, {}], { duration: 400, easing: "ease-out" });
    }
  }

  function explain({ sets }) {
    const set = toShare(sets);
    caption.textContent = set ? titleOf(set) : "";
    heading.textContent = t(set ? "noResults" : "noQuestions");
    const lines = set ? [t("answersSoFar", { count: set.responses })] : [];
    if (set && mayShare) lines.push(t("shareHere", { title: titleOf(set) }));
    note.textContent = lines.join(" ");
    figure.textContent = "";
    drawWords([]);
    barList([], bars);
    showTexts([]);
    pages.update(heading.textContent, []);
  }

  function end() {
    drawSoon.stop();
    pages.end();
  }

  return { show, turn: pages.turn, end };
}
