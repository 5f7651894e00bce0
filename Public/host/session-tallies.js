// Results as bars beside the live counts; the tab Results has plots, tables and texts.
import { hrefOf } from "./address.js";
import { barList, inOrderOfSets, tallyRows, textList } from "/tallies.js";
import { fill, h } from "./dom.js";
import { checkIn, inOrder, titleOf } from "./sets.js";
import { hostSummary } from "./tally.js";
import { language, t } from "./words.js";

const pause = 250;
const mostTexts = 3;

/** Returns the name of a set, unless the question beside it has the same words. */
const nameBeside = (title, set) => (titleOf(set) === title ? "" : titleOf(set));

export function liveTallies(model) {
  const list = h("div", {});
  const element = h("section", { hidden: true }, h("h2", {}, t("tallies")), list);
  let waiting = 0;

  function show() {
    waiting = 0;
    const sets = inOrder(model).filter((set) => set.set !== checkIn && set.responses);
    element.hidden = !sets.length;
    fill(
      list,
      sets.map((set) =>
        inOrderOfSets(model.tallies.values(), model.sets)
          .filter((tally) => tally.set === set.set)
          .map((tally) => one(tally, set)),
      ),
    );
  }

  function one(tally, set) {
    const { title, rows, texts, summary } = tallyRows(tally, language, set.pending);
    return h(
      "article",
      { key: tally.questionId, class: "tally" },
      h(
        "h3",
        { key: "title" },
        h("a", { key: "link", href: hrefOf("sessions", model.session.id, "results", set.set) }, title),
      ),
      h(
        "p",
        { class: "note" },
        [nameBeside(title, set), hostSummary(summary)].filter(Boolean).join(" · "),
      ),
      rows.length > 0 && barList(rows),
      texts.length > 0 && textList(texts.slice(0, mostTexts)),
    );
  }

  const stop = model.on(["tallies", "sets"], () => (waiting ||= setTimeout(show, pause)));
  show();
  return {
    element,
    end: () => {
      stop();
      clearTimeout(waiting);
    },
  };
}
