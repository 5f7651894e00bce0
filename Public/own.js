// Updates an attendee's own page: adds questions when they open, and updates shared results. The page shows
// the results of a set only after the attendee has answered it, so that other answers do not influence the
// attendee.
import { Rooms } from "./rooms.js";
import { answered, listen, t } from "./page.js";
import { drawTally } from "./tallies.js";

let followed = null;

/** Follows the session of a page. The page after an answer reuses the open connection. */
export function follow(section) {
  const { receipt, session } = section.dataset;
  if (followed?.receipt === receipt) return followed.moveTo(section);
  followed?.end();
  followed = following(section, receipt, session);
}

function following(first, receipt, session) {
  let section = first;
  const tallies = new Map();
  const sets = new Map();
  // The sets that were open when the page last fetched forms.
  const asked = new Set();
  const rooms = new Rooms({ authorize: receipt });
  rooms.join(`audience:${session}`, (message) => {
    if (message.refused) return rooms.close();
    if (message.snapshot) {
      tallies.clear();
      sets.clear();
    }
    for (const set of message.snapshot?.sets ?? message.sets ?? []) sets.set(set.set, set);
    for (const tally of message.snapshot?.tallies ?? (message.tally ? [message.tally] : []))
      tallies.set(tally.questionId, tally);
    draw();
    lookForForms();
  });

  const formOf = (name) => document.querySelector(`form.feedback[data-set="${CSS.escape(name)}"]`);

  function draw() {
    for (const line of document.querySelectorAll(".sharing")) {
      const set = sets.get(line.dataset.set);
      const text = t(set?.shared ? "isShared" : "notShared");
      if (set && line.textContent !== text) line.textContent = text;
    }
    const shared = [...tallies.values()].filter(
      (tally) => sets.get(tally.set)?.shared !== false && !formOf(tally.set),
    );
    if (!shared.length) return section.replaceChildren();
    const heading = document.createElement("h2");
    heading.textContent = t("results");
    const places = shared.map((tally) => {
      const article = document.createElement("article");
      article.className = "tally";
      drawTally(article, tally, sets.get(tally.set), t);
      return article;
    });
    section.replaceChildren(heading, ...places);
  }

  function lookForForms() {
    const open = [...sets.values()].filter((set) => set.open).map((set) => set.set);
    for (const name of asked) if (!open.includes(name)) asked.delete(name);
    // The page does not fetch a set that was just answered, because a request at that moment would reveal in
    // the server's log which attendee answered.
    const missing = open.filter((name) => !asked.has(name) && !answered.has(name) && !formOf(name));
    for (const name of open) asked.add(name);
    // All phones in a hall receive this update at the same moment, so a random delay spreads their requests.
    if (missing.length) setTimeout(() => fetchForms(missing), Math.random() * 800);
  }

  async function fetchForms(names) {
    if (!section.isConnected) return;
    try {
      const answer = await fetch(section.dataset.page, { headers: { Accept: "text/html" } });
      if (!answer.ok) throw new Error(answer.status);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const forms = [...page.querySelectorAll("form.feedback")].filter(
        (form) => names.includes(form.dataset.set) && !formOf(form.dataset.set),
      );
      if (!forms.length || !section.isConnected) return;
      const arrived = document.createElement("div");
      arrived.className = "arrived";
      const word = document.createElement("p");
      word.className = "done";
      word.setAttribute("role", "status");
      arrived.append(word, ...forms);
      section.before(arrived);
      listen(arrived);
      word.textContent = t("opened");
      draw();
    } catch {
      // An error is ignored, because the page tries again after the next frame.
      for (const name of names) asked.delete(name);
    }
  }

  function moveTo(next) {
    section = next;
    draw();
  }

  return { receipt, moveTo, end: () => rooms.close() };
}
