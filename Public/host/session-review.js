// The review of a session: unusual activity and the journal. Unusual activity is only evidence, and blocks no
// attendee.
import { actionButton } from "./fields.js";
import { get, Problem } from "./api.js";
import { fill, h } from "./dom.js";
import { journal } from "./journal.js";
import { t } from "./words.js";

export async function tab(model) {
  const findings = h("ul", { class: "cards" });
  const again = actionButton(t("lookAgain"), refresh);
  const section = h(
    "section",
    {},
    h("h2", {}, t("unusual")),
    h("p", { class: "note" }, t("evidenceOnly")),
    findings,
    again,
  );

  async function refresh() {
    try {
      const review = await get(`/api/v1/sessions/${model.session.id}/review`);
      fill(
        findings,
        review.findings.length ? review.findings.map(finding) : h("li", {}, t("nothingUnusual")),
      );
    } catch (error) {
      // A server that stores no evidence has no review.
      if (!(error instanceof Problem) || error.status !== 404) throw error;
      section.hidden = true;
    }
  }

  const [log] = await Promise.all([journal(model), refresh()]);
  return { end: log.end, content: [section, log.element] };
}

function finding({ sentence, attendees }) {
  return h(
    "li",
    {},
    h("p", {}, sentence),
    attendees.length > 1 && h("p", { class: "note" }, attendees.map((one) => one.name).join(", ")),
  );
}
