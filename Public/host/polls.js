// Polls of a session: asking one, closing it, asking it again, copies, their order, and their deletion.
import { byPlace } from "/tallies.js";
import { call, post, tagOf } from "./api.js";
import { inTurn } from "./fields.js";
import { feedback, readSets, summaryOf } from "./sets.js";

/** Returns the set as the room has sent it last: a button may be older. */
const newest = (model, { set }) => model.sets.get(set);
const asUpdate = (set) => ({ sets: [summaryOf(set)] });
const pathOf = (model) => `/api/v1/sessions/${model.session.id}`;

/**
 * Creates a poll, and returns it. `poll` has questions, or `copyOf`, the name of a set whose questions are
 * asked again. With `open`, the poll is on every phone at once.
 */
export async function create(model, poll) {
  return await model.takeAnswer(post(`${pathOf(model)}/polls`, poll), asUpdate);
}

/** For each set whose switches a host has changed here: runs its changes one after the other. */
const turns = new Map();

/** Changes the switches of a set, such as `{ open: true, shared: false }`, and returns it. */
export function change(model, set, switches) {
  const path = `${pathOf(model)}/sets/${encodeURIComponent(set.set)}`;
  if (!turns.has(path)) turns.set(path, inTurn());
  return turns.get(path)(async () => {
    const request = call("PATCH", path, { body: switches, etag: tagOf(newest(model, set)) });
    return await model.takeAnswer(request, asUpdate);
  });
}

/** Asks a poll that has answers again, as a new poll. */
export const askAgain = (model, { set }) => create(model, { copyOf: set, open: true });

/** Returns a closed copy of a poll. */
export const duplicate = (model, { set }) => create(model, { copyOf: set });

/** Moves a set to the place before the set `next`, or behind all others. */
export async function move(model, set, next = null) {
  const isOther = (one) => ![feedback, set.set].includes(one.set);
  const others = [...model.sets.values()].filter(isOther).sort(byPlace);
  const place = next ? others.findIndex((one) => one.set === next.set) : others.length;
  await change(model, set, { position: place + 1 });
  // The other sets have new places, too.
  await readSets(model);
}

/** Deletes a poll that has `responses` answers as far as the host knows. The server refuses if 0 is wrong. */
export async function remove(model, { set }, { responses }) {
  const confirmed = responses ? `?confirm=${encodeURIComponent(set)}` : "";
  const request = call("DELETE", `${pathOf(model)}/sets/${encodeURIComponent(set)}${confirmed}`);
  await model.takeAnswer(request, () => ({ removedSets: [set] }));
}
