// What is unusual, as evidence and never as a block; and the journal, with undo.
import { attempt } from "./fields.js";
import { Problem, get } from "./api.js";
import { fill, h } from "./dom.js";
import { journal } from "./journal.js";
import { t } from "./words.js";

export async function tab(model) {
  const findings = h("ul", { class: "cards" });
  const again = h("button", { type: "button", class: "quiet", onclick: () => attempt(again, look) }, t("lookAgain"));
  const section = h("section", {}, h("h2", {}, t("unusual")), h("p", { class: "note" }, t("evidenceOnly")), findings, again);

  async function look() {
    try {
      const review = await get(`/api/v1/sessions/${model.session.id}/review`);
      fill(findings, review.findings.length ? review.findings.map(finding) : h("li", {}, t("nothingUnusual")));
    } catch (error) {
      // A server that keeps no evidence has no review either.
      if (!(error instanceof Problem) || error.status !== 404) throw error;
      section.hidden = true;
    }
  }

  const [kept] = await Promise.all([journal(model), look()]);
  return { end: kept.end, content: [section, kept.element] };
}

function finding({ sentence, attendees }) {
  return h("li", {}, h("p", {}, sentence), attendees.length > 1 && h("p", { class: "note" }, attendees.map((one) => one.name).join(", ")));
}
