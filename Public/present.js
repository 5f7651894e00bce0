import { tokenOfLink } from "./link-token.js";
import { choiceAfter, emptyRoom, noChoice, roomAfter, sceneOf, stepped } from "./present-scene.js";
import { screenKeys } from "./present-screen.js";
import { Rooms } from "./rooms.js";
import { t } from "./words.js";

// The hall's screen: one room, and one scene at a time beside the code.
const page = document.body;
const session = page.dataset.session;
const key = `qring-presenter-${session}`;

let token = tokenOfLink(key);

// A member who is signed in on this screen needs no link, and can share results.
const isSignedIn = page.dataset.signedIn === "true";
const hall = { mayShare: isSignedIn && !token };
document.querySelector("footer [data-key=s]").hidden = !hall.mayShare;

/** The module of each scene that has one. `running` shows only the code and the counts. */
const modules = {
  start: () => import("./present-start.js"),
  question: () => import("./present-question.js"),
  results: () => import("./present-results.js"),
  audience: () => import("./present-audience.js"),
  thanks: () => import("./present-thanks.js"),
};
const scenes = new Map();
let current = null;

let room = emptyRoom;
let choice = noChoice;
let serverIsAhead = 0;
let shownUrl = null;
const serverNow = () => Date.now() + serverIsAhead;
const isOver = () => room.session !== null && serverNow() >= Date.parse(room.session.endsAt);
const sceneNow = () => sceneOf(room, choice, serverNow());

const rooms = new Rooms({ authorize: token, onState: showState });
rooms.join(`presenter:${session}`, apply);
// The clock alone changes the scene at the start and at the end.
setInterval(draw, 1000);
addEventListener("resize", draw);

function showState(state) {
  if (state.name === "over" && state.reason === "notAuthorized" && token && isSignedIn) {
    // The link has expired. A signed-in member continues without the link.
    sessionStorage.removeItem(key);
    token = null;
    return location.reload();
  }
  if (state.name === "live") return showText(t("live"), true);
  if (state.name !== "over") return showText(t("reconnecting"), false);
  // A link works until the session's end. The last scene stays on the screen.
  if (isOver()) return showText("", false);
  showText(token ? t("linkOver") : t("linkNeeded"), false);
}

function apply(message) {
  if (message.refused) {
    // The page does not retry, because the server would refuse the join again.
    rooms.close();
    return showText(token || isSignedIn ? message.refused.detail : t("linkNeeded"), false);
  }
  if (message.now) serverIsAhead = Date.parse(message.now) - Date.now();
  const before = room;
  room = roomAfter(room, message);
  choice = choiceAfter(choice, before, room);
  if (room.session) showSession(room.session);
  if (room.attendance) showCount(room.attendance);
  if (room.code) showCode(room.code);
  draw();
}

/** Shows the scene of this moment. Loads its module first if necessary. */
function draw() {
  const scene = sceneNow();
  const { name } = scene;
  page.classList.toggle("over", isOver());
  if (current !== name) {
    scenes.get(current)?.end?.();
    current = name;
    page.dataset.scene = name;
    for (const box of document.querySelectorAll(".scene")) box.hidden = box.id !== name;
    press("q", name === "start" || name === "running");
    press("r", name === "results" || name === "question");
    press("a", name === "audience");
    press("t", name === "thanks");
  }
  if (!modules[name] || !room.session) return;
  const module = scenes.get(name);
  if (module) module.show(room, scene, serverNow());
  else load(name).then(draw, () => {});
}

/** Loads the module of a scene once. A failure is not stored, so the next frame tries again. */
async function load(name) {
  const { scene } = await modules[name]();
  if (!scenes.has(name)) scenes.set(name, scene(document.getElementById(name), hall));
}

// Each action has a key, and a button for screens without a keyboard. A clicker sends PageUp and PageDown,
// and B or a full stop for a black screen.
const forwards = () => step(1);
const back = () => step(-1);
const keys = {
  q: () => choose("code"),
  Escape: () => choose("code"),
  r: () => choose(["results", "question"].includes(sceneNow().name) ? "code" : "results"),
  a: () => choose(sceneNow().name === "audience" ? "code" : "audience"),
  t: () => choose(sceneNow().name === "thanks" ? "code" : "thanks"),
  ArrowRight: forwards,
  ArrowDown: forwards,
  PageDown: forwards,
  ArrowLeft: back,
  ArrowUp: back,
  PageUp: back,
  s: share,
  n: toggleNames,
  ...screenKeys(press),
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // The position of the key decides, because Korean letters are on the same keys and an input method hides
  // the letter.
  const action =
    keys[/^Key([A-Z])$/.exec(event.code)?.[1].toLowerCase()] ??
    keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (action) event.preventDefault();
  action?.();
});
for (const button of document.querySelectorAll("footer button"))
  button.addEventListener("click", () => keys[button.dataset.key]());

function choose(view) {
  choice = { ...choice, view, ...(view === "audience" && { question: view }) };
  draw();
}

function step(by) {
  if (scenes.get(current)?.turn?.(by)) return;
  choice = stepped(room, choice, by, serverNow());
  draw();
}

let names = null;

async function toggleNames() {
  names ??= import("./present-names.js").then(({ showNames }) => showNames(session));
  press("n", (await names).toggle());
}

/** Shares results, if a member is signed in at this screen. */
async function share() {
  if (!hall.mayShare) return;
  const refusal = await (await import("./present-sets.js")).share(session, room, sceneNow());
  if (refusal) showText(refusal, false);
}

function press(name, isPressed) {
  document.querySelector(`footer [data-key="${name}"]`).setAttribute("aria-pressed", isPressed);
}

function showText(text, isLive) {
  document.getElementById("state").textContent = text;
  page.classList.toggle("live", isLive);
}

function showSession({ meetingName, meetingAccent }) {
  showAccent(meetingAccent ? `accent-${meetingAccent}` : "");
  const name = document.getElementById("name");
  if (name.textContent === meetingName) return;
  name.textContent = document.title = meetingName;
  // The name is never cut: a long name is smaller.
  name.style.setProperty("--length", meetingName.length);
  // The other scenes are loaded after the first paint, so that a poll never waits for them.
  for (const scene of Object.keys(modules)) load(scene).catch(() => {});
}

function showAccent(accent) {
  const other = [...page.classList].filter((name) => name.startsWith("accent-") && name !== accent);
  page.classList.remove(...other);
  if (accent) page.classList.add(accent);
}

function showCount({ checkedIn, planned, inside }) {
  const count = document.getElementById("count");
  count.textContent = checkedIn;
  count.style.setProperty("--digits", count.textContent.length);
  const words = [
    planned > 0 && t("ofPlanned", { count: planned }),
    inside !== undefined && t("insideNow", { count: inside }),
  ];
  document.getElementById("planned").textContent = words.filter(Boolean).join(" · ");
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
