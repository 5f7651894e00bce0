// An attendee's own page while it is open: questions that open appear, and results that are shared move. Results are shown of what has been
// answered, so that nobody's answer follows the others'.
import { Rooms } from "./rooms.js";
import { answered, listen, say } from "./page.js";
import { drawTally } from "./tallies.js";

let followed = null;

/** The page that an answer leads to goes on with the connection that is open. */
export function follow(section) {
  const { receipt, session } = section.dataset;
  if (followed?.receipt === receipt) return followed.moveTo(section);
  followed?.end();
  followed = following(section, receipt, session);
}

function following(place, receipt, session) {
  let section = place;
  const tallies = new Map();
  const sets = new Map();
  // Sets that were open when the page was last asked for their forms.
  const asked = new Set();
  const rooms = new Rooms({ authorize: receipt });
  rooms.join(`audience:${session}`, (message) => {
    if (message.refused) return rooms.close();
    if (message.snapshot) {
      tallies.clear();
      sets.clear();
    }
    for (const set of message.snapshot?.sets ?? message.sets ?? []) sets.set(set.set, set);
    for (const tally of message.snapshot?.tallies ?? (message.tally ? [message.tally] : [])) tallies.set(tally.questionId, tally);
    draw();
    lookForForms();
  });

  const formOf = (name) => document.querySelector(`form.feedback[data-set="${CSS.escape(name)}"]`);

  function draw() {
    for (const line of document.querySelectorAll(".sharing")) {
      const set = sets.get(line.dataset.set);
      const text = say(set?.shared ? "isShared" : "notShared");
      if (set && line.textContent !== text) line.textContent = text;
    }
    const shared = [...tallies.values()].filter((tally) => sets.get(tally.set)?.shared !== false && !formOf(tally.set));
    if (!shared.length) return section.replaceChildren();
    const heading = document.createElement("h2");
    heading.textContent = say("results");
    const places = shared.map((tally) => {
      const place = document.createElement("article");
      place.className = "tally";
      drawTally(place, tally, sets.get(tally.set));
      return place;
    });
    section.replaceChildren(heading, ...places);
  }

  function lookForForms() {
    const open = [...sets.values()].filter((set) => set.open).map((set) => set.set);
    for (const name of asked) if (!open.includes(name)) asked.delete(name);
    // What has just been answered is not asked for: a request at that moment would tell the server's log who it was.
    const missing = open.filter((name) => !asked.has(name) && !answered.has(name) && !formOf(name));
    for (const name of open) asked.add(name);
    // A hall full of phones hears of it at the same moment.
    if (missing.length) setTimeout(() => fetchForms(missing), Math.random() * 800);
  }

  async function fetchForms(names) {
    if (!section.isConnected) return;
    try {
      const answer = await fetch(section.dataset.page, { headers: { Accept: "text/html" } });
      if (!answer.ok) throw new Error(answer.status);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const forms = [...page.querySelectorAll("form.feedback")].filter((form) => names.includes(form.dataset.set) && !formOf(form.dataset.set));
      if (!forms.length || !section.isConnected) return;
      const arrived = document.createElement("div");
      arrived.className = "arrived";
      const word = document.createElement("p");
      word.className = "done";
      word.setAttribute("role", "status");
      arrived.append(word, ...forms);
      section.before(arrived);
      listen(arrived);
      word.textContent = say("opened");
      draw();
    } catch {
      // The next frame asks again.
      for (const name of names) asked.delete(name);
    }
  }

  function moveTo(next) {
    section = next;
    draw();
  }

  return { receipt, moveTo, end: () => rooms.close() };
}
