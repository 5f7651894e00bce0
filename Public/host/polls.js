// Polls of a session: asking one, closing it, asking it again, and copies.
import { call, get, tagOf } from "./api.js";
import { nextPollName, summaryOf } from "./sets.js";

/** Returns the set as the room has sent it last: a button may be older. */
const newest = (model, { set }) => model.sets.get(set);
const pathOf = (model) => `/api/v1/sessions/${model.session.id}`;

/** Returns the questions and texts of a set without ids, for a new set. */
async function copyOf(model, { set, anonymous }) {
  const { questions, title, titles, description, descriptions } = await get(
    `${pathOf(model)}/questions?set=${encodeURIComponent(set)}`,
  );
  // A rule that compares with another question names it by its id, which the copy does not have.
  const copies = questions
    .filter((question) => !question.hidden)
    .map(({ id, name, rules = [], eligibility = [], branches, ...question }) => {
      const own = (tests) => tests.filter((test) => test.question === undefined);
      return { ...question, rules: own(rules), eligibility: own(eligibility) };
    });
  return { questions: copies, anonymous, title, titles, description, descriptions };
}

/** Creates a closed poll with these questions, and returns it. */
async function create(model, poll) {
  const path = `${pathOf(model)}/questions?set=${nextPollName(model)}`;
  const made = await call("PUT", path, { body: poll });
  model.take({ sets: [summaryOf(made)] });
  return made;
}

/** Changes the switches of a set, such as `{ open: true, shared: false }`, and returns it. */
export async function change(model, set, switches) {
  const path = `${pathOf(model)}/sets/${encodeURIComponent(set.set)}`;
  const edited = await call("PATCH", path, { body: switches, etag: tagOf(newest(model, set)) });
  model.take({ sets: [summaryOf(edited)] });
  return edited;
}

/** Creates a poll with one question and opens it on every phone. */
export async function askPoll(model, { question, anonymous, shared }) {
  return change(model, await create(model, { questions: [question], anonymous }), { open: true, shared });
}

/** Asks a poll that has answers again, as a new poll. */
export async function askAgain(model, set) {
  return change(model, await duplicate(model, set), { open: true, shared: false });
}

/** Returns a closed copy of a poll. */
export const duplicate = async (model, set) => create(model, await copyOf(model, set));

/** Deletes the questions of a set that nobody has answered. A set without questions is not shown. */
export async function remove(model, set) {
  const path = `${pathOf(model)}/questions?set=${encodeURIComponent(set.set)}`;
  const emptied = await call("PUT", path, { body: { questions: [] }, etag: tagOf(newest(model, set)) });
  model.take({ sets: [summaryOf(emptied)] });
}

/** Reads the sets again, after another host was faster. */
export async function reloadSets(model) {
  model.take({ sets: (await get(`${pathOf(model)}/sets`)).items });
}
