// Shows results on the projector, one question at a time. Open polls come first, then sets in the order of
// sharing. If there are no results, the page explains the reason and what to do.
import { t } from "./words.js";
import { drawTally, textIn } from "./tallies.js";

/** `mayShare` is true if a member is signed in at the screen. The member can share results here. */
export function showTallies({ mayShare }) {
  const [caption, box] = ["caption", "tally"].map((id) => document.getElementById(id));
  const tallies = new Map();
  const sets = new Map();
  let shown = null;

  function apply({ snapshot, sets: some, tally }) {
    if (snapshot) {
      tallies.clear();
      sets.clear();
    }
    for (const set of snapshot?.sets ?? some ?? []) sets.set(set.set, set);
    for (const one of snapshot?.tallies ?? (tally ? [tally] : [])) tallies.set(one.questionId, one);
    if (snapshot || some || tally) draw();
  }

  const rank = ({ set }) => (set === "feedback" ? 2 : sets.get(set)?.open ? 0 : 1);
  const byRank = (one, other) => rank(one) - rank(other);
  const inOrder = () =>
    [...tallies.values()].filter(({ set }) => sets.get(set)?.shared !== false).sort(byRank);
  const titleOf = (set, name) =>
    set?.title
      ? textIn(document.documentElement.lang, set.title, set.titles)
      : t(name === "feedback" ? "feedback" : "poll");
  /** Returns the set that a host would share now: an open poll, or else the set with most answers. */
  const toShare = () =>
    [...sets.values()]
      .filter((set) => set.questions && !set.shared)
      .sort((one, other) => byRank(one, other) || other.responses - one.responses)[0];

  function draw() {
    const all = inOrder();
    const at = Math.max(
      0,
      all.findIndex((tally) => tally.questionId === shown),
    );
    const tally = all[at];
    if (!tally) return explain();
    shown = tally.questionId;
    const set = sets.get(tally.set);
    caption.textContent = `${titleOf(set, tally.set)} · ${t("of", { number: at + 1, count: all.length })}`;
    drawTally(box, tally, set, t);
  }

  function explain() {
    const set = toShare();
    caption.textContent = set ? titleOf(set, set.set) : "";
    const lines = set ? [t("noResults"), t("answersSoFar", { count: set.responses })] : [t("noQuestions")];
    if (set && mayShare) lines.push(t("shareHere", { title: titleOf(set, set.set) }));
    box.replaceChildren(
      ...lines.map((line, index) =>
        Object.assign(document.createElement(index ? "p" : "h3"), {
          className: index ? "note" : "",
          textContent: line,
        }),
      ),
    );
  }

  function turn(by) {
    const all = inOrder();
    const at = all.findIndex((tally) => tally.questionId === shown);
    shown = all[(at + by + all.length) % all.length]?.questionId ?? null;
    draw();
  }

  /**
   * Shares results only if none are shown, so that an accidental key press cannot change the shown results.
   */
  async function share(session) {
    const set = toShare();
    if (!mayShare || inOrder().length || !set) return;
    const answer = await fetch(`/api/v1/sessions/${session}/sets/${encodeURIComponent(set.set)}`, {
      method: "PATCH",
      headers: {
        "Content-Type": "application/json",
        "If-Match": `"v${set.version}"`,
        "Accept-Language": document.documentElement.lang,
      },
      body: JSON.stringify({ shared: true }),
    }).catch(() => null);
    // The room's frame updates all screens, including this screen. Viewers may not share results.
    if (answer?.ok === false) caption.textContent = (await answer.json()).detail;
  }

  draw();
  return { apply, turn, share };
}
