// The door on phones and tablets: for hosts and stewards who let people in. A text comes from a USB scanner,
// the camera, a photograph or the keyboard, and the server decides what it is. door-state.js decides what
// waits and what stays; this module draws its state and sends its requests.
import { mayUseCamera, readPhoto } from "./door-camera.js";
import { button, cameraButtonOf, focusLine, isPassText, line, takeKeys, timeOf } from "./door-parts.js";
import {
  admission,
  answered,
  emptyDoor,
  goneOn,
  isFull,
  isStopped,
  keptOut,
  letIn,
  lookOf,
  taken,
  takenFirst,
  undoing,
} from "./door-state.js";
import { fill, h, setText } from "./host/dom.js";
import { newKey } from "./key.js";
import { afterPress } from "./press.js";
import { t } from "./words.js";

const main = document.getElementById("main");
const language = document.documentElement.lang;
/** The limit of a request, the pause between two readings of the counts, and the pause before a search. */
const [longestRequest, refreshing, searchPause] = [10_000, 5000, 250];

/** The error that the server refused a request, with its reason in words. */
class Refused extends Error {
  constructor(status, body) {
    super(body.detail || body.title || String(status));
    this.status = status;
  }
}

/**
 * Sends a request, and returns the body of the answer. A request that the network has lost, or that takes too
 * long, is repeated once, with the same key.
 */
async function call(method, path, content, key) {
  const headers = { "Accept-Language": language };
  if (content) Object.assign(headers, { "Content-Type": "application/json", "Idempotency-Key": key });
  const body = content && JSON.stringify(content);
  async function attempt() {
    const answer = await fetch(path, { method, headers, body, signal: AbortSignal.timeout(longestRequest) });
    const { ok, status } = answer;
    if (status === 204) return { ok, status, body: null };
    return { ok, status, body: await (ok ? answer.json() : answer.json().catch(() => ({}))) };
  }
  const send = () => attempt().catch(attempt);
  let answer = await send();
  if (answer.status === 401 && (await renewed())) answer = await send();
  if (answer.ok) return answer.body;
  throw new Refused(answer.status, answer.body);
}

const renewed = () =>
  fetch("/host/renew", { method: "POST", signal: AbortSignal.timeout(longestRequest) }).then(
    ({ ok }) => ok,
    () => false,
  );

function show(...parts) {
  fill(main, ...parts);
  main.removeAttribute("aria-busy");
}

const reasonOf = (error) => (error instanceof Refused ? error.message : t("noConnection"));
/** Whether nobody knows what the server has done. Its own faults come in the middle of its work. */
const isLost = (error) => !(error instanceof Refused) || error.status >= 500;

async function start() {
  let doors;
  try {
    doors = (await call("GET", "/api/v1/doors")).items;
  } catch (error) {
    if (error.status !== 401) return show(h("p", {}, reasonOf(error)), button(t("again"), start));
    if (document.body.dataset.offline) return askCode();
    return show(
      h("p", {}, t("signInFirst")),
      h("p", {}, h("a", { class: "button", href: "/host", target: "_blank", rel: "noopener" }, t("signIn"))),
      button(t("again"), start, "plain"),
    );
  }
  if (!doors.length) return show(h("p", {}, t("noDoor")), button(t("again"), start));
  // An address that names a session never opens another one.
  const named = location.hash.slice(1);
  const session = named ? doors.find(({ id }) => id === named) : doors.length === 1 && doors[0];
  if (session) return keep(session);
  return show(
    h("h2", {}, t("chooseDoor")),
    h(
      "ul",
      { class: "people" },
      doors.map((one) => lineOf(one.meetingName, timeOf(one.startsAt, one), () => keep(one))),
    ),
  );
}

