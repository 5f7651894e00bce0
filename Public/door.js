// The door on phones and tablets: for hosts and stewards who let people in. A text comes from a USB scanner,
// the camera, a photograph or the keyboard, and the server decides what it is.
import { mayUseCamera, readPhoto, watchCamera } from "./door-camera.js";
import { fill, h, setText } from "./host/dom.js";
import { t } from "./words.js";

const main = document.getElementById("main");
const language = document.documentElement.lang;
/** How often the page reads the counts of all doors, and the pause before a search, in milliseconds. */
const [refreshing, searchPause] = [5000, 250];
const mostWaiting = 20;

/** The error that the server refused a request, with its reason in words. */
class Refused extends Error {
  constructor(status, body) {
    super(body.detail || body.title || String(status));
    this.status = status;
  }
}

const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, "0")).join("");

/** Sends a request. A request that the network has lost is repeated once, with the same key. */
async function call(method, path, body) {
  const headers = { "Accept-Language": language };
  if (body) Object.assign(headers, { "Content-Type": "application/json", "Idempotency-Key": newKey() });
  const send = () => fetch(path, { method, headers, body: body && JSON.stringify(body) });
  let answer = await send().catch(send);
  if (answer.status === 401 && (await fetch("/host/renew", { method: "POST" })).ok) answer = await send();
  if (answer.ok) return answer.status === 204 ? null : answer.json();
  throw new Refused(answer.status, await answer.json().catch(() => ({})));
}

function show(...parts) {
  fill(main, ...parts);
  main.removeAttribute("aria-busy");
}

const reasonOf = (error) => (error instanceof Refused ? error.message : t("noConnection"));

async function start() {
  let doors;
  try {
    doors = (await call("GET", "/api/v1/doors")).items;
  } catch (error) {
    if (error.status !== 401)
      return show(h("p", {}, reasonOf(error)), h("button", { type: "button", onclick: start }, t("again")));
    return show(
      h("p", {}, t("signInFirst")),
      h("p", {}, h("a", { class: "button", href: "/host", target: "_blank", rel: "noopener" }, t("signIn"))),
      h("button", { type: "button", class: "plain", onclick: start }, t("again")),
    );
  }
  const named = doors.find(({ id }) => id === location.hash.slice(1));
  if (named || doors.length === 1) return keep(named ?? doors[0]);
  if (!doors.length)
    return show(
      h("p", {}, t("noDoor")),
      h("button", { type: "button", onclick: start }, t("again")),
    );
  const time = (one) =>
    new Intl.DateTimeFormat(language, { timeZone: one.timeZone, hour: "2-digit", minute: "2-digit" }).format(
      new Date(one.startsAt),
    );
  return show(
    h("h2", {}, t("chooseDoor")),
    h(
      "ul",
      { class: "people" },
      doors.map((one) =>
        h(
          "li",
          {},
          h(
            "button",
            { type: "button", class: "plain", onclick: () => keep(one) },
            h("span", {}, one.meetingName),
            h("span", {}, time(one)),
          ),
        ),
      ),
    ),
  );
}

