// The results of one set: bars or texts for each question.
import { hrefOf } from "./address.js";
import { get } from "./api.js";
import { switches } from "./set-buttons.js";
import { chooser, feedback, loadSets, titleOf } from "./sets.js";
import { fill, h, setText } from "./dom.js";
import { tallyView } from "./tally.js";
import { t } from "./words.js";

// The time in milliseconds after which a new answer changes the equal texts.
const pause = 3000;

export async function tab(model, [chosen = feedback]) {
  const { session } = model;
  await loadSets(model);
  const choosing = chooser(model, "results", chosen);
  const list = h("div", { class: "tallies" });
  const summary = h("p", { class: "summary" });
  const buttons = h("div", { class: "tools" });
  const order = orderChooser(() => {
    exported.href = address("results.csv", "&bom=true");
    reload();
  });
  const path = `/api/v1/sessions/${session.id}`;
  const address = (file, more = "") =>
    `${path}/${file}?set=${encodeURIComponent(chosen)}&order=${order.select.value}${more}`;
  const exported = h("a", { class: "button", href: address("results.csv", "&bom=true"), download: true });
  exported.textContent = t("exportCSV");
  const shown = new Map();
  // Set after the first answer.
  let counts;
  let turn = 0;
  let waiting = 0;

  // A set that was never saved has no results to request.
  const results = async () =>
    model.sets.has(chosen)
      ? get(address("results"))
      : { responses: 0, withoutReceipt: 0, tallies: [] };

  async function reload() {
    const mine = ++turn;
    const found = await results();
    if (mine !== turn) return;
    shown.clear();
    const isFixed = order.select.value !== "count";
    for (const tally of found.tallies) {
      shown.set(tally.questionId, tallyView(tally, session.timeZone, isFixed));
    }
    showSummary(found);
    fill(
      list,
      shown.size
        ? [...shown.values()].map((one) => one.element)
        : h(
            "p",
            { class: "empty" },
            t("noQuestions"),
            " ",
            model.isHost &&
              h("a", { href: hrefOf("sessions", session.id, "questions", chosen) }, t("writeQuestions")),
          ),
    );
  }

  /** Requests the equal texts again, at most once in `pause`, because frames do not have them. */
  function renewEqual() {
    waiting ||= setTimeout(async () => {
      waiting = 0;
      const mine = turn;
      // If the request fails, the texts stay until the next answer.
      const { tallies } = await results().catch(() => ({ tallies: [] }));
      if (mine === turn) for (const tally of tallies) shown.get(tally.questionId)?.showEqual(tally);
    }, pause);
  }

  /**
   * Shows the counts. The percentage is the share of the checked-in attendees, without answers from a
   * published form.
   */
  function showSummary(latest) {
    counts = { ...counts, ...latest };
    const { responses, withoutReceipt = 0, pending = 0 } = counts;
    const { checkedIn } = model.attendance;
    const percent = checkedIn
      ? Math.min(100, Math.round(((responses - withoutReceipt) / checkedIn) * 100))
      : 0;
    setText(
      summary,
      [
        t("responsesOf", { count: responses, percent }),
        withoutReceipt && t("withoutReceipt", { count: withoutReceipt }),
        pending && t("pending", { count: pending }),
      ]
        .filter(Boolean)
        .join(" "),
    );
  }

  function showButtons() {
    const set = model.sets.get(chosen);
    fill(buttons, set && h("strong", {}, titleOf(set)), set && model.isHost && switches(model, set));
  }

  showButtons();
  const parts = ["tallies", "texts", "sets", "session", "attendance", "reload"];
  const stop = model.on(parts, (update, changed) => {
    // Frames have the number of answers to `feedback` in a field of its own.
    if (counts) showSummary(chosen === feedback ? update.feedback : {});
    const set = update.sets?.find((one) => one.set === chosen);
    if (set) {
      showSummary(set);
      showButtons();
    }
    if (update.tally?.set === chosen) {
      const view = shown.get(update.tally.questionId);
      // A new question changes the whole view.
      if (view) view.update(update.tally);
      else reload();
      if (view && update.tally.latest) renewEqual();
    }
    for (const part of update.moderated ?? []) shown.get(part.questionId)?.moderate(part);
    if (changed.has("reload")) reload();
  });
  await reload();
  return {
    end: () => {
      turn = -1;
      clearTimeout(waiting);
      stop();
      choosing.end();
    },
    content: [
      choosing.element,
      buttons,
      h(
        "div",
        { class: "tools" },
        summary,
        order.element,
        exported,
      ),
      list,
    ],
  };
}

/** Returns the choice of the order of the choices, as the API names them. */
function orderChooser(change) {
  const names = { count: "orderCount", choices: "orderChoices", value: "orderValue" };
  const options = Object.entries(names).map(([value, name]) => h("option", { value }, t(name)));
  const select = h("select", { onchange: change }, options);
  return { element: h("label", { class: "order" }, t("orderOfChoices"), select), select };
}
