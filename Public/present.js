import { Rooms } from "./rooms.js";
import { showTallies } from "./present-results.js";
import { showNames } from "./present-names.js";

// The projector: one room, the code and the count. The link's token is in the fragment, which no server sees; it is taken out of the address
// bar and kept for this tab, so that a photo of the screen does not give it away.
const page = document.body;
const session = page.dataset.session;
const room = `presenter:${session}`;
const key = `qring-presenter-${session}`;

if (location.hash.length > 1) {
  sessionStorage.setItem(key, location.hash.slice(1));
  history.replaceState(null, "", location.pathname + location.search);
}
const token = sessionStorage.getItem(key);

let shownUrl = null;

const results = showTallies();
const names = showNames(session);
const rooms = new Rooms({ authorize: token, onState: showState });
rooms.join(room, apply);

function showState(state) {
  if (state.name === "over") say(page.dataset.over, false);
  else if (state.name === "live") say(page.dataset.live, true);
  else say(page.dataset.reconnecting, false);
}

function apply(message) {
  if (message.refused) {
    // What may not be joined now may not be joined in a moment either.
    rooms.close();
    return say(message.refused.detail, false);
  }
  const { snapshot } = message;
  results.apply(message);
  if (snapshot) {
    showSession(snapshot.session);
    if (snapshot.code) showCode(snapshot.code);
  }
  if (message.session) showSession(message.session);
  if (message.attendance) showCount(message.attendance);
  if (message.code) showCode(message.code);
}

// One key each; arrows go through the questions.
const keys = {
  q: () => show("code"), r: () => show("results"), n: names.toggle,
  ArrowRight: () => results.turn(1), ArrowLeft: () => results.turn(-1),
  // A Korean keyboard's letters lie on the same keys.
  ㅂ: () => keys.q(), ㄱ: () => keys.r(), ㅜ: () => keys.n(),
};
addEventListener("keydown", (event) => {
  if (!event.ctrlKey && !event.metaKey && !event.altKey) keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]?.();
});

function show(view) {
  document.getElementById("check-in").hidden = view !== "code";
  document.getElementById("results").hidden = view !== "results";
}

function say(text, isLive) {
  document.getElementById("state").textContent = text;
  page.classList.toggle("live", isLive);
}

function showSession(session) {
  document.getElementById("name").textContent = session.meetingName;
  document.title = session.meetingName;
  showCount(session.attendance);
}

function showCount(attendance) {
  const count = document.getElementById("count");
  count.textContent = attendance.checkedIn;
  count.style.setProperty("--digits", count.textContent.length);
  document.getElementById("planned").textContent =
    attendance.planned > 0 ? page.dataset.planned.replace("{count}", attendance.planned) : "";
}

async function showCode(code) {
  document.getElementById("join").textContent = code.joinCode;
  if (code.url === shownUrl) return;
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const answer = await fetch(`/api/v1/sessions/${session}/qr.svg`, { headers });
  if (!answer.ok) return;
  const picture = document.getElementById("code");
  const old = picture.src;
  picture.src = URL.createObjectURL(await answer.blob());
  picture.alt = code.url;
  shownUrl = code.url;
  if (old) URL.revokeObjectURL(old);
}
