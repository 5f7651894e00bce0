// The sample meeting: a real one with prepared questions, in which invented guests check in and answer while
// this page is open, whatever view it shows.
import { get, NotSent, post, Problem } from "./api.js";
import { announce } from "./dom.js";
import { examples } from "./examples.js";
import { language, t } from "./words.js";

const twoHours = 7_200_000;
const pause = 1500;
/** The rounds of the guests, each after a pause. The meeting then stays as it is. */
const mostRounds = 400;

const titled = (name) => ({ title: examples[name][language], titles: examples[name] });
const choices = (names) =>
  names.map((name) => ({ label: examples[name][language], labels: examples[name] }));
const polls = () => [
  { kind: "multipleChoice", ...titled("pace"), choices: choices(["paceSlow", "paceRight", "paceFast"]) },
  { kind: "wordCloud", ...titled("words"), maxWords: 1 },
  { kind: "yesNo", ...titled("yesNo") },
];

/** Creates the meeting, starts the guests, and returns the id of the session. */
export async function startSample(timeZone) {
  const now = Date.now();
  const { session } = await post("/api/v1/meetings", {
    name: t("sampleName"),
    timeZone,
    identifyBy: "name",
    regulars: "nobody",
    plannedCount: t("sampleGuests").split(", ").length,
    session: {
      startsAt: new Date(now).toISOString(),
      endsAt: new Date(now + twoHours).toISOString(),
      allowOverlap: true,
      anonymous: false,
      questions: [{ kind: "rating", ...titled("rating") }],
    },
  });
  const path = `/api/v1/sessions/${session.id}`;
  for (const question of polls()) await post(`${path}/polls`, { questions: [question], anonymous: false });
  run(path, session.joinCode);
  announce(t("sampleRuns"));
  return session.id;
}

/** Lets one more guest check in, or answer the open sets, after each pause. Ends with the first refusal. */
async function run(path, joinCode) {
  const names = t("sampleGuests").split(", ");
  const guests = [];
  try {
    for (let round = 0; round < mostRounds; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (document.hidden) continue;
      if (guests.length < names.length) {
        const { receipt } = await guest("/api/v1/check-ins", { joinCode, name: names[guests.length] });
        guests.push({ receipt, number: guests.length, answered: new Set() });
      }
      const { items } = await get(`${path}/sets`);
      for (const { set, open } of items) if (open) await answer(path, set, guests);
    }
  } catch (error) {
    // The host has deleted the meeting, signed out, or renewed the code.
    if (!(error instanceof Problem) && !(error instanceof NotSent)) throw error;
  }
}

/** Lets two guests answer a set whose questions they have not answered yet. */
async function answer(path, set, guests) {
  const waiting = guests.filter(({ answered }) => !answered.has(set)).slice(0, 2);
  if (!waiting.length) return;
  const { questions } = await get(`${path}/questions?set=${set}`);
  for (const { receipt, number, answered } of waiting) {
    answered.add(set);
    const given = questions.map((question) => [question.id, invented(question, number)]);
    const answers = Object.fromEntries(given);
    await guest(`${path}/responses`, { set, answers }, receipt);
  }
}

/** Returns an answer to one of the questions above; to others, which the host may add, none. */
function invented({ kind, choices: offered = [] }, number) {
  const words = t("sampleWords").split(", ");
  switch (kind) {
    case "multipleChoice":
      return [offered[(number * number) % offered.length].id];
    case "wordCloud":
      return [words[(number * number) % words.length]];
    case "yesNo":
      return number % 3 ? "yes" : "no";
    case "rating":
      return 3 + (number % 3);
    default:
      return undefined;
  }
}

/** Sends a request as a guest, without the host's sign-in. */
async function guest(path, body, receipt) {
  const headers = { "Content-Type": "application/json", "Accept-Language": language };
  if (receipt) headers.Authorization = `Bearer ${receipt}`;
  const sent = fetch(path, { method: "POST", credentials: "omit", headers, body: JSON.stringify(body) });
  const reply = await sent.catch(() => {
    throw new NotSent();
  });
  if (!reply.ok) throw new Problem(reply.status, {});
  return reply.json();
}
