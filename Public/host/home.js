// The first view: the nearest session with live counts, a form that starts a meeting now, the other sessions
// of today and those to come as cards, then every meeting.
import { go, hrefOf } from "./address.js";
import { get, loaded, pages } from "./api.js";
import { counts } from "./counts.js";
import { fill, h, setText } from "./dom.js";
import { invitations } from "./invitations.js";
import { actionButton } from "./fields.js";
import { connect } from "./live.js";
import { startingNow } from "./new-meeting.js";
import { isToday, moment, ownZone, serverNow } from "./time.js";
import { t } from "./words.js";

const soon = 3_600_000;
const mostMeetings = 1000;
/** The sessions after today that have a card. */
const mostToCome = 6;

export async function view() {
  const sessions = new Map();
  let meetings = [];
  let doors = [];
  let nearest = null;
  const section = h("section", { "aria-label": t("nearest") });
  const doorLinks = h("div", {});
  const list = h("ul", { class: "cards" });
  const [today, toCome] = [tiles("today"), tiles("comingUp")];
  const all = h("section", { "aria-label": t("allMeetings") }, h("h2", {}, t("allMeetings")), list);
  const start = starting();
  const state = h("span", { class: "state" });
  const cards = new Map();
  let near = { id: null };
  let reading = 0;
  let drawing = 0;

  async function allMeetings() {
    const found = [];
    for await (const page of pages("/api/v1/meetings")) {
      found.push(...page);
      if (found.length >= mostMeetings) break;
    }
    return found;
  }

  async function read() {
    reading = 0;
    const [found, next, rounds, { items }] = await Promise.all([
      allMeetings(),
      get("/api/v1/sessions/nearest"),
      get("/api/v1/sessions?limit=200"),
      get("/api/v1/doors"),
    ]);
    meetings = found;
    // A steward keeps the doors of meetings that are not in the list.
    doors = items.filter(({ meetingId }) => !found.some(({ id }) => id === meetingId));
    // A session of today that another host has deleted meanwhile leaves the list.
    sessions.clear();
    for (const one of rounds.items) sessions.set(one.id, one);
    // The running or next session of each meeting. The latest one of a planned series is months away.
    for (const meeting of meetings) sessions.set(shownOf(meeting).id, shownOf(meeting));
    if (next) sessions.set(next.id, next);
    nearest = next?.id ?? null;
  }

  function show() {
    drawing = 0;
    const session = sessions.get(nearest) ?? null;
    const none = () => h("p", { class: "empty" }, t("noneToCome"));
    fill(doorLinks, doors.map(doorLink));
    if (!session) fill(section, meetings.length ? none() : steps());
    else if (near.id === session.id) near.update(session);
    else {
      near = nearCard(session);
      fill(section, near.element);
    }
    const others = [...sessions.values()].filter(({ id }) => id !== session?.id).sort(byStart);
    const isToCome = (one) => !isToday(one) && Date.parse(one.startsAt) > serverNow();
    const looks = new Map(meetings.map((meeting) => [meeting.id, meeting]));
    if (session) near.element.className = `near ${colourOf(looks.get(session.meetingId))}`;
    today.show(others.filter(isToday), looks);
    toCome.show(others.filter(isToCome).slice(0, mostToCome), looks);
    all.hidden = meetings.length === 0;
    start.showFirst(meetings.length === 0);
    fill(
      list,
      meetings
        .map((meeting) => sessions.get(shownOf(meeting).id))
        .filter(Boolean)
        .map((one) => card(one, cards)),
    );
  }

  const readSoon = () => (reading ||= setTimeout(() => read().then(show, () => {}), 500));
  const showSoon = () => (drawing ||= requestAnimationFrame(show));
  // At midnight of a zone, the sessions of the day before leave the list, and those of the new day come.
  const clock = setInterval(() => {
    showSoon();
    if (new Date(serverNow()).getMinutes() % 15 === 0) readSoon();
  }, 60_000);
  const [waiting] = await Promise.all([invitations(), read()]);
  const end = connect({
    room: "home",
    state,
    listener: ({ snapshot, session, removed }) => {
      for (const one of snapshot?.sessions ?? []) if (sessions.has(one.id)) sessions.set(one.id, one);
      if (session && sessions.has(session.id)) {
        const before = sessions.get(session.id);
        sessions.set(session.id, session);
        if (before.phase !== session.phase || before.startsAt !== session.startsAt) readSoon();
      }
      // The page reads the meetings again, because some may be new or deleted, or changed while the page was
      // offline.
      if (snapshot || removed || (session && !sessions.has(session.id))) readSoon();
      showSoon();
    },
  });
  show();
  return {
    title: t("home"),
    end: () => {
      end();
      clearTimeout(reading);
      clearInterval(clock);
      cancelAnimationFrame(drawing);
    },
    content: [
      h(
        "div",
        { class: "heading" },
        h("h1", {}, t("yourMeetings")),
        state,
      ),
      waiting,
      doorLinks,
      section,
      start.element,
      today.element,
      toCome.element,
      all,
    ],
  };
}

const byStart = (one, other) =>
  Date.parse(one.startsAt) - Date.parse(other.startsAt) || (one.id < other.id ? -1 : 1);

/**
 * Returns the form that starts a meeting, with links to the form for plans and to the sample. A host without
 * meetings also sees a note about the sample.
 */