/** Keeps the door of a session until the page is left. */
function keep(session) {
  history.replaceState(null, "", `#${session.id}`);
  const path = `/api/v1/sessions/${session.id}/door`;
  setText(document.getElementById("name"), session.meetingName);
  const counts = document.getElementById("counts");
  const verdict = h("section", { id: "verdict", role: "status", "aria-live": "assertive" });
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
  const said = h("p", { class: "note", role: "status" });
  const number = h(
    "select",
    { "aria-label": t("doorNumber") },
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((one) => h("option", { value: one }, t("door", { number: one }))),
  );
  const asks = h("input", { type: "checkbox", id: "asks" });
  const exit = h("input", { type: "checkbox", id: "exit" });
  const waiting = [];
  let isBusy = false;
  let asked = null;
  let last = null;
  let timer = 0;
  let stopCamera = null;

  const door = () => Number(number.value);
  const showCounts = ({ checkedIn, awaited, atDoor, inside }) => {
    const values = { here: atDoor ?? "–", all: checkedIn, expected: awaited, inside };
    setText(counts, t(inside === undefined ? "counts" : "countsInside", values));
  };

  function say(tone, word, ...rest) {
    verdict.className = tone;
    fill(verdict, h("p", { class: "word" }, word), ...rest);
  }
  const line = (text, name = null) => text && h("p", { class: name }, text);

  const words = {
    admitted: ["good", "isIn", null],
    expected: ["ask", "letIn", null],
    returned: ["good", "returned", null],
    left: ["good", "out", null],
    alreadyIn: ["warn", "alreadyIn", null],
    alreadyOut: ["warn", "alreadyOut", null],
    notIn: ["warn", "notIn", null],
    sessionCode: ["warn", "notAPass", "aboutSessionCode"],
    revoked: ["bad", "notValid", "revoked"],
    notForThisSession: ["bad", "notValid", "notExpected"],
    notAPass: ["bad", "notValid", "noSuchPass"],
  };

  function showVerdict(body) {
    // A verdict that this page does not know is a refusal.
    const [tone, word, why] = words[body.verdict] ?? ["bad", "notValid", null];
    const since =
      body.verdict === "alreadyIn" && body.checkedInAt
        ? t("since", {
            time: new Intl.DateTimeFormat(language, {
              timeZone: session.timeZone,
              hour: "2-digit",
              minute: "2-digit",
              hourCycle: "h23",
            }).format(new Date(body.checkedInAt)),
          })
        : null;
    const hasStatus = ["admitted", "returned", "alreadyIn"].includes(body.verdict);
    const marks = [
      hasStatus && body.status && t(`status_${body.status}`),
      since,
      body.firstTime && t("firstTime"),
      body.walkIn && t("walkIn"),
    ].filter(Boolean);
    say(
      tone,
      t(word),
      line(body.name, "who"),
      line(marks.join(" · ")),
      line(why && t(why)),
      line(body.note && t("note", { note: body.note }), "host-note"),
      body.verdict === "expected" &&
        h(
          "div",
          { class: "actions" },
          h("button", { type: "button", onclick: accept }, t("letIn")),
          h("button", { type: "button", class: "plain", onclick: refuse }, t("doNotLetIn")),
        ),
      body.sequence &&
        h(
          "div",
          { class: "actions" },
          h("button", { type: "button", class: "plain", onclick: undo }, t("undo")),
        ),
    );
  }

  /** Takes a guest. While the server has not answered for the one before, the guest waits. */
  function take(guest) {
    clear();
    if (isBusy || asked) {
      if (waiting.length < mostWaiting) waiting.push(guest);
      else say("bad", t("notChecked"), line(t("tooMany")));
      return;
    }
    if (exit.checked) check({ ...guest, leaves: true });
    else check(asks.checked ? { ...guest, onlyAsk: true } : guest);
  }

  async function check(guest) {
    isBusy = true;
    say("", t("checking"));
    try {
      const body = await call("POST", path, { ...guest, door: door() });
      last = body.sequence ? body : last;
      asked = body.verdict === "expected" ? guest : null;
      if (body.counts) showCounts({ ...body.counts, atDoor: null });
      showVerdict(body);
    } catch (error) {
      say("bad", t("notChecked"), line(reasonOf(error)), line(t("scanAgain")));
    }
    isBusy = false;
    next();
    refresh();
  }

  function next() {
    if (!isBusy && !asked && waiting.length) take(waiting.shift());
  }

  function accept() {
    const { onlyAsk, ...guest } = asked;
    asked = null;
    check(guest);
    input.focus();
  }

  function refuse() {
    asked = null;
    say("", t("ready"));
    next();
    input.focus();
  }

  async function undo() {
    if (!last) return;
    const { sequence, name } = last;
    last = null;
    try {
      await call("POST", `${path}/undo`, { sequence });
      say("", t("undone"), line(name, "who"));
    } catch (error) {
      say("bad", t("notUndone"), line(name, "who"), line(reasonOf(error)));
    }
    refresh();
    input.focus();
  }

  async function refresh() {
    try {
      showCounts((await call("GET", `${path}?door=${door()}`)).counts);
      setText(said, "");
    } catch (error) {
      setText(said, reasonOf(error));
    }
  }

  function clear() {
    input.value = "";
    clearTimeout(timer);
    fill(people);
  }

  /** Whether the text is a pass, a number or an address, and no name. */
  const isIdentity = (text) =>
    /[@/]/.test(text) || /^[\d-]+$/.test(text) || (session.identifyBy === "number" && /\d/.test(text));

  function submit(event) {
    event.preventDefault();
    const text = input.value.trim();
    if (!text) return;
    // The letters of a scanner that arrive through a Korean keyboard layout.
    if (/[\u3131-\u318e]{3}/.test(text)) {
      clear();
      say("bad", t("notChecked"), line(t("koreanKeyboard")));
    } else if (isIdentity(text) || /^[0-9A-Z]{100,}$/i.test(text)) take({ scan: text });
    else search();
  }

  async function search() {
    const text = input.value.trim();
    if (text.length < 2) return;
    let found;
    try {
      found = await call("GET", `${path}/people?q=${encodeURIComponent(text)}`);
    } catch (error) {
      return setText(said, reasonOf(error));
    }
    if (text !== input.value.trim()) return;
    const choice = (label, mark, guest) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: "plain",
            onclick: () => {
              take(guest);
              input.focus();
            },
          },
          h("span", {}, label),
          h("span", {}, mark),
        ),
      );
    fill(
      people,
      found.items.map((one) =>
        choice([one.name, one.hint].filter(Boolean).join(" "), t(`status_${one.status}`), {
          attendeeId: one.attendeeId,
        }),
      ),
      found.hasMore && h("li", { class: "note" }, t("typeMore")),
      choice(t("asWalkIn", { name: text }), "", { name: text }),
    );
  }

  async function toggleCamera() {
    if (stopCamera) {
      stopCamera();
      stopCamera = null;
    } else if (!mayUseCamera()) {
      return setText(said, t("cameraNeedsHTTPS"));
    } else {
      try {
        stopCamera = await watchCamera(camera, (text) => take({ scan: text }));
      } catch {
        return setText(said, t("noCamera"));
      }
    }
    setText(cameraButton, t(stopCamera ? "stopCamera" : "startCamera"));
  }

  async function photographed(event) {
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    say("", t("checking"));
    const text = await readPhoto(file).catch(() => null);
    if (text) take({ scan: text });
    else say("bad", t("noCode"), line(t("photographAgain")));
  }

  const cameraButton = h("button", { type: "button", onclick: toggleCamera }, t("startCamera"));
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
  say("", t("ready"));
  show(
    verdict,
    h("form", { onsubmit: submit }, input),
    people,
    h("div", { class: "actions" }, cameraButton, photo),
    camera,
    said,
    h(
      "div",
      { class: "actions" },
      number,
      h("label", { class: "choice", for: "asks" }, asks, t("askFirst")),
      session.counts.inside !== undefined && h("label", { class: "choice", for: "exit" }, exit, t("exit")),
    ),
  );
  showCounts(session.counts);
  refresh();
  setInterval(refresh, refreshing);
  if (matchMedia("(pointer: fine)").matches) input.focus();
}

start();