/** Asks for the code that the laptop of an offline door shows. It is the only sign-in without the server. */
function askCode() {
  const code = h("input", {
    id: "code",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    maxlength: "20",
    required: "",
  });
  const note = h("p", { id: "note", role: "status" });
  async function submit(event) {
    event.preventDefault();
    fill(note, t("checking"));
    // The alphabet has no I, L and O, which look like digits.
    const password = code.value
      .toUpperCase()
      .replaceAll(/[^0-9A-Z]/g, "")
      .replaceAll("O", "0")
      .replaceAll(/[IL]/g, "1");
    try {
      await call("POST", "/host/sign-in", { email: document.body.dataset.offline, password }, newKey());
    } catch (error) {
      return fill(note, reasonOf(error));
    }
    start();
  }
  show(
    h(
      "form",
      { onsubmit: submit },
      h("label", { for: "code" }, t("doorCode")),
      code,
      h("button", {}, t("openDoor")),
    ),
    note,
  );
}

/** A line of a list, which is a button with a text and a mark. */
const lineOf = (text, mark, onclick) =>
  h(
    "li",
    {},
    h("button", { type: "button", class: "plain", onclick }, h("span", {}, text), h("span", {}, mark)),
  );

/** What is known about a person besides the verdict: the status, since when, and the marks. */
function marksOf({ verdict, status, checkedInAt, firstTime, walkIn, reply, counts }, session) {
  const hasStatus = ["admitted", "returned", "alreadyIn"].includes(verdict);
  const isSince = verdict === "alreadyIn" && checkedInAt;
  return [
    hasStatus && status && t(`status_${status}`),
    ["waiting", "declined"].includes(verdict) && reply && t(`reply_${reply.status}`),
    verdict === "full" && counts && t("seats", counts),
    reply?.guests > 0 && t("withGuests", { count: reply.guests }),
    isSince && t("since", { time: timeOf(checkedInAt, session) }),
    firstTime && t("firstTime"),
    walkIn && t("walkIn"),
  ].filter(Boolean);
}

