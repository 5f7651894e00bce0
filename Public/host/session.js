// A session's page, from which a whole session can be run, also on a phone: one room, and a tab for each thing to do.
import { hrefOf } from "./address.js";
import { get } from "./api.js";
import { fill, h, setText } from "./dom.js";
import { connect } from "./live.js";
import { SessionModel } from "./session-model.js";
import { countdown, serverNow, span } from "./time.js";
import { t } from "./words.js";

const tabs = {
  live: () => import("./session-live.js"),
  people: () => import("./session-people.js"),
  questions: () => import("./session-questions.js"),
  results: () => import("./session-results.js"),
  review: () => import("./session-review.js"),
  settings: () => import("./session-settings.js"),
};

export async function view({ parameters: [id, name = "live", ...rest] }) {
  const tab = Object.hasOwn(tabs, name) ? name : "live";
  const session = await get(`/api/v1/sessions/${id}`);
  const meeting = await get(`/api/v1/meetings/${session.meetingId}`);
  const model = new SessionModel(session, meeting);
  const state = h("span", { class: "state" });
  const phase = h("span", { class: "phase" });
  const when = h("p", { class: "time" });
  const next = h("p", { class: "countdown", role: "timer" });
  const place = h("div", { class: "tab" });

  const showHead = () => {
    const now = model.session;
    phase.dataset.phase = now.phase;
    setText(phase, t(`phase_${now.phase}`));
    setText(when, `${t("round", { round: now.round })} · ${span(now.startsAt, now.endsAt, now.timeZone)}`);
  };
  model.on(["session"], showHead);
  showHead();
  const ticking = setInterval(() => setText(next, whatComes(model.session)), 1000);
  setText(next, whatComes(model.session));

  const end = connect({ room: `session:${id}`, state, listener: (update) => model.take(update) });
  const { tab: make } = await tabs[tab]();
  const made = await make(model, rest);
  fill(place, made.content);
  // On a phone the tabs are wider than the screen: the one that is open is brought into it.
  requestAnimationFrame(() => document.querySelector(".tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" }));
  return {
    title: session.meetingName,
    end: () => {
      clearInterval(ticking);
      made.end?.();
      end();
    },
    content: [
      h("div", { class: "heading" }, h("h1", {}, h("a", { class: "up", href: hrefOf("meetings", session.meetingId) }, session.meetingName)), phase, state),
      when,
      next,
      h(
        "nav",
        { class: "tabs", "aria-label": session.meetingName },
        Object.keys(tabs).filter((one) => one !== "review" || model.isHost).map((one) =>
          h("a", { href: hrefOf("sessions", id, one), "aria-current": one === tab ? "page" : null }, t(`tab_${one}`)),
        ),
      ),
      place,
    ],
  };
}

/** What the clock brings next: the start, the late limit, the end. */
function whatComes(session) {
  const now = serverNow();
  const late = Date.parse(session.startsAt) + session.lateAfterMinutes * 60_000;
  for (const [key, moment] of [["untilStart", Date.parse(session.startsAt)], ["untilLate", late], ["untilEnd", Date.parse(session.endsAt)]]) {
    if (now < moment) return t(key, { time: countdown(moment - now) });
  }
  return t("isOver");
}
