// Creates the next session in two taps, a week after the latest; or several, one each week.
import { go } from "./address.js";
import { field, form } from "./fields.js";
import { post } from "./api.js";
import { h } from "./dom.js";
import { overlapHint, overridable } from "./overlap.js";
import { instantOf, localValue } from "./time.js";
import { t } from "./words.js";

const week = 7 * 86_400_000;

export function continuing(path, meeting) {
  const latest = meeting.latestSession;
  const zone = meeting.timeZone;
  const length = Date.parse(latest.endsAt) - Date.parse(latest.startsAt);
  // The new session is whole weeks later at the same local time, even across a change of the clock, and never
  // in the past.
  const weeks = Math.max(1, Math.ceil((Date.now() - Date.parse(latest.startsAt)) / week));
  const wall = localValue(Date.parse(`${localValue(latest.startsAt, zone)}:00Z`) + weeks * week, "UTC");
  const startsAt = field("startsAt", t("startsAt"), { type: "datetime-local", value: wall, hint: zone });
  const endsAt = field("endsAt", t("endsAt"), {
    type: "datetime-local",
    value: localValue(Date.parse(instantOf(wall, zone)) + length, zone),
    check: (value) => (value > startsAt.input.value ? null : t("endsBeforeStart")),
  });
  const count = field("count", t("howManyWeeks"), {
    type: "number",
    min: 1,
    max: 52,
    value: "1",
    inputmode: "numeric",
  });
  const made = form({
    fields: [startsAt, endsAt, count],
    extra: [overlapHint(startsAt.input, endsAt.input, () => zone)],
    button: t("create"),
    send: overridable(
      async (values, override) => {
        const times = {
          startsAt: instantOf(values.startsAt, zone),
          endsAt: instantOf(values.endsAt, zone),
          ...override,
        };
        const several = Number(values.count) > 1;
        const answer = several
          ? await post(`${path}/sessions/repeat`, { ...times, rule: "weekly", count: Number(values.count) })
          : await post(`${path}/sessions`, times);
        if (several) dispatchEvent(new HashChangeEvent("hashchange"));
        else go("sessions", answer.id);
      },
      () => made.submit,
    ),
  });
  return h(
    "details",
    { class: "wide" },
    h("summary", { class: "button" }, t("continueMeeting")),
    made.element,
  );
}
