// The result of one question: bars with their counts, or texts; for words, also their picture.
import { cloudPicture, drawCloud, paced } from "/cloud.js";
import { kindOf } from "/kinds.js";
import { barList, tallyRows, textList } from "/tallies.js";
import { actionButton, attempt } from "./fields.js";
import { get } from "./api.js";
import { fill, h, setText } from "./dom.js";
import { hostSummary } from "./summary.js";
import { moment } from "./time.js";
import { language, t } from "./words.js";

/**
 * Returns the view of a result. If `isFixed`, the choices stay in the order of `tally`, because frames have
 * them by count.
 */
export function tallyView(tally, timeZone, isFixed = false) {
  const places = new Map(tally.choices?.map(({ id }, place) => [id, place]));
  const inOrder = (now) =>
    isFixed && now.choices
      ? { ...now, choices: now.choices.toSorted((one, other) => places.get(one.id) - places.get(other.id)) }
      : now;
  const { title } = tallyRows(tally, language);
  const about = h("p", { class: "note" });
  const newest = h("div", {});
  const equal = h("div", {});
  const bars = barList([]);
  const cloud = kindOf(tally).hasCloud && cloudPicture();
  const drawWords = paced((words) => drawCloud(cloud, words));
  const all = tally.latest || kindOf(tally).isTextAlone ? allTexts(tally.questionId, timeZone) : null;
  const parts = [about, cloud, bars, newest, equal, all];
  const element = h("section", { class: "tally" }, h("h2", {}, title), parts);

  function update(now) {
    // The summary of the set mentions the answers that are held back.
    const { rows, texts, summary } = tallyRows(inOrder(now), language);
    if (all) all.hidden = Boolean(now.hidden);
    setText(about, hostSummary(summary));
    if (cloud) drawWords(now.words ?? []);
    barList(rows, bars);
    bars.hidden = !rows.length;
    fill(newest, texts.length > 0 && textList(texts));
  }

  /** Shows the texts that several answers share. Only the results of a set have them, not the frames. */
  const showEqual = (now) => fill(equal, now.equalTexts && equalTexts(now));

  update(tally);
  showEqual(tally);
  return { element, update, showEqual, moderate: (part) => all?.moderate(part) };
}

function equalTexts(tally) {
  const { items, more, compared } = tally.equalTexts;
  const isWhole = !kindOf(tally).isTextAlone || compared >= tally.answers;
  return [
    h("h3", {}, isWhole ? t("equalTexts") : t("equalTextsAmong", { count: compared })),
    h(
      "ul",
      { class: "texts equal" },
      items.map(({ text, count }) => {
        const [before, after] = t("repeatedText", { text: "\n", count }).split("\n");
        return h("li", {}, before, h("bdi", {}, text), after);
      }),
    ),
    more > 0 && h("p", { class: "note" }, t("moreEqualTexts", { count: more })),
  ];
}

/** Returns the list of all texts, which loads when it is opened. */
function allTexts(questionId, timeZone) {
  const list = h("ul", { class: "texts" });
  const more = actionButton(t("more"), load);
  let cursor = null;
  const element = h(
    "details",
    {
      ontoggle: () => {
        if (!element.open) return;
        cursor = null;
        attempt(more, load);
      },
    },
    h("summary", {}, t("allTexts")),
    list,
    more,
  );

  /** Removes the texts that a host has hidden. A text that is shown again is there at the next opening. */
  element.moderate = ({ items }) => {
    const gone = new Set(items.filter(({ status }) => status !== "visible").map(({ id }) => id));
    fill(list, [...list.children].filter((row) => !gone.has(row.dataset.id)));
  };

  async function load() {
    const after = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
    const page = await get(`/api/v1/questions/${questionId}/answers?limit=100${after}`);
    fill(
      list,
      cursor ? [...list.children] : [],
      page.items
        .filter(({ status }) => status === "visible")
        .map(({ id, text, at }) =>
          h("li", { "data-id": id }, text, " ", h("time", { class: "note" }, moment(at, timeZone))),
        ),
    );
    cursor = page.nextCursor;
    more.hidden = !cursor;
  }
  return element;
}
