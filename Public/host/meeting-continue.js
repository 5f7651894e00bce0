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
  const number = (name, label, value, max) =>
    field(name, label, { type: "number", min: 0, max, inputmode: "numeric", value: String(value) });
  // The fields of one new session, with the values of the latest one.
  const title = field("title", t("roundTitle"), {
    maxlength: 100,
    autocomplete: "off",
    hint: t("optional"),
  });
  const planned = number("plannedCount", t("planned"), latest.attendance.planned, 100_000);
  const late = number("lateAfterMinutes", t("lateAfter"), latest.lateAfterMinutes, 1440);
  const place = field("place", t("place"), {
    id: "f-next-place",
    value: meeting.place ?? "",
    maxlength: 200,
    hint: t("optional"),
  });
  const identifyBy = field("identifyBy", t("identifyBy"), {
    as: "select",
    value: meeting.identifyBy,
    options: ["email", "number", "name"].map((value) => [value, t(`identify_${value}`)]),
  });
  const made = form({
    fields: [startsAt, endsAt, title, planned, late, place, identifyBy, count],
    extra: [overlapHint(startsAt.input, endsAt.input, () => zone)],
    button: t("create"),
    send: overridable(
      async (values, override) => {
        const times = {
          startsAt: instantOf(values.startsAt, zone),
          endsAt: instantOf(values.endsAt, zone),
          title: values.title,
          plannedCount: Number(values.plannedCount),
          lateAfterMinutes: Number(values.lateAfterMinutes),
          ...override,
        };
        const changed = {};
        if (values.place !== (meeting.place ?? "")) changed.place = values.place;
        if (values.identifyBy !== meeting.identifyBy) changed.identifyBy = values.identifyBy;
        const rounds = Number(values.count);
        const several = rounds > 1;
        const answer = several
          ? await post(`${path}/sessions/repeat`, { ...times, ...changed, rule: "weekly", count: rounds })
          : await post(`${path}/sessions`, { ...times, ...changed });
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
