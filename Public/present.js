import { Rooms } from "./rooms.js";
import { showTallies } from "./present-results.js";
import { showNames } from "./present-names.js";
import { t } from "./words.js";

// The projector: one room, the code and the count. The token of the link is in the fragment, which no server
// sees. The page moves it from the address bar to the tab's storage, so that a photo of the screen does not
// contain it.
const page = document.body;
const session = page.dataset.session;
const room = `presenter:${session}`;
const key = `qring-presenter-${session}`;

if (location.hash.length > 1) {
  sessionStorage.setItem(key, location.hash.slice(1));
  history.replaceState(null, "", location.pathname + location.search);
}
let token = sessionStorage.getItem(key);

let shownUrl = null;
// A member who is signed in on this screen needs no link, and can share results.
const isSignedIn = page.dataset.signedIn === "true";
const results = showTallies({ mayShare: isSignedIn && !token });
const names = showNames(session);
let rooms = null;
follow();

function follow() {
  rooms = new Rooms({ authorize: token, onState: showState });
  rooms.join(room, apply);
}

function showState(state) {
  if (state.name === "over" && state.reason === "notAuthorized" && token && isSignedIn) {
    // The link has expired. A signed-in member continues without the link.
    sessionStorage.removeItem(key);
    token = null;
    return location.reload();
  }
  if (state.name === "over") showText(token ? t("linkOver") : t("linkNeeded"), false);
  else if (state.name === "live") showText(t("live"), true);
  else showText(t("reconnecting"), false);
}

function apply(message) {
  if (message.refused) {
    // The page does not retry, because the server would refuse the join again.
    rooms.close();
    return showText(token || isSignedIn ? message.refused.detail : t("linkNeeded"), false);
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

// Each action has a key, and a button for screens without a keyboard. The arrows change the question.
const keys = {
  q: () => show("code"),
  Escape: () => show("code"),
  r: () => show(isShown("results") ? "code" : "results"),
  ArrowRight: () => turn(1),
  ArrowLeft: () => turn(-1),
  s: () => isShown("results") && results.share(session),
  n: () => press("n", names.toggle()),
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // The position of the key decides, because Korean letters are on the same keys and an input method hides
  // the letter.
  (
    keys[/^Key([A-Z])$/.exec(event.code)?.[1].toLowerCase()] ??
    keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]
  )?.();
});
for (const button of document.querySelectorAll("footer button"))
  button.addEventListener("click", () => keys[button.dataset.key]());

function isShown(id) {
  return !document.getElementById(id).hidden;
}

function turn(by) {
  // The first key press only shows the current question.
  if (isShown("results")) results.turn(by);
  else show("results");
}

function show(view) {
  document.getElementById("check-in").hidden = view !== "code";
  document.getElementById("results").hidden = view !== "results";
  press("q", view === "code");
  press("r", view === "results");
}

function press(name, isPressed) {
  document.querySelector(`footer [data-key="${name}"]`).setAttribute("aria-pressed", isPressed);
}

function showText(text, isLive) {
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
    attendance.planned > 0 ? t("ofPlanned", { count: attendance.planned }) : "";
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
