// The view of a session, also on a phone: one room, and a tab for each task.
import { hrefOf } from "./address.js";
import { get, loaded, NotLoaded, NotSent, Problem } from "./api.js";
import { askNow } from "./ask-now.js";
import { actionButton } from "./fields.js";
import { fill, h, setText } from "./dom.js";
import { hasDrafts, onDrafts } from "./drafts.js";
import { connect } from "./live.js";
import { pictureOf, SessionModel } from "./session-model.js";
import { clockTime, countdown, moment, serverNow, span } from "./time.js";
import { roundOf, t } from "./words.js";

/** The scripts and the icons of the tabs. */
const tabs = {
  live: [() => import("./session-live.js"), "live"],
  people: [() => import("./session-people.js"), "people"],
  replies: [() => import("./session-replies.js"), "people"],
  questions: [() => import("./session-questions.js"), "questions"],
  results: [() => import("./session-results.js"), "results"],
  audience: [() => import("./session-audience.js"), "audience"],
  groups: [() => import("./session-groups.js"), "people"],
  review: [() => import("./session-review.js"), "review"],
  settings: [() => import("./session-settings.js"), "settings"],
};

export async function view({ parameters: [id, name = "live", ...rest] }) {
  const tab = Object.hasOwn(tabs, name) ? name : "live";
  // The script of the tab loads at the same time as the session.
  const script = tabs[tab][0]();
  // The code is what a host needs first, so its picture loads at the same time, too.
  const picture = h("img", { src: tab === "live" ? pictureOf(id) : null, alt: "", width: 260, height: 260 });
  const session = await get(`/api/v1/sessions/${id}`);
  const model = new SessionModel(session, picture);
  const state = h("span", { class: "state" });
  const phase = h("span", { class: "phase" });
  const when = h("span", { class: "time" });
  const next = h("span", { class: "countdown", role: "timer" });
  const area = h(
    "div",
    { class: "tab", "aria-busy": "true" },
    tab === "live" && h("section", { class: "code" }, picture),
    h("p", { class: "empty" }, t("loading")),
  );
  const unsaved = h("span", { class: "unsaved" }, t("unsaved"));
  const showUnsaved = () => (unsaved.hidden = !hasDrafts(id));

  const links = Object.entries(tabs).map(([one, [, icon]]) =>
    h(
      "a",
      {
        class: `icon-${icon}`,
        href: hrefOf("sessions", id, one),
        "aria-current": one === tab ? "page" : null,
        hidden: one === "review",
      },
      t(`tab_${one}`),
      one === "questions" && unsaved,
    ),
  );

  const showHead = () => {
    const now = model.session;
    phase.dataset.phase = now.phase;
    setText(phase, t(`phase_${now.phase}`));
    links[Object.keys(tabs).indexOf("review")].hidden = !model.isHost;
    setText(when, `${roundOf(now)} · ${span(now.startsAt, now.endsAt, now.timeZone)}`);
  };
  const asking = askNow(model, { hasDock: tab !== "live" });
  model.on(["session"], showHead);
  showHead();
  const ticking = setInterval(() => setText(next, nextMoment(model.session)), 1000);
  setText(next, nextMoment(model.session));

  const end = connect({ room: `session:${id}`, state, listener: (update) => model.take(update) });
  const stopDrafts = onDrafts(showUnsaved);
  showUnsaved();
  let made = {};
  let isOver = false;

  async function readMeeting() {
    model.setMeeting(await get(`/api/v1/meetings/${session.meetingId}`));
    showTab();
  }

  /** On a phone the tabs are wider than the screen: scrolls to the open one. */
  const showTab = () =>
    links[Object.keys(tabs).indexOf(tab)].scrollIntoView({ inline: "center", block: "nearest" });

  /** Shows the tab below the head, which is already visible. */
  async function open() {
    const [{ tab: make }] = await Promise.all([loaded(script), readMeeting()]);
    if (isOver) return;
    const opened = await make(model, rest);
    // The host has already opened another view.
    if (isOver) return opened.end?.();
    made = opened;
    fill(area, made.content);
    area.removeAttribute("aria-busy");
  }

  open().catch((error) => {
    if (isOver) return;
    if (!(error instanceof Problem) && !(error instanceof NotSent)) throw error;
    // A script that has failed once stays so until the page is loaded again.
    const again = error instanceof NotLoaded ? () => location.reload() : open;
    fill(area, h("p", {}, error.message || t("notReachedHint")), actionButton(t("tryAgain"), again));
    area.removeAttribute("aria-busy");
  });
  requestAnimationFrame(showTab);
  return {
    title: session.meetingName,
    end: () => {
      isOver = true;
      clearInterval(ticking);
      stopDrafts();
      made.end?.();
      asking.end();
      end();
    },
    content: [
      h(
        "div",
        { class: "heading" },
        h(
          "h1",
          {},
          h("a", { class: "up", href: hrefOf("meetings", session.meetingId) }, session.meetingName),
        ),
        phase,
        state,
        asking.button,
      ),
      h("p", { class: "times" }, when, " ", next),
      namesNote(session),
      h(
        "nav",
        { class: "tabs", "aria-label": session.meetingName },
        links,
      ),
      area,
    ],
  };
}

/**
 * Returns a note with the time at which the server deletes or has deleted the names; undefined if it keeps
 * them. Without the note, a row without a name would look like a fault.
 */
function namesNote({ namesDeletedAt, namesUntil, timeZone }) {
  const at = namesDeletedAt ?? namesUntil;
  const said = namesDeletedAt ? "namesDeleted" : "namesUntil";
  return at && h("p", { class: "note" }, t(said, { time: moment(at, timeZone) }));
}

/** Returns the next event of the session's schedule: the start, the late limit or the end. */
function nextMoment(session) {
  const now = serverNow();
  const startsAt = Date.parse(session.startsAt);
  const lateAt = startsAt + session.lateAfterMinutes * 60_000;
  const endsAt = Date.parse(session.endsAt);
  if (now < startsAt) return t("untilStart", { time: countdown(startsAt - now) });
  if (now < lateAt) {
    return t("untilLate", { limit: clockTime(lateAt, session.timeZone), time: countdown(lateAt - now) });
  }
  if (now < endsAt) return t("untilEnd", { time: countdown(endsAt - now) });
  return t("isOver");
}
