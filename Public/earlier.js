// The lines of the section "Earlier" on an attendee's own page: one for each set that the attendee has
// answered or that is closed. A line keeps its identity while frames redraw it.
import { stored } from "./device.js";
import { t } from "./words.js";
import { kindOf } from "./kinds.js";
import { drawTally, tallyRows } from "./tallies.js";
import { forgetDraft, formOf, keptText, made, saidKey, sentValues, storedTexts } from "./feedback.js";

export const lineOf = (name) => document.querySelector(`#live > [data-set="${CSS.escape(name)}"]`);
export const linesOnPage = () => [...document.querySelectorAll("#live > details")];

/** Returns the line of a set. A new one comes before all others. */
export function lineFor(name, title) {
  const known = lineOf(name);
  if (known) return known;
  const line = made("details", { className: "line" });
  line.dataset.set = name;
  const parts = ["title", "note said", "note best"].map((className) => made("span", { className }));
  line.append(made("summary", {}, "", ...parts), made("div", { className: "results" }));
  line.querySelector(".title").textContent = title;
  watch(line);
  document.querySelector("#live > h2").after(line);
  return line;
}

/** A line that the attendee opens, or in which the attendee enters something, is not folded by itself. */
function watch(line) {
  line.firstElementChild.addEventListener("click", () => delete line.dataset.auto);
  line.addEventListener("input", () => delete line.dataset.auto);
}

/** Says in a folded line what the attendee has answered. */
export const say = (line, text) => (line.querySelector(".said").textContent = text);

/**
 * Opens a line by itself, and folds the one before, unless a newer line is open. A line that the attendee has
 * opened stays open.
 */
export function unfold(line) {
  const open = document.querySelector("#live > [open]");
  if (open && open.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING) return;
  foldAll();
  if (line.open) return;
  line.open = true;
  line.dataset.auto = "";
}

export function foldAll() {
  for (const line of document.querySelectorAll("#live > [data-auto]")) {
    line.open = false;
    delete line.dataset.auto;
  }
}

/** Prepares the lines that the server has made. */
export function openLines() {
  for (const line of linesOnPage()) {
    watch(line);
    const said = line.querySelector("[data-unknown]");
    const answer = said && stored(saidKey(attendee(), line.dataset.set), "sessionStorage");
    if (answer) said.textContent = t("yourAnswerIs", { answer });
  }
  for (const { set, title, text } of storedTexts(attendee())) {
    if (formOf(set)) continue;
    // An answer that cannot change arrived, although this phone never heard so.
    if (lineOf(set)?.querySelector("[data-unknown]")) forgetDraft(`${attendee()}/${set}`);
    else showText(set, title, text);
  }
}

/** Shows the text of a set that has closed since it was entered, for example in another tab. */
function showText(set, title, text) {
  const line = lineFor(set, title);
  const told = keptText(title, text, () => {
    forgetDraft(`${attendee()}/${set}`);
    told.remove();
    if (line.dataset.answered === undefined) say(line, t("notAnswered"));
    line.open = false;
  });
  line.firstElementChild.after(told);
  line.open = true;
}

const attendee = () => document.getElementById("live").dataset.attendee;

/** Draws the shared results of a set into its line. Returns whether the line had none before. */
export function drawResults(line, tallies, set) {
  const box = line.querySelector(".results");
  const known = new Map([...box.children].map((article) => [article.dataset.tally, article]));
  const articles = tallies.map((tally) => {
    const article = known.get(tally.questionId) ?? made("article", { className: "tally" });
    article.dataset.tally = tally.questionId;
    const values = ownValues(attendee(), tally);
    const drawn = JSON.stringify([tally, set?.pending, values]);
    if (article.drawn === drawn) return article;
    article.drawn = drawn;
    drawTally(article, tally, set, t);
    const heading = article.querySelector("h3");
    heading.hidden = heading.textContent === line.querySelector(".title").textContent;
    markOwn(article, tally, values);
    return article;
  });
  const isNew = !known.size && articles.length > 0;
  if (articles.some((article, index) => box.children[index] !== article) || known.size !== articles.length)
    box.replaceChildren(...articles);
  line.querySelector(".best").textContent = tallies.length === 1 ? best(tallies[0]) : "";
  return isNew;
}

/** Returns the result of a question in a few words, or "". */
function best(tally) {
  const { rows, summary } = tallyRows(tally, document.documentElement.lang);
  if (!summary.answers) return "";
  const [first] = rows;
  // The rows of a ranking begin with the most points.
  if (first?.points !== undefined) return first.title;
  if (first && kindOf(tally).isByCount) return `${first.title} ${first.percent}`;
  return summary.average ? t("average", { value: summary.average }) : "";
}

/** Returns the values of the stored answer: from the page, or else what this tab has sent. */
function ownValues(person, { set, questionId: id }) {
  const form = formOf(set);
  const keys = lineOf(set)?.querySelector(`[data-question="${id}"][data-keys]`)?.dataset.keys;
  if (keys) return keys.split("\n");
  if (form?.dataset.answered === undefined) return sentValues(person, set, id);
  const isStored = ({ type, defaultChecked, defaultValue }) =>
    ["radio", "checkbox"].includes(type) ? defaultChecked : defaultValue;
  return [...form.querySelectorAll(`[name="q_${id}"], [name="q_${id}_other"]`)]
    .filter(isStored)
    .map(({ type, value, defaultValue }) => (["radio", "checkbox"].includes(type) ? value : defaultValue));
}

/** Marks the attendee's own answer in the results of a question. */
function markOwn(article, tally, values) {
  if (!values.length) return;
  const sign = () => made("span", { className: "own" }, t("yourAnswer"));
  for (const [row, line] of [...article.querySelectorAll(".bars li")].entries()) {
    const label = line.querySelector(".label");
    if (!kindOf(tally).isOwn(tally, values, row)) continue;
    line.classList.add("mine");
    label.append(" ", sign());
  }
  for (const line of article.querySelectorAll(".texts li")) {
    if (values.includes(line.textContent)) line.append(" ", sign());
  }
}
