// A kiosk: a tablet at which guests check themselves in by their names or passes. It shows no list, and of a
// name no more than a guest has typed. `phase` is what the large field shows; each phase ends by itself, by a
// button or by a key. The typed text is the guest's, so it stays until the guest is in, or goes away.
import { mayUseCamera } from "./door-camera.js";
import { button, cameraButtonOf, focusLine, isPassText, line, takeKeys, timeOf } from "./door-parts.js";
import { fill, h, setText } from "./host/dom.js";
import { newKey } from "./key.js";
import { tokenOfLink } from "./link-token.js";
import { afterPress } from "./press.js";
import { t } from "./words.js";

const page = document.body;
const root = document.documentElement;
const [main, nav] = ["main", "languages"].map((id) => document.getElementById(id));
/** The name and the words of each language. */
const languages = new Map(JSON.parse(page.dataset.languages).map((one) => [one.tag, one]));
const ownLanguage = root.lang;
const path = `/api/v1/sessions/${page.dataset.session}/kiosk`;

/** How long a result stays, a message, and anything else without a key, in milliseconds. */
const [resultStays, messageStays, textStays] = [4000, 8000, 15_000];
/** How long an answer stays while the next pass waits. */
const shortResultStays = 1500;
/** The limit of a request, the pause before a repetition, and between two looks at the session. */
const [longestRequest, retryPause, lookPause] = [10_000, 3000, 20_000];
/** A lost request is repeated as often, and a longer pause that the server demands is not waited for. */
const [mostRetries, longestWait] = [20, 10_000];
/** The limit of requests ends within this time, and only that of wrong names lasts longer. */
const limitOfRequests = 61_000;
/** The pause after which a typed name is looked for, and the fewest letters that are. */
const [searchPause, fewestLetters] = [700, 3];
/** A scanner types its letters with shorter pauses than this, after a longer one. */
const longestGap = 300;
/** The characters that tell people of one name apart, and a text that is too long for them. */
const [endingLength, noEnding] = [2, 5];
/** A faster answer is shown without a "one moment" before it. */
const waitShows = 400;

const storageKey = `qring-kiosk-${page.dataset.session}`;
let token = tokenOfLink(storageKey);

let session = null;
let phase = { kind: "starting" };
/** The text of the last change, and the beginning of a name that nobody has. */
let [seen, missed] = ["", null];
/** The text before the letters that came fast, the whole text, and the moment of its last letter. */
let burst = { before: "", text: "", at: 0 };
/** A pass that was shown to the camera while another guest waited for an answer. */
let waiting = null;
let [clearing, locking, searching, retrying] = [0, 0, 0, 0];

const field = (id, attributes) =>
  h("input", {
    id,
    type: "text",
    autocomplete: "off",
    autocapitalize: "off",
    autocorrect: "off",
    spellcheck: "false",
    ...attributes,
  });

const said = h("div", { role: "status", "aria-live": "polite", "aria-atomic": "true" });
const actions = h("div", { class: "actions" });
const state = h("section", { id: "state" }, said, actions);
const input = field("text", { enterkeyhint: "search", maxlength: "500" });
const label = h("label", { for: "text" });
const hint = h("p", { class: "hint" });
const find = h("button", { type: "submit" });
const form = h("form", { onsubmit: submit }, label, h("div", { class: "line" }, input, find), hint);
const picture = h("div", { id: "camera" });
const cameraNote = h("p", { class: "note", role: "status" });
const camera = cameraButtonOf(
  picture,
  scan,
  (isFault) => setText(cameraNote, isFault ? t("noCamera") : ""),
  "user",
);

const typed = () => input.value.trim().replace(/\s+/g, " ").normalize();
/** Whether the guest must wait for an answer that checks somebody in. */
const isAdmitting = () => phase.request !== undefined && !phase.request.isSearch;
/** Whether the kiosk takes nothing from the next guest yet. */
const isBusy = () => isAdmitting() || waiting !== null;
const isOver = () => ["closed", "noLink"].includes(phase.kind);
const has = (kind) => phase.kind === kind;

// What the server is asked

/** Sends a request. Throws if the network or the server loses it. */
async function call(method, address, content, key) {
  const headers = { Authorization: `Bearer ${token}` };
  if (content) Object.assign(headers, { "Content-Type": "application/json", "Idempotency-Key": key });
  const answer = await fetch(address, {
    method,
    headers,
    body: content && JSON.stringify(content),
    signal: AbortSignal.timeout(longestRequest),
  });
  const { status } = answer;
  const body = await answer.json();
  // The answer of a proxy is none of the server.
  if (status >= 500 || (status >= 400 && !body.code)) throw new Error("lost");
  return { status, wait: 1000 * Number(answer.headers.get("Retry-After") ?? 0), body };
}