function starting() {
  const made = startingNow();
  const sample = actionButton(
    t("sample"),
    async () => go("sessions", await (await loaded(import("./sample.js"))).startSample(ownZone)),
    { class: "quiet icon-people" },
  );
  const about = h("p", { class: "note" }, t("sampleHint"));
  return {
    element: h(
      "section",
      { class: "card start", "aria-label": t("startNow") },
      made.element,
      h(
        "div",
        { class: "tools" },
        h("a", { class: "quiet button icon-plan", href: "#/new-meeting" }, t("planMeeting")),
        sample,
      ),
      about,
    ),
    showFirst: (isFirst) => (about.hidden = !isFirst),
  };
}

const doorLink = ({ id, meetingName: name }) =>
  h("p", { class: "run" }, h("a", { class: "button", href: `/door#${id}` }, t("keepDoor", { name })));

/** Returns the three steps of a first meeting, for a host without meetings. */
const steps = () =>
  h(
    "ol",
    { class: "steps" },
    ["start", "mark", "results"].map((icon, index) =>
      h("li", { class: `icon-${icon}` }, t(`homeStep_${index + 1}`)),
    ),
  );

/** Returns a section of sessions as cards. `looks` has the meetings, for their colours and images. */
function tiles(title) {
  const list = h("ul", { class: "tiles" });
  const known = new Map();
  const element = h("section", { "aria-label": t(title), hidden: true }, h("h2", {}, t(title)), list);
  return {
    element,
    show: (sessions, looks) => {
      element.hidden = sessions.length === 0;
      fill(
        list,
        sessions.map((session) => tile(card(session, known), session, looks.get(session.meetingId))),
      );
    },
  };
}

const colourOf = (meeting) => (meeting?.accent ? `accent-${meeting.accent}` : "");

/** Adds the meeting's colour and image to a card, and the code while people can check in. */
function tile(element, session, meeting) {
  element.className = colourOf(meeting);
  const isShown = Boolean(meeting?.hasImage);
  let image = element.querySelector("img");
  if (isShown && !image) {
    image = h("img", { src: `/api/v1/meetings/${meeting.id}/image`, alt: "", loading: "lazy" });
    element.prepend(image);
  } else if (!isShown) image?.remove();
  const code = session.joinCode && session.checkInOpen ? session.joinCode : "";
  let join = element.querySelector(".join");
  if (code && !join) element.append((join = h("span", { class: "join" })));
  if (join) setText(join, code);
  return element;
}

function shownOf(meeting) {
  return meeting.nearestSession ?? meeting.latestSession;
}

function nearCard(first) {
  const hint = h("p", { class: "eyebrow" });
  const numbers = counts(first.attendance);
  const time = h("p", {});
  const name = h("a", { href: hrefOf("sessions", first.id) }, first.meetingName);
  const picture = h("img", { alt: t("codeOf", { name: first.meetingName }), width: 180, height: 180 });
  const join = h("figcaption", { class: "join" });
  const code = h("figure", {}, picture, join);
  const element = h(
    "article",
    { class: "near" },
    h(
      "div",
      {},
      hint,
      h("h2", {}, name),
      time,
      numbers,
      h(
        "p",
        { class: "run" },
        h("a", { class: "button", href: hrefOf("sessions", first.id) }, t("runSession")),
      ),
    ),
    code,
  );
  function update(session) {
    const starts = Date.parse(session.startsAt) - serverNow();
    setText(
      hint,
      session.phase === "running"
        ? t("runningNow")
        : starts < soon
        ? t("withinTheHour", { minutes: Math.max(1, Math.round(starts / 60_000)) })
        : t("nearest"),
    );
    setText(name, session.meetingName);
    setText(time, `${t("round", { round: session.round })} · ${moment(session.startsAt, session.timeZone)}`);
    numbers.update(session.attendance);
    code.hidden = !session.joinCode || !(session.phase === "running" || starts < soon);
    if (code.hidden || join.textContent === session.joinCode) return;
    setText(join, session.joinCode);
    picture.src = `/api/v1/sessions/${session.id}/qr.svg?of=${encodeURIComponent(session.joinCode)}`;
  }
  update(first);
  return { id: first.id, element, update };
}

function card(session, cards) {
  let known = cards.get(session.id);
  if (!known) {
    known = {
      name: h("a", { href: hrefOf("sessions", session.id) }),
      counts: h("span", { class: "count" }),
      phase: h("span", { class: "phase" }),
      time: h("span", {}),
    };
    known.element = h(
      "li",
      {},
      known.name,
      known.phase,
      known.time,
      known.counts,
      h(
        "a",
        {
          class: "more",
          href: hrefOf("meetings", session.meetingId),
          "aria-label": t("manageOf", { name: session.meetingName }),
        },
        t("manage"),
      ),
    );
    cards.set(session.id, known);
  }
  setText(known.name, session.meetingName);
  known.phase.dataset.phase = session.phase;
  setText(known.phase, t(`phase_${session.phase}`));
  setText(
    known.time,
    `${t("round", { round: session.round })} · ${moment(session.startsAt, session.timeZone)}`,
  );
  setText(
    known.counts,
    t("checkedInOf", {
      count: session.attendance.checkedIn,
      planned: Math.max(
        session.attendance.planned,
        session.attendance.checkedIn + session.attendance.awaited,
      ),
    }),
  );
  return known.element;
}
