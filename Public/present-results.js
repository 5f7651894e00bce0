// The results on the hall's screen, a question at a time: those of polls that are open first, as they were shared last.
import { say } from "./page.js";
import { drawTally, told } from "./tallies.js";

export function showTallies() {
  const [place, box] = ["place", "tally"].map((id) => document.getElementById(id));
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

  const inOrder = () => {
    const rank = ({ set }) => (set === "feedback" ? 2 : sets.get(set)?.open ? 0 : 1);
    return [...tallies.values()].filter(({ set }) => sets.get(set)?.shared !== false).sort((one, other) => rank(one) - rank(other));
  };

  function draw() {
    const all = inOrder();
    const at = Math.max(0, all.findIndex((tally) => tally.questionId === shown));
    const tally = all[at];
    if (!tally) {
      place.textContent = say("noResults");
      return box.replaceChildren();
    }
    shown = tally.questionId;
    const set = sets.get(tally.set);
    const title = set?.title ? told(set.title, set.titles) : say(tally.set === "feedback" ? "feedback" : "poll");
    place.textContent = `${title} · ${say("of", { number: at + 1, count: all.length })}`;
    drawTally(box, tally);
  }

  function turn(by) {
    const all = inOrder();
    const at = all.findIndex((tally) => tally.questionId === shown);
    shown = all[(at + by + all.length) % all.length]?.questionId ?? null;
    draw();
  }

  draw();
  return { apply, turn };
}
