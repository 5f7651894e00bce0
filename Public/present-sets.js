// The question sets on the hall's screen: their titles, and sharing their results.
import { textIn } from "./phrase.js";
import { feedback } from "./tallies.js";
import { t } from "./words.js";

const language = document.documentElement.lang;

export const titleOf = (set) =>
  set.title ? textIn(language, set.title, set.titles) : t(set.set === feedback ? "feedback" : "poll");

/** Returns the line above a question: the title of its set, and its number if there are several. */
export const captionOf = (set, number, count) =>
  count > 1 ? `${titleOf(set)} · ${t("of", { number, count })}` : titleOf(set);

/** Returns the set that a host would share now: an open poll, or else the set with most answers. */
export function toShare(sets) {
  const rank = (set) => (set.set === feedback ? 2 : set.open ? 0 : 1);
  return [...sets.values()]
    .filter((set) => set.questions && !set.shared)
    .sort((one, other) => rank(one) - rank(other) || other.responses - one.responses)[0];
}

/**
 * Shares the results of the question on the screen, or if none is there, of the set that `toShare` returns.
 * Does nothing if results are shown, so that an accidental key press cannot change them. Returns null, or the
 * reason of the server. The room's frame then updates all screens, including this screen.
 */
export async function share(session, { sets }, { name, item }) {
  const set = name === "question" ? item.set : name === "results" && !item ? toShare(sets) : null;
  if (!set) return null;
  const answer = await fetch(`/api/v1/sessions/${session}/sets/${encodeURIComponent(set.set)}`, {
    method: "PATCH",
    headers: {
      "Content-Type": "application/json",
      "If-Match": `"v${set.version}"`,
      "Accept-Language": language,
    },
    body: JSON.stringify({ shared: true }),
  }).catch(() => null);
  // Viewers may not share results.
  return answer?.ok === false ? (await answer.json()).detail : null;
}
