// Polls of a session: asking one, closing it, asking it again, copies, their order, and their deletion.
import { byPlace } from "/tallies.js";
import { call, get, post, tagOf } from "./api.js";
import { inTurn } from "./fields.js";
import { feedback, summaryOf } from "./sets.js";

/** Returns the set as the room has sent it last: a button may be older. */
const newest = (model, { set }) => model.sets.get(set);
const pathOf = (model) => `/api/v1/sessions/${model.session.id}`;

/**
 * Creates a poll, and returns it. `poll` has questions, or `copyOf`, the name of a set whose questions are
 * asked again. With `open`, the poll is on every phone at once.
 */
export async function create(model, poll) {
  const made = await post(`${pathOf(model)}/polls`, poll);
  model.take({ sets: [summaryOf(made)] });
  return made;
}

/** For each set whose switches a host has changed here: runs its changes one after the other. */
const turns = new Map();

/** Changes the switches of a set, such as `{ open: true, shared: false }`, and returns it. */
export function change(model, set, switches) {
  const path = `${pathOf(model)}/sets/${encodeURIComponent(set.set)}`;
  if (!turns.has(path)) turns.set(path, inTurn());
  return turns.get(path)(async () => {
    const edited = await call("PATCH", path, { body: switches, etag: tagOf(newest(model, set)) });
    model.take({ sets: [summaryOf(edited)] });
    return edited;
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
  await reloadSets(model);
}

/** Deletes a poll that has `responses` answers as far as the host knows. The server refuses if 0 is wrong. */
export async function remove(model, { set }, { responses }) {
  const confirmed = responses ? `?confirm=${encodeURIComponent(set)}` : "";
  await call("DELETE", `${pathOf(model)}/sets/${encodeURIComponent(set)}${confirmed}`);
  model.take({ removedSets: [set] });
}

/** Reads the sets again, after another host was faster. */
export async function reloadSets(model) {
  model.take({ sets: (await get(`${pathOf(model)}/sets`)).items });
}
