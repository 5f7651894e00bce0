// The results of what is open or has answers, as bars beside the live counts; the tab of results has plots, tables and texts.
import { hrefOf } from "./address.js";
import { fill, h } from "./dom.js";
import { checkIn, inOrder, titleOf } from "./sets.js";
import { rowsOf } from "./tally.js";
import { language, t } from "./words.js";

const pause = 250;

export function liveTallies(model) {
  const list = h("div", {});
  const element = h("section", { hidden: true }, h("h2", {}, t("tallies")), list);
  let waiting = 0;

  function show() {
    waiting = 0;
    const sets = inOrder(model).filter((set) => set.set !== checkIn && set.responses);
    element.hidden = !sets.length;
    fill(list, sets.map((set) => [...model.tallies.values()].filter((tally) => tally.set === set.set).map((tally) => one(tally, set))));
  }

  function one(tally, set) {
    const rows = tally.hidden ? [] : rowsOf(tally);
    const most = Math.max(1, ...rows.map(([, count]) => count));
    const bars = rows.map(([label, count]) => {
      const bar = h("span", { class: "bar", "aria-hidden": "true" });
      bar.style.setProperty("--share", count / most);
      return h("li", {}, h("span", { class: "label" }, label), " ", h("span", { class: "amount" }, count), bar);
    });
    const about = tally.hidden ? t(`hidden_${tally.hidden.reason}`, { minimum: tally.hidden.minimum }) : t("answersCount", { count: tally.answers });
    return h("article", { class: "tally" },
      h("h3", {}, h("a", { href: hrefOf("sessions", model.session.id, "results", set.set) }, tally.titles?.[language] ?? tally.title)),
      h("p", { class: "note" }, [titleOf(set), about, set.pending && t("pendingResponses", { count: set.pending })].filter(Boolean).join(" · ")),
      bars.length > 0 && h("ol", { class: "bars" }, bars),
      !tally.hidden && tally.latest?.length > 0 && h("ul", { class: "texts" }, tally.latest.slice(0, 3).map((answer) => h("li", {}, answer.text))));
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