/** Looks for the typed name. `ending` tells people of one name apart. */
function search(ending = null, isPressed = false) {
  const name = typed();
  const content = ending ? { name, ending } : { name };
  return ask({ address: `${path}/people`, content, isSearch: true, isPressed });
}

const admit = (content) => !isBusy() && ask({ address: path, content, isSearch: false });

/** Sends a request of the guest. It keeps its key whenever it is sent, so that nobody comes in twice. */
async function ask(request) {
  request.key ??= newKey();
  request.count = (request.count ?? 0) + 1;
  become({ kind: "asking", request });
  let answer;
  try {
    answer = await call("POST", request.address, request.content, request.key);
  } catch {
    answer = null;
  }
  // Another key has replaced the request.
  if (phase.request !== request) return;
  if (!answer) return later(request, retryPause, "lost");
  take(answer, request);
}

/** Repeats a request after a pause, with its key. */
function later(request, pause, kind) {
  if (request.count > mostRetries) return become({ kind: "askStaff", isMessage: true });
  become({ kind, request });
  retrying = setTimeout(() => phase.request === request && ask(request), pause);
}

function take({ status, wait, body }, request) {
  if (isEnd(status)) return close();
  if (status === 429) {
    if (wait <= longestWait) return later(request, wait, "asking");
    return become({ kind: wait <= limitOfRequests ? "waitMinute" : "tooMany", isMessage: true });
  }
  if (status === 200) return show(body, request);
  // For example a sign that no name has.
  return become(request.isSearch ? { kind: "nobody" } : { kind: "askStaff", isMessage: true });
}

function show({ state: kind, name, attendeeId }, request) {
  const { content, isPressed } = request;
  switch (kind) {
    case "welcome":
    case "alreadyIn":
    case "returned":
      clearText();
      return become({ kind, name, isResult: true });
    case "confirm":
      become({ kind, name, guest: { ...content, attendeeId } });
      // A search that nobody has pressed takes no key from the guest.
      return isPressed && actions.querySelector("button")?.focus();
    case "nobody":
      // A longer name cannot match either, so that slow letters are no further guesses.
      if (request.isSearch && !content.ending) missed = content.name.toLowerCase();
      return become({ kind });
    case "ending":
    case "more":
      return become({ kind });
    case "noPass":
    case "notNow":
      return become({ kind, isMessage: true });
    default:
      return become({ kind: "askStaff", isMessage: true });
  }
}

/** Whether the link opens nothing any more. `call` has made sure that the server says so. */
const isEnd = (status) => [401, 403, 404].includes(status);

function close() {
  sessionStorage.removeItem(storageKey);
  token = waiting = null;
  clearText();
  camera.end();
  become({ kind: "closed" });
}

/** Reads the session now, and from time to time, so that a revoked link closes an empty kiosk as well. */
async function look() {
  if (isOver()) return;
  try {
    const { status, body } = await call("GET", path);
    if (isEnd(status)) return close();
    if (status === 200) {
      session = body;
      showSession();
      if (has("starting") || (has("lost") && !phase.request)) become({ kind: "ready" });
    }
  } catch {
    if (has("starting") || has("ready")) become({ kind: "lost" });
  }
  setTimeout(look, session && !has("lost") ? lookPause : retryPause);
}

// What the guest does

/** Ends the turn of a guest: the text, the language and the phase. Takes the pass that has waited. */
function reset() {
  const next = waiting;
  waiting = null;
  clearText();
  setLanguage(ownLanguage);
  setText(cameraNote, "");
  become({ kind: "ready" });
  if (next !== null) scan(next);
}

function clearText() {
  input.value = "";
  seen = "";
  missed = null;
  burst = { before: "", text: "", at: 0 };
}

/** A key or a touch of the guest, or a new phase. Without one, the text goes after a while. */
function stay() {
  clearTimeout(locking);
  locking = setTimeout(() => !isAdmitting() && !isOver() && !has("starting") && reset(), textStays);
}

/** Whether the text is a pass or a number, and no name. */
const isScan = (text) => isPassText(text) || (takesNumbers() && /\d/.test(text));
const takesNumbers = () => session?.identifyBy === "number";

