// A question's running result as bars with words and counts, for the audience and the hall's screen. The words are the page's own.
import { say } from "./page.js";

/** What something is called in the page's language. */
export const told = (name, names) => names?.[document.documentElement.lang] ?? name;

/** Draws a tally into `place`, whatever was drawn there before. `set` says how many answers wait. */
export function drawTally(place, tally, set) {
  const pending = set?.pending ? ` · ${say("pending", { count: set.pending })}` : "";
  const about = (tally.hidden ? say("tooFew", { minimum: tally.hidden.minimum }) : aboutOf(tally)) + pending;
  const rows = tally.hidden ? [] : rowsOf(tally);
  const most = Math.max(1, ...rows.map(([, count]) => count));
  const list = document.createElement("ol");
  list.className = "bars";
  list.append(...rows.map(([label, count]) => rowOf(label, count, count / most)));
  const texts = document.createElement("ul");
  texts.className = "texts";
  texts.append(...(tally.hidden ? [] : tally.latest ?? []).map((answer) => element("li", "", answer.text)));
  place.replaceChildren(
    element("h3", "", told(tally.title, tally.titles)), element("p", "note", about), ...(rows.length ? [list] : []),
    ...(texts.childElementCount ? [texts] : []));
}

function aboutOf(tally) {
  const parts = [say("answers", { count: tally.answers })];
  if (tally.answers && tally.average !== undefined) parts.push(say("average", { value: tally.average }));
  if (tally.answers && tally.median !== undefined) parts.push(say("median", { value: tally.median }));
  return parts.join(" · ");
}

function rowsOf(tally) {
  if (tally.choices) return tally.choices.map((choice) => [told(choice.label, choice.labels), choice.count]);
  if (tally.counts) return tally.counts.map((count, index) => [say("star", { count: index + 1 }), count]).reverse();
  if (tally.histogram) return tally.histogram.map((bar) => [`${bar.from} – ${bar.to}`, bar.count]);
  return [];
}

function rowOf(label, count, share) {
  const row = document.createElement("li");
  const bar = element("span", "bar", "");
  bar.style.setProperty("--share", share);
  bar.setAttribute("aria-hidden", "true");
  row.append(element("span", "label", label), " ", element("span", "amount", count), bar);
  return row;
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}
