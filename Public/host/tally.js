// One question's tally: a plot with its table, or its newest texts, or why nothing is shown.
import { attempt } from "./fields.js";
import { get } from "./api.js";
import { fill, h, setText } from "./dom.js";
import { plot } from "./plots.js";
import { moment } from "./time.js";
import { language, t } from "./words.js";

export async function tallyView(tally, timeZone) {
  const title = tally.titles?.[language] ?? tally.title;
  const about = h("p", { class: "note" });
  const texts = h("ul", { class: "texts" });
  const chart = ["multipleChoice", "rating", "number"].includes(tally.kind)
    ? await plot({ title, kind: "bar", labelHeading: t("answer"), valueHeading: t("answers"), isSideways: tally.kind === "multipleChoice" })
    : null;
  const all = tally.latest || tally.kind === "shortAnswer" ? allTexts(tally.questionId, timeZone) : null;
  const element = h("section", { class: "tally" }, h("h2", {}, title), about, chart?.element, texts, all);

  function update(now) {
    if (chart) chart.element.hidden = Boolean(now.hidden);
    if (all) all.hidden = Boolean(now.hidden);
    if (now.hidden) {
      setText(about, t(`hidden_${now.hidden.reason}`, { minimum: now.hidden.minimum }));
      return fill(texts);
    }
    setText(about, aboutOf(now));
    const rows = rowsOf(now);
    chart?.update(rows.map(([label]) => label), rows.map(([, count]) => count));
    fill(texts, (now.latest ?? []).map((answer) => h("li", {}, answer.text)));
  }

  update(tally);
  return { element, update, end: () => chart?.end() };
}

/** What was answered, and how often. */
export function rowsOf(tally) {
  if (tally.choices) return tally.choices.map((choice) => [choice.labels?.[language] ?? choice.label, choice.count]);
  if (tally.counts) return tally.counts.map((count, index) => [`${index + 1} ★`, count]);
  return (tally.histogram ?? []).map((bar) => [spanOf(bar), bar.count]);
}

/** A bar reaches up to below its `to`; of whole numbers one by one, the number says it all. */
function spanOf({ from, to }) {
  return to - from === 1 && Number.isInteger(from) ? String(from) : `${from}–${to}`;
}

/** Every text, read when it is asked for. */
function allTexts(questionId, timeZone) {
  const list = h("ul", { class: "texts" });
  const more = h("button", { type: "button", class: "quiet", onclick: () => attempt(more, load) }, t("more"));
  let cursor = null;
  const element = h("details", { ontoggle: () => {
    if (!element.open) return;
    cursor = null;
    fill(list);
    attempt(more, load);
  } }, h("summary", {}, t("allTexts")), list, more);

  async function load() {
    const page = await get(`/api/v1/questions/${questionId}/answers?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
    list.append(...page.items.map((answer) => h("li", {}, answer.text, " ", h("time", { class: "note" }, moment(answer.at, timeZone)))));
    cursor = page.nextCursor;
    more.hidden = !cursor;
  }
  return element;
}

function aboutOf(tally) {
  const answers = t("answersCount", { count: tally.answers });
  const about = (value) => (value ?? 0).toLocaleString(language, { maximumFractionDigits: 2 });
  if (tally.kind === "rating") return `${answers} · ${t("average", { value: about(tally.average) })}`;
  if (tally.kind === "number" && tally.answers) {
    return `${answers} · ${t("average", { value: about(tally.average) })} · ${t("median", { value: about(tally.median) })} · ${t("range", { min: about(tally.min), max: about(tally.max) })}`;
  }
  return answers;
}
