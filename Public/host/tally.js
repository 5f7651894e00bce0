// The result of one question: bars with their counts, or texts; for words, also their picture.
import { cloudPicture, drawCloud } from "/cloud.js";
import { barList, summaryText, tallyRows, textList } from "/tallies.js";
import { actionButton, attempt } from "./fields.js";
import { get } from "./api.js";
import { fill, h, setText } from "./dom.js";
import { moment } from "./time.js";
import { language, t } from "./words.js";

export function tallyView(tally, timeZone) {
  const { title } = tallyRows(tally, language);
  const about = h("p", { class: "note" });
  const newest = h("div", {});
  const bars = barList([]);
  const cloud = tally.kind === "wordCloud" && cloudPicture();
  const all = tally.latest || tally.kind === "shortAnswer" ? allTexts(tally.questionId, timeZone) : null;
  const element = h("section", { class: "tally" }, h("h2", {}, title), about, cloud, bars, newest, all);

  function update(now) {
    // The summary of the set mentions the answers that are held back.
    const { rows, texts, summary } = tallyRows(now, language);
    if (all) all.hidden = Boolean(now.hidden);
    setText(about, summaryText(summary, t));
    if (cloud) drawCloud(cloud, now.words ?? []);
    barList(rows, bars);
    bars.hidden = !rows.length;
    fill(newest, texts.length > 0 && textList(texts));
  }

  update(tally);
  return { element, update };
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
        fill(list);
        attempt(more, load);
      },
    },
    h("summary", {}, t("allTexts")),
    list,
    more,
  );

  async function load() {
    const page = await get(
      `/api/v1/questions/${questionId}/answers?limit=100${
        cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""
      }`,
    );
    list.append(
      ...page.items.map((answer) =>
        h("li", {}, answer.text, " ", h("time", { class: "note" }, moment(answer.at, timeZone))),
      ),
    );
    cursor = page.nextCursor;
    more.hidden = !cursor;
  }
  return element;
}
