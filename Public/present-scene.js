// Decides what the hall's screen shows. These functions are pure: they take the room's state, the presenter's
// choice and the time, and return the scene. A further scene needs a module `present-NAME.js`, a place in
// present.html, a line in the list of present.js, and a rule in `sceneOf`.
import { boardAfter, emptyBoard } from "./audience.js";
import { byPlace, feedback } from "./tallies.js";

/** The state of a room before its first frame. `poll` is the set that was opened last. */
export const emptyRoom = {
  session: null,
  attendance: null,
  code: null,
  sets: new Map(),
  tallies: new Map(),
  board: emptyBoard,
  poll: null,
  openings: 0,
};

/** The choice of a presenter who lets the room decide. */
export const noChoice = { view: null, question: null };

/** Returns the room's state after a frame. */
export function roomAfter(room, frame) {
  const { snapshot } = frame;
  const next = { ...room, ...(snapshot && { sets: new Map(), tallies: new Map(), board: emptyBoard }) };
  const session = snapshot?.session ?? frame.session;
  if (session) Object.assign(next, { session, attendance: session.attendance });
  if (frame.attendance) next.attendance = frame.attendance;
  const code = snapshot?.code ?? frame.code;
  if (code) next.code = code;
  if (frame.removedSets) {
    const stays = (name) => !frame.removedSets.includes(name);
    next.sets = new Map([...next.sets].filter(([name]) => stays(name)));
    next.tallies = new Map([...next.tallies].filter(([, { set }]) => stays(set)));
    if (!stays(next.poll)) next.poll = null;
  }
  const sets = snapshot?.sets ?? frame.sets;
  // A set that is shared comes without its questions. They stay on the screen until their results arrive.
  const whole = (set) => [set.set, { asked: room.sets.get(set.set)?.asked, ...set }];
  if (sets) next.sets = new Map([...next.sets, ...sets.map(whole)]);
  for (const tally of snapshot?.tallies ?? (frame.tally ? [frame.tally] : []))
    next.tallies = new Map(next.tallies).set(tally.questionId, tally);
  const questions = snapshot?.audienceQuestions ?? frame.audienceQuestions;
  if (questions) next.board = boardAfter(next.board, questions);
  const opened = sets?.find((set) => isPoll(set) && set.open && !room.sets.get(set.set)?.open);
  if (opened) Object.assign(next, { poll: opened.set, openings: room.openings + 1 });
  return next;
}

/** Returns the presenter's choice after a frame. A poll that opens takes the screen. */
export const choiceAfter = (choice, before, after) =>
  after.openings > before.openings ? noChoice : choice;

const isPoll = ({ set }) => set !== feedback && set !== "check-in";

/**
 * Returns the questions that the screen can show, in order: open polls, other sets, then feedback. Each has
 * its `id` and its `set`, and a `tally` if the results are shared, otherwise the `question`.
 */
export function deckOf({ sets, tallies }) {
  const rank = ({ set }) => (set.set === feedback ? 2 : set.open ? 0 : 1);
  // Sets and results arrive one by one, in any order.
  const index = ({ id, set, tally }) =>
    tally?.number ?? (set.asked ?? []).findIndex(({ questionId }) => questionId === id) + 1;
  const shared = [...tallies.values()]
    .map((tally) => ({ id: tally.questionId, set: sets.get(tally.set) ?? { set: tally.set }, tally }))
    .filter(({ set }) => set.shared !== false);
  const asked = [...sets.values()]
    .filter((set) => set.open)
    .flatMap((set) => (set.asked ?? []).map((question) => ({ id: question.questionId, set, question })))
    .filter(({ id }) => !shared.some((one) => one.id === id));
  return [...shared, ...asked].sort(
    (one, other) =>
      rank(one) - rank(other) ||
      byPlace(one.set, other.set) ||
      index(one) - index(other),
  );
}

/**
 * Returns the scene to show at `now`: its `name`, and for a question its `item` of the deck, its `number` in
 * its set and the `count` of that set.
 * - `start` and `running` show the code large, before and after the session's start;
 * - `question` shows a question that people answer, `results` shows its results. If there is no question, the
 *   scene `results` without an item explains why;
 * - `audience` shows the questions from the audience;
 * - `thanks` shows the session's numbers.
 */
export function sceneOf(room, { view, question }, now) {
  const deck = deckOf(room);
  const polled = deck.find(({ set }) => set.set === room.poll);
  const isOver = room.session !== null && now >= Date.parse(room.session.endsAt);
  const wanted = view ?? (isOver ? "thanks" : polled ? "results" : "code");
  if (wanted === "thanks" || wanted === "audience") return { name: wanted };
  if (wanted === "code") {
    const isEarly = room.session !== null && now < Date.parse(room.session.startsAt);
    return { name: isEarly ? "start" : "running" };
  }
  const item = deck.find(({ id }) => id === question) ?? polled ?? deck[0] ?? null;
  const ofSet = deck.filter(({ set }) => set.set === item?.set.set);
  const number = ofSet.indexOf(item) + 1;
  return { name: item?.question ? "question" : "results", item, number, count: ofSet.length };
}

/**
 * Returns the choice after a step forwards (`by` is 1) or back (-1). The questions from the audience come
 * after the last question, if there are any or the host takes some. The code comes before the first stop and
 * after the last one, so that a clicker with two keys reaches everything.
 */
export function stepped(room, choice, by, now) {
  const stops = deckOf(room).map(({ id }) => ({ view: "results", question: id }));
  if (room.board.open || room.board.questions.length) stops.push({ view: "audience", question: "audience" });
  const { name, item } = sceneOf(room, choice, now);
  const shown = item?.id ?? (name === "audience" ? name : null);
  if (shown) {
    const at = stops.findIndex(({ question }) => question === shown);
    return stops[at + by] ?? { view: "code", question: null };
  }
  // The first step from the code only shows the stop that was on the screen before.
  const known = stops.find(({ question }) => question === choice.question);
  // Without stops, the results explain why there are none.
  const none = { view: item === null ? "code" : "results", question: null };
  return known ?? stops[by > 0 ? 0 : stops.length - 1] ?? none;
}