/** Whether the text has single Korean letters: a syllable is incomplete, or a scanner types in Korean. */
const hasLooseLetters = (text) => /[\u3131-\u318e]/.test(text);

/** Remembers which letters came fast. */
function noteSpeed({ timeStamp }) {
  const isFast = timeStamp - burst.at < longestGap;
  burst = { before: isFast ? burst.before : burst.text, text: input.value, at: timeStamp };
}

/** Returns the text, or what a scanner has typed behind letters that somebody had left there. */
function typedOrScanned() {
  const { before } = burst;
  const scanned = before && input.value.startsWith(before) ? input.value.slice(before.length).trim() : "";
  return isScan(scanned) ? scanned : typed();
}

function edited(event) {
  noteSpeed(event);
  if (isBusy() || isOver()) return;
  const text = typed();
  // The end of a syllable or a space is no other text.
  if (text === seen) return;
  seen = text;
  clearTimeout(searching);
  // The next guest has begun.
  if (phase.isResult) setLanguage(ownLanguage);
  if (missed && text.toLowerCase().startsWith(missed)) return has("nobody") || become({ kind: "nobody" });
  if (!has("ready")) become({ kind: "ready" });
  if ([...text].length < fewestLetters || isScan(text) || hasLooseLetters(text)) return;
  searching = setTimeout(() => text === typed() && has("ready") && search(), searchPause);
}

function submit(event) {
  event.preventDefault();
  clearTimeout(searching);
  const text = typedOrScanned();
  if (!text || isBusy() || isOver()) return;
  if (isScan(text)) {
    clearText();
    return scan(text);
  }
  if (hasLooseLetters(text)) return become({ kind: "syllables" });
  // The second Enter must confirm nobody by mistake.
  if (has("confirm")) return actions.querySelector("button").focus();
  if (phase.request?.content.name === text && !phase.request.content.ending) phase.request.isPressed = true;
  else search(null, true);
}

/** Takes a scanned text. If another guest waits for an answer, one text waits behind it. */
function scan(text) {
  if (isOver() || has("starting")) return;
  if (!isBusy()) return admit({ scan: text });
  if (text === phase.request?.content.scan) return;
  waiting ??= text;
  setText(cameraNote, t("checking"));
}

function submitEnding(event) {
  event.preventDefault();
  if (!has("ending")) return;
  const text = event.target.querySelector("input").value.trim();
  // A scanner types into the line that has the focus.
  if (isPassText(text) || (takesNumbers() && text.length >= noEnding)) return scan(text);
  const ending = session.identifyBy === "email" ? text.slice(0, endingLength) : text.slice(-endingLength);
  if (ending) search(ending, true);
}

/** Takes the language of a guest. After the result of another guest, it is the next one's. */
function choose(tag) {
  if (phase.isResult) reset();
  setLanguage(tag);
}

// What is shown

function setLanguage(tag) {
  if (root.lang === tag) return;
  root.lang = tag;
  page.dataset.words = JSON.stringify(languages.get(tag).words);
  drawAll();
}

/** Takes the next phase, and what ends it. */
function become(next) {
  const before = phase;
  phase = next;
  clearTimeout(clearing);
  clearTimeout(retrying);
  if (!next.request && waiting !== null) clearing = setTimeout(reset, shortResultStays);
  else if (next.isResult) clearing = setTimeout(reset, resultStays);
  else if (next.isMessage) clearing = setTimeout(reset, messageStays);
  input.readOnly = isBusy();
  // The colour, the text and the buttons change together, after the end of a press.
  const drawNow = () => phase === next && afterPress(state, () => draw(before.kind));
  if (next.kind === "asking") setTimeout(drawNow, waitShows);
  else drawNow();
  // An empty kiosk has nothing to clear.
  if (next.kind !== "ready") stay();
}

const tones = new Map([
  ...["welcome", "alreadyIn", "returned"].map((kind) => [kind, "good"]),
  ...["confirm", "ending"].map((kind) => [kind, "ask"]),
  ...["more", "nobody", "noPass", "notNow", "askStaff", "tooMany", "waitMinute", "syllables", "lost"].map(
    (kind) => [kind, "warn"],
  ),
  ...["closed", "noLink"].map((kind) => [kind, "bad"]),
]);

