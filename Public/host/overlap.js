// Overlaps with the host's other sessions: shown shortly after the last key, and overridden by sending again.
import { post, Problem } from "./api.js";
import { fill, h } from "./dom.js";
import { instantOf, span } from "./time.js";
import { t } from "./words.js";

const pause = 400;

/** Returns a note with the overlaps of two wall-clock times, read in the zone that `zone()` returns. */
export function overlapHint(start, end, zone, inputs = [start, end]) {
  const warning = h("p", { class: "note warning", role: "status" });
  let timer = 0;
  let turn = 0;
  async function look() {
    const mine = ++turn;
    if (!start.value || !end.value || end.value <= start.value) return fill(warning);
    let found = [];
    try {
      const times = { startsAt: instantOf(start.value, zone()), endsAt: instantOf(end.value, zone()) };
      found = (await post("/api/v1/sessions/overlap", times)).overlaps;
    } catch {
      // An error is ignored, because this is only a hint: the server checks overlaps again when the session
      // is saved.
    }
    if (mine === turn)
      fill(
        warning,
        found
          .map((one) =>
            t("overlaps", { name: one.meetingName, time: span(one.startsAt, one.endsAt, zone()) }),
          )
          .join(" "),
      );
  }
  for (const input of inputs) {
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(look, pause);
    });
  }
  look();
  return warning;
}

/**
 * Wraps `send`: after a refusal because of an overlap, the button offers to send anyway, and `send` then
 * receives `{ allowOverlap: true }`.
 */
export function overridable(send, submit) {
  let isKnown = false;
  return async (values) => {
    try {
      return await send(values, isKnown ? { allowOverlap: true } : {});
    } catch (error) {
      if (error instanceof Problem && error.code === "session_overlap") {
        isKnown = true;
        submit().textContent = t("overlapAnyway");
      }
      throw error;
    }
  };
}
