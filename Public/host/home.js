// The first view: the nearest session with live counts, then all sessions of today, then every meeting.
import { hrefOf } from "./address.js";
import { get, pages } from "./api.js";
import { counts } from "./counts.js";
import { fill, h, setText } from "./dom.js";
import { invitations } from "./invitations.js";
import { connect } from "./live.js";
import { isToday, moment, serverNow } from "./time.js";
import { t } from "./words.js";

const soon = 3_600_000;
const mostMeetings = 1000;

export async function view() {
  const sessions = new Map();
  let meetings = [];
  let nearest = null;
  const section = h("section", { "aria-label": t("nearest") });
  const list = h("ul", { class: "cards" });
  const today = h("ul", { class: "cards" });
  const todayPart = h("section", { "aria-label": t("today") }, h("h2", {}, t("today")), today);
  const state = h("span", { class: "state" });
  const cards = new Map();
  const todayCards = new Map();
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
    const [found, next, rounds] = await Promise.all([
      allMeetings(),
      get("/api/v1/sessions/nearest"),
      get("/api/v1/sessions?limit=200"),
    ]);
    meetings = found;
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
    if (!session) fill(section, h("p", { class: "empty" }, t(meetings.length ? "noneToCome" : "noMeetings")));
    else if (near.id === session.id) near.update(session);
    else {
      near = nearCard(session);
      fill(section, near.element);
    }
    const rounds = [...sessions.values()].filter(isToday).sort(byStart);
    fill(today, rounds.map((one) => card(one, todayCards)));
    todayPart.hidden = rounds.length === 0;
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
        h("a", { class: "button", href: "#/new-meeting" }, t("newMeeting")),
      ),
      waiting,
      section,
      todayPart,
      meetings.length > 0 && h("h2", {}, t("allMeetings")),
      list,
    ],
  };
}

const byStart = (one, other) =>
  Date.parse(one.startsAt) - Date.parse(other.startsAt) || (one.id < other.id ? -1 : 1);

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
