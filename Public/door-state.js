// What the door knows, apart from how it looks: the one request at the server, the open question to the
// staff, the requests that wait, and the last verdicts. Each function returns the next state, and the state
// itself if nothing changes.
//
// `phase` is what the large field shows: `ready`; `checking` with its request; `question`, which only its own
// answer ends; `result`, which ends by "Go on" or by a new request. A request goes to the server only when
// the phase becomes `checking`, so no answer can replace another one.

/** The most requests that wait, and the most verdicts in the list. */
const [mostWaiting, mostListed] = [20, 5];

/** By verdict: the colour, the word and the reason. */
const verdicts = new Map([
  ["admitted", ["good", "isIn", null]],
  ["expected", ["ask", "letIn", null]],
  ["returned", ["good", "returned", null]],
  ["left", ["good", "out", null]],
  ["alreadyIn", ["warn", "alreadyIn", null]],
  ["alreadyOut", ["warn", "alreadyOut", null]],
  ["notIn", ["warn", "notIn", null]],
  ["waiting", ["ask", "noSeat", null]],
  ["declined", ["ask", "notComing", null]],
  ["full", ["ask", "full", null]],
  ["sessionCode", ["warn", "notAPass", "aboutSessionCode"]],
  ["unknownHere", ["ask", "unknownHere", "aboutUnknown"]],
  ["revoked", ["bad", "notValid", "revoked"]],
  ["notForThisSession", ["bad", "notValid", "notExpected"]],
  ["notAPass", ["bad", "notValid", "noSuchPass"]],
]);

/** The verdicts after which the staff decides to let a person in without a seat. */
const withoutSeat = ["waiting", "declined", "full"];
/** By verdict: what an offline door says as long as the server has not got the entry. */
const storedWords = new Map([
  ["admitted", "storedHere"],
  ["returned", "storedAgain"],
  ["left", "storedOut"],
]);

const ready = { kind: "ready" };
export const emptyDoor = { phase: ready, waiting: [], recent: [] };

/**
 * Returns a request for a guest, with the mode and the door of this moment. It keeps its key whenever it is
 * sent, so that a repetition lets nobody in twice. `name` is the guest's, if the page knows it.
 */
export function admission(guest, { door, leaves, asks }, key, name = null) {
  const mode = leaves ? { leaves: true } : asks ? { onlyAsk: true } : {};
  return { path: "", body: { ...guest, ...mode, door }, key, name };
}

/** Returns a request that undoes the admission or the move of a shown person. */
export const undoing = ({ sequence, name }, key) => ({ path: "/undo", body: { sequence }, key, name });

export const isFull = ({ waiting }) => waiting.length >= mostWaiting;

/**
 * The colour and the word of an outcome. An offline door has only stored it, until the server has all entries
 * up to `sent`.
 */
export function lookOf({ tone, word, body }, sent) {
  const stored = body?.stored !== undefined && !(body.stored <= sent) && storedWords.get(body.verdict);
  return stored ? { tone: "stored", word: stored } : { tone, word };
}

/** Takes a new request. It waits for the server, for the open question and for those before it. */
export const taken = (state, request) =>
  isFull(state) ? state : advanced({ ...state, waiting: [...state.waiting, request] });

/**
 * Takes a request of the staff before those that wait: an undo, or the same request once more. `shown` is the
 * phase that the staff saw: if another result has come since, it stays.
 */
export function takenFirst(state, request, shown) {
  const isTwice = [state.phase.request, ...state.waiting].some(
    (one) => one && (one.key === request.key || isSameUndo(one, request)),
  );
  if (isTwice) return state;
  const next = { ...state, waiting: [request, ...state.waiting] };
  return isStopped(state) && state.phase !== shown ? next : advanced(next);
}

const isSameUndo = (one, other) =>
  one.body.sequence !== undefined && one.body.sequence === other.body.sequence;

/** Whether a result is shown, so that those that wait do not go on by themselves. */
export const isStopped = ({ phase }) => phase.kind === "result";

/** Ends the shown result. */
export const goneOn = (state, shown) =>
  isStopped(state) && state.phase === shown ? advanced({ ...state, phase: ready }) : state;

/** Sends the guest of the shown question once more, now to let the guest in. */
export function letIn(state, question, key) {
  if (state.phase !== question) return state;
  const { path, body, name } = question.request;
  const { onlyAsk, ...rest } = body;
  const { verdict } = question.outcome.body;
  if (verdict === "unknownHere") rest.unknown = true;
  if (withoutSeat.includes(verdict)) rest.anyway = true;
  const request = { path, body: rest, key, name: question.outcome.name ?? name };
  return { ...state, phase: { kind: "checking", request } };
}

/** Lets nobody in after the shown question. */
export const keptOut = (state, question) =>
  state.phase === question ? advanced({ ...state, phase: ready }) : state;

/**
 * Takes the answer to the request at the server: `{ body }`, or `{ refusal }` with the server's reason, or
 * `{ lost }` with a reason if nobody knows what the server has done. Only a green verdict makes room for
 * those that wait.
 */
export function answered(state, request, answer) {
  if (state.phase.request !== request) return state;
  const outcome = { request, ...outcomeOf(request, answer) };
  if (outcome.tone === "ask") return { ...state, phase: { kind: "question", request, outcome } };
  const others = state.recent.filter((one) => one.request !== request && !isUndone(one, outcome));
  const next = {
    ...state,
    phase: { kind: "result", outcome },
    recent: [outcome, ...others].slice(0, mostListed),
  };
  return outcome.tone === "good" ? advanced(next) : next;
}

const isUndone = (one, { word, request }) =>
  word === "undone" && one.body?.sequence !== undefined && one.body.sequence === request.body.sequence;

function outcomeOf({ path, name }, { body, refusal, lost }) {
  const isUndo = path !== "";
  if (lost !== undefined) return { tone: "bad", word: "unknownResult", name, reason: lost, isLost: true };
  if (refusal !== undefined)
    return isUndo
      ? { tone: "bad", word: "notUndone", name, reason: refusal }
      : { tone: "bad", word: "notChecked", name, reason: refusal, why: "scanAgain" };
  if (isUndo) return { tone: "", word: "undone", name };
  // A verdict that this page does not know is a refusal.
  const [tone, word, why] = verdicts.get(body.verdict) ?? ["bad", "notValid", null];
  // The server names nobody of another meeting.
  const isElsewhere = body.verdict === "notForThisSession" && !body.name;
  return { tone, word, why: isElsewhere ? "otherMeeting" : why, name: body.name ?? name, body };
}

/** Lets the next request go to the server, unless one is there or the staff must decide first. */
function advanced(state) {
  const [request, ...waiting] = state.waiting;
  if (!request || ["checking", "question"].includes(state.phase.kind)) return state;
  return { ...state, phase: { kind: "checking", request }, waiting };
}