/** Keeps the door of a session until the page is left. */
function keep(session) {
  history.replaceState(null, "", `#${session.id}`);
  const path = `/api/v1/sessions/${session.id}/door`;
  setText(document.getElementById("name"), session.meetingName);
  const said = h("div", { role: "status", "aria-live": "assertive", "aria-atomic": "true" });
  const actions = h("div", { class: "actions" });
  const verdict = h("section", { id: "verdict" }, said, actions);
  const waits = h("div", { class: "queue", role: "status" });
  const recent = h("ul", { class: "recent" });
  const input = h("input", {
    id: "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    enterkeyhint: "go",
    maxlength: "500",
    "aria-label": t("prompt"),
    placeholder: t("prompt"),
  });
  const people = h("ul", { class: "people", "aria-label": t("found") });
  const camera = h("div", { id: "camera" });
  const note = h("p", { id: "note", role: "status" });
  const cut = h("p", { class: "note", role: "status" });
  const contact = h("p", { class: "contact", role: "status" });
  const number = h(
    "select",
    { "aria-label": t("doorNumber") },
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((one) => h("option", { value: one }, t("door", { number: one }))),
  );
  const asks = h("input", { type: "checkbox", id: "asks" });
  const exit = h("input", { type: "checkbox", id: "exit" });
  const tell = (text) => fill(note, text);
  let state = emptyDoor;
  let counts = session.counts;
  let { offline } = session;
  const look = (outcome) => lookOf(outcome, offline?.sent ?? 0);
  let timer = 0;

  /** Takes the next state, draws it, and sends the request that it has for the server now. */
  function change(next) {
    if (next === state) return;
    const { phase } = state;
    state = next;
    // The colour, the text and the buttons change together, after the end of a press.
    afterPress(verdict, draw);
    if (state.phase !== phase && state.phase.kind === "checking") send(state.phase.request);
  }

  async function send(request) {
    let answer;
    try {
      answer = { body: await call("POST", path + request.path, request.body, request.key) };
      showCounts(answer.body?.counts);
    } catch (error) {
      answer = isLost(error) ? { lost: reasonOf(error) } : { refusal: reasonOf(error) };
    }
    change(answered(state, request, answer));
    refresh();
  }

  /** Draws the state. What a button does belongs to what this drawing shows. */
  function draw() {
    const { phase, waiting } = state;
    const { kind, outcome } = phase;
    verdict.className = outcome ? look(outcome).tone : "";
    fill(said, outcome ? textsOf(outcome) : line(t(kind), "word"));
    fill(actions, kind === "question" ? answersTo(phase) : outcome && actionsOf(outcome, phase));
    fill(
      waits,
      waiting.length > 0 && h("p", {}, t("waiting", { count: waiting.length })),
      waiting.length > 0 && isStopped(state) && button(t("goOn"), () => change(goneOn(state, phase))),
    );
    fill(
      recent,
      state.recent.map((one) =>
        h(
          "li",
          { class: look(one).tone },
          h("span", { class: "who" }, one.name ?? ""),
          h("span", { class: "word" }, t(look(one).word)),
          one.isLost && one !== outcome && tryAgain(one, phase),
        ),
      ),
    );
    if (document.activeElement === document.body) focusLine(input);
  }

  const textsOf = ({ name, reason, why, body, ...outcome }) => [
    line(t(look({ ...outcome, body }).word), "word"),
    line(name, "who"),
    line(body && marksOf(body, session).join(" · ")),
    line(reason),
    line(why && t(why)),
    line(body?.note && t("note", { note: body.note }), "host-note"),
  ];

  const answersTo = (question) => [
    button(t("letIn"), () => change(letIn(state, question, newKey()))),
    button(t("doNotLetIn"), () => change(keptOut(state, question)), "plain"),
  ];

  const actionsOf = (outcome, phase) => [
    outcome.isLost && tryAgain(outcome, phase),
    outcome.body?.sequence &&
      button(t("undo"), () => change(takenFirst(state, undoing(outcome.body, newKey()), phase)), "plain"),
  ];

  /** Sends the same request once more, with its key. */
  const tryAgain = ({ request }, phase) =>
    button(t("tryAgain"), () => change(takenFirst(state, request, phase)));

  /** Takes a guest with the mode and the door of this moment. */
  function take(guest, name) {
    const mode = { door: Number(number.value), leaves: exit.checked, asks: asks.checked };
    tell(isFull(state) ? t("tooMany") : "");
    change(taken(state, admission(guest, mode, newKey(), name)));
  }

  /** Takes a guest who was typed or found by name. */
  function takeTyped(guest, name) {
    clear();
    take(guest, name);
  }

  function clear() {
    input.value = "";
    clearTimeout(timer);
    fill(people);
  }

  function showCounts(fresh) {
    counts = { ...counts, ...fresh };
    const { checkedIn, awaited, atDoor, inside } = counts;
    const values = { here: atDoor ?? "–", all: checkedIn, expected: awaited, inside };
    const people = t(inside === undefined ? "counts" : "countsInside", values);
    const seats = counts.capacity !== undefined && t("seats", counts);
    setText(document.getElementById("counts"), [people, seats].filter(Boolean).join(" · "));
  }

  /** Shows what an offline door knows about its server, and which entries the server has now. */
  function showContact(fresh) {
    if (!fresh) return;
    const isNews = fresh.sent !== offline?.sent;
    offline = fresh;
    const { unsent, doubles, revoked, copied } = offline;
    const time = timeOf(offline.seenAt, session);
    const stopped = (revoked && t("doorRevoked")) || (copied && t("doorCopied"));
    const text = stopped || t(unsent ? "unsent" : "allSent", { count: unsent, time });
    setText(contact, [text, doubles > 0 && t("doubles", { count: doubles })].filter(Boolean).join(" · "));
    contact.classList.toggle("behind", Boolean(stopped) || unsent > 0);
    if (isNews) afterPress(verdict, draw);
  }

  const refresh = repeatedly(async () => {
    const door = number.value;
    try {
      const fresh = await call("GET", `${path}?door=${door}`);
      if (door === number.value) showCounts(fresh.counts);
      showContact(fresh.offline);
      setText(cut, "");
    } catch (error) {
      setText(cut, reasonOf(error));
    }
  });

  /** Whether the text is a pass, a number or an address, and no name. */
  const isIdentity = (text) =>
    isPassText(text) ||
    text.includes("@") ||
    /^[\d-]+$/.test(text) ||
    (session.identifyBy === "number" && /\d/.test(text));

  function submit(event) {
    event.preventDefault();
    const text = input.value.trim();
    if (!text) return;
    // The letters of a scanner that arrive through a Korean keyboard layout.
    if (/[\u3131-\u318e]{3}/.test(text)) {
      clear();
      tell(t("koreanKeyboard"));
    } else if (isIdentity(text)) takeTyped({ scan: text });
    else search();
  }

  async function search() {
    const text = input.value.trim();
    if (text.length < 2) return;
    let found;
    try {
      found = await call("GET", `${path}/people?q=${encodeURIComponent(text)}`);
    } catch (error) {
      return text === input.value.trim() && tell(reasonOf(error));
    }
    if (text !== input.value.trim()) return;
    fill(
      people,
      found.items.map(({ name, hint, status, attendeeId, replyId, reply }) =>
        lineOf(
          [name, hint].filter(Boolean).join(" "),
          t(status ? `status_${status}` : `reply_${reply.status}`),
          () => takeTyped(attendeeId ? { attendeeId } : { replyId }, name),
        ),
      ),
      found.hasMore && h("li", { class: "note" }, t("typeMore")),
      !exit.checked &&
        !offline &&
        lineOf(t("asWalkIn", { name: text }), "", () => takeTyped({ name: text }, text)),
    );
  }

  const cameraButton = cameraButtonOf(
    camera,
    (text) => take({ scan: text }),
    (isFault) => tell(isFault ? t(mayUseCamera() ? "noCamera" : "cameraNeedsHTTPS") : ""),
  );

  async function photographed({ target }) {
    const [file] = target.files;
    target.value = "";
    if (!file) return;
    tell(t("checking"));
    const text = await readPhoto(file).catch(() => null);
    if (text) take({ scan: text });
    else tell([t("noCode"), t("photographAgain")].join(". "));
  }

  const photo = h(
    "label",
    { class: "button plain file" },
    t("photograph"),
    h("input", { type: "file", accept: "image/*", capture: "environment", onchange: photographed }),
  );

  input.addEventListener("input", () => {
    clearTimeout(timer);
    fill(people);
    if (!isIdentity(input.value.trim())) timer = setTimeout(search, searchPause);
  });
  number.addEventListener("change", refresh);
  // After the use of a control, the line is ready for a scanner. A list of numbers would take its keys.
  main.addEventListener("click", ({ target }) => {
    if (target.closest("button, [type=checkbox]")) focusLine(input);
  });
  main.addEventListener("change", ({ target }) => {
    if (target === number) target.blur();
    if (target !== input) focusLine(input);
  });
  takeKeys(input);
  show(
    contact,
    verdict,
    waits,
    h("form", { onsubmit: submit }, input),
    note,
    people,
    h("div", { class: "actions" }, cameraButton.own, photo),
    camera,
    h(
      "div",
      { class: "actions" },
      number,
      h("label", { class: "choice", for: "asks" }, asks, t("askFirst")),
      session.counts.inside !== undefined && h("label", { class: "choice", for: "exit" }, exit, t("exit")),
    ),
    cut,
    recent,
  );
  draw();
  showCounts();
  showContact(offline);
  refresh();
  focusLine(input);
}

/**
 * Returns a function that runs `read` now and then again after each pause. If `read` is running, it runs once
 * more after its end; so two never run at once.
 */
function repeatedly(read) {
  let [timer, isRunning, isDue] = [0, false, false];
  return async function run() {
    isDue = isRunning;
    if (isRunning) return;
    clearTimeout(timer);
    isRunning = true;
    await read();
    isRunning = false;
    timer = setTimeout(run, isDue ? 0 : refreshing);
  };
}

addEventListener("hashchange", () => location.reload());
start();
