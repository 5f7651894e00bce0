// The sample meeting: a real one with prepared polls, in which invented attendees check in and answer while
// this page is open, for about ten minutes.
import { get, NotSent, post, Problem } from "./api.js";
import { announce } from "./dom.js";
import { examples } from "./examples.js";
import { nowForTwoHours } from "./new-meeting.js";
import { language, t } from "./words.js";

const pause = 1500;
/** The steps of the attendees, each after a pause. The meeting then stays as it is. */
const mostSteps = 400;

const titled = (name) => ({ title: examples[name][language], titles: examples[name] });
const choices = (names) =>
  names.map((name) => ({ label: examples[name][language], labels: examples[name] }));
const polls = () => [
  { kind: "multipleChoice", ...titled("pace"), choices: choices(["paceSlow", "paceRight", "paceFast"]) },
  { kind: "wordCloud", ...titled("words"), maxWords: 1 },
  { kind: "yesNo", ...titled("yesNo") },
];

/** The meeting that this page has begun to make. After a lost answer, the next press completes it. */
let begun = null;

/** Creates the meeting, starts the attendees, and returns the id of the session. */
export async function startSample(timeZone) {
  begun ??= {
    session: null,
    left: polls(),
    body: {
      name: t("sampleName"),
      timeZone,
      identifyBy: "name",
      regulars: "nobody",
      plannedCount: t("sampleGuests").split(", ").length,
      session: {
        ...nowForTwoHours(),
        allowOverlap: true,
        anonymous: false,
        questions: [{ kind: "rating", ...titled("rating") }],
      },
    },
  };
  begun.session ??= (await post("/api/v1/meetings", begun.body)).session;
  const { session, left } = begun;
  const path = `/api/v1/sessions/${session.id}`;
  while (left.length) {
    await post(`${path}/polls`, { questions: [left[0]], anonymous: false });
    left.shift();
  }
  begun = null;
  run(path, session.joinCode);
  announce(t("sampleRuns"));
  return session.id;
}

/** Lets one more attendee check in, and others answer the open sets, after each pause. */
async function run(path, joinCode) {
  const names = t("sampleGuests").split(", ");
  const people = [];
  for (let step = 0; step < mostSteps; step += 1) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      if (people.length < names.length) {
        const { receipt } = await send("/api/v1/check-ins", { joinCode, name: names[people.length] });
        people.push({ receipt, number: people.length, answered: new Set() });
      }
      const { items } = await get(`${path}/sets`);
      for (const { set, open } of items) if (open) await answer(path, set, people);
    } catch (error) {
      if (error instanceof NotSent) continue;
      if (!(error instanceof Problem)) throw error;
      // The host has deleted the meeting or signed out. Other refusals concern one step: a poll was closed.
      if ([401, 403, 404].includes(error.status)) return;
    }
  }
}

/** Lets two attendees answer a set that they have not answered yet. */
async function answer(path, set, people) {
  const waiting = people.filter(({ answered }) => !answered.has(set)).slice(0, 2);
  if (!waiting.length) return;
  const { questions } = await get(`${path}/questions?set=${set}`);
  for (const { receipt, number, answered } of waiting) {
    answered.add(set);
    const given = questions.map((question) => [question.id, invented(question, number)]);
    const answers = Object.fromEntries(given.filter(([, value]) => value !== undefined));
    if (Object.keys(answers).length) await send(`${path}/responses`, { set, answers }, receipt);
  }
}

/** Returns an answer to a question of the kinds above; undefined for others, which the host may add. */
function invented({ kind, choices: offered = [], scale = 5 }, number) {
  const words = t("sampleWords").split(", ");
  switch (kind) {
    case "multipleChoice":
      return [offered[(number * number) % offered.length].id];
    case "wordCloud":
      return [words[(number * number) % words.length]];
    case "yesNo":
      return number % 3 ? "yes" : "no";
    case "rating":
      return Math.max(1, scale - (number % 3));
    default:
      return undefined;
  }
}

/** Sends a request as an attendee, without the host's sign-in. */
async function send(path, body, receipt) {
  const headers = { "Content-Type": "application/json", "Accept-Language": language };
  if (receipt) headers.Authorization = `Bearer ${receipt}`;
  const sent = fetch(path, { method: "POST", credentials: "omit", headers, body: JSON.stringify(body) });
  const reply = await sent.catch(() => {
    throw new NotSent();
  });
  if (!reply.ok) throw new Problem(reply.status, {});
  return reply.json();
}
