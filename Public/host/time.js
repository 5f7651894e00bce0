// Formats times in the meeting's zone, and computes countdowns by the server's clock.
import { countdown as inWords } from "/countdown.js";
import { language, t } from "./words.js";

const formats = new Map();

function format(timeZone, options) {
  const key = timeZone + JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(language, { timeZone, ...options }));
  return formats.get(key);
}

/** Returns a date and time: Sat, 21 November, 19:00. */
export function moment(instant, timeZone) {
  return format(timeZone, {
    weekday: "short",
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(new Date(instant));
}

/** Returns a day: 21 November 2026. */
export const day = (instant, timeZone) => format(timeZone, { dateStyle: "medium" }).format(new Date(instant));

export function clockTime(instant, timeZone) {
  return format(timeZone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(new Date(instant));
}

/** Returns the start and the end. The end includes its day if the day differs from the start's. */
export function span(startsAt, endsAt, timeZone) {
  const day = (instant) => format(timeZone, { dateStyle: "short" }).format(new Date(instant));
  const end = day(startsAt) === day(endsAt) ? clockTime(endsAt, timeZone) : moment(endsAt, timeZone);
  return `${moment(startsAt, timeZone)} – ${end}`;
}

/**
 * Whether a session takes place today in its zone. A session that has ended stays until midnight.
 * The server has the same rule for its list of a day.
 */
export function isToday({ startsAt, endsAt, timeZone }) {
  const day = (instant) => localValue(instant, timeZone).slice(0, 10);
  const today = day(serverNow());
  return day(startsAt) <= today && today <= day(Date.parse(endsAt) - 1);
}

/** Returns a duration in words. */
export const countdown = (milliseconds) => inWords(milliseconds, t);

let ahead = 0;

/** Stores the server's time, which every join contains. A phone's own clock can be wrong by minutes. */
export function learnServerTime(now) {
  ahead = Date.parse(now) - Date.now();
}

export function serverNow() {
  return Date.now() + ahead;
}

/** Returns the value of an `<input type="datetime-local">` for an instant in a zone. */
export function localValue(instant, timeZone) {
  const parts = Object.fromEntries(
    format(timeZone, {
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    })
      .formatToParts(new Date(instant))
      .map((part) => [part.type, part.value]),
  );
  const day = [parts.year, parts.month.padStart(2, "0"), parts.day.padStart(2, "0")].join("-");
  return `${day}T${parts.hour}:${parts.minute}`;
}

/**
 * Returns the instant of a wall-clock value in a zone. A time that a change of the clock skips is read with
 * the offset before the change; of a time that occurs twice, the first counts. The server reads them in the
 * same way.
 */
export function instantOf(value, timeZone) {
  const wall = Date.parse(`${value}:00Z`);
  const offsetAt = (instant) => Date.parse(`${localValue(instant, timeZone)}:00Z`) - instant;
  const before = offsetAt(wall - 86_400_000);
  const first = wall - before;
  if (offsetAt(first) === before) return new Date(first).toISOString();
  const second = wall - offsetAt(wall + 86_400_000);
  return new Date(offsetAt(second) === wall - second ? second : first).toISOString();
}

export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
