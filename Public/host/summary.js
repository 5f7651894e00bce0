// The numbers of a result in words, for hosts.
import { summaryText } from "/tallies.js";
import { t } from "./words.js";

/** Returns the summary of a result as one line, with the standard deviation and the most frequent answers. */
export function hostSummary(summary) {
  const { deviation, mode } = summary;
  const more = [deviation && t("deviation", { value: deviation }), mode && t("mode", { value: mode })];
  return [summaryText(summary, t), ...more].filter(Boolean).join(" · ");
}