/** The large text, and the line below it. */
function texts() {
  const { kind, name } = phase;
  switch (kind) {
    case "starting":
    case "asking":
      return [t("checking"), ""];
    case "welcome":
      return [name ? t("welcome", { name }) : t("ready"), t("checkedIn")];
    case "alreadyIn":
      return [t("alreadyIn"), t("nothingMore")];
    case "returned":
      return [t("returned"), t("checkedIn")];
    case "confirm":
      return [t("isItYou", { name }), ""];
    case "more":
      return [t("more"), t("wholeName")];
    case "ending":
      return [t("sameName"), t(session.identifyBy === "email" ? "startOfEmail" : "endOfNumber")];
    case "nobody":
      return [t("nobody"), t("checkSpelling")];
    case "noPass":
      return [t("noPass"), t("typeInstead")];
    case "notNow":
      return [t("notNow"), isEarly() ? t("opensAt", { time: timeOf(session.checkInOpensAt, session) }) : ""];
    case "tooMany":
      return [t("askStaff"), t("tooMany")];
    case "waitMinute":
      return [t("waitMinute"), t("thenAgain")];
    case "syllables":
      return [t("syllables"), t("scannerKorean")];
    case "lost":
      return [t("lost"), t("triesAgain")];
    case "closed":
      return [t("closed"), t("askStaff")];
    case "noLink":
      return [t("noLink"), t("openByLink")];
    case "askStaff":
      return [t("askStaff"), t("staffHelps")];
    default:
      return [t("ready"), ""];
  }
}

const isEarly = () => Date.now() < Date.parse(session.checkInOpensAt);

function draw(before) {
  const [word, detail] = texts();
  state.className = tones.get(phase.kind) ?? "";
  fill(said, line(word, "word"), line(detail));
  fill(actions, buttons());
  form.hidden = isOver() || has("starting");
  for (const one of [picture, camera.own, cameraNote]) one.hidden = form.hidden || !mayUseCamera();
  main.removeAttribute("aria-busy");
  if (has("ending") && before !== "ending") actions.querySelector("input").focus();
  else if (document.activeElement === page && !isOver()) focusLine(input);
}

/** Returns the buttons of the phase. They act only until the next one, because a press delays its drawing. */
function buttons() {
  const shown = phase;
  const acting = (text, act, name) => button(text, () => phase === shown && act(), name);
  const again = acting(t("again"), reset, "plain");
  switch (shown.kind) {
    case "confirm":
      return [acting(t("yes"), () => admit(shown.guest)), acting(t("no"), reset, "plain")];
    case "ending": {
      const own = field("ending", { maxlength: "500", "aria-label": texts()[1], enterkeyhint: "search" });
      return [
        h("form", { class: "line", onsubmit: submitEnding }, own, h("button", { type: "submit" }, t("find"))),
        again,
      ];
    }
    case "lost":
      return phase.request && !isAdmitting() ? again : null;
    case "more":
    case "nobody":
    case "syllables":
      return again;
    default:
      return null;
  }
}

function showSession() {
  if (!session) return;
  const { meetingName, round, title } = session;
  setText(document.getElementById("name"), meetingName);
  setText(document.getElementById("session"), title ?? t("round", { round }));
}

function drawAll() {
  setText(label, t("prompt"));
  setText(hint, [t("hint"), t("scanPass")].join(" "));
  setText(find, t("find"));
  nav.setAttribute("aria-label", t("languages"));
  fill(
    nav,
    [...languages.values()].map(({ tag, name }) =>
      h(
        "button",
        {
          type: "button",
          class: "plain",
          lang: tag,
          key: tag,
          "aria-pressed": String(tag === root.lang),
          onclick: () => choose(tag),
        },
        name,
      ),
    ),
  );
  camera.draw();
  setText(cameraNote, "");
  showSession();
  draw(phase.kind);
}

/** Keeps the screen on, if the browser can. It ends when the page is hidden. */
const stayAwake = () =>
  document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => {});

input.addEventListener("input", edited);
addEventListener("keydown", stay);
takeKeys(input);
addEventListener("input", stay);
addEventListener("pointerdown", stay);
main.addEventListener("click", ({ target }) => {
  if (target.closest("button") && !has("ending")) focusLine(input);
});
document.addEventListener("visibilitychange", stayAwake);
addEventListener("hashchange", () => location.reload());
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

page.dataset.words = JSON.stringify(languages.get(ownLanguage).words);
camera.own.className = "plain";
fill(main, state, form, h("div", { class: "actions" }, camera.own), cameraNote, picture);
drawAll();
stayAwake();
if (token) look();
else become({ kind: "noLink" });
