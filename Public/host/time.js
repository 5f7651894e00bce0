// Moments as the meeting's own clock shows them, and the server's clock, against which countdowns run.
import { language } from "./words.js";

const formats = new Map();

function format(timeZone, options) {
  const key = timeZone + JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(language, { timeZone, ...options }));
  return formats.get(key);
}

/** Sat, 21 November, 19:00 */
export function moment(instant, timeZone) {
  return format(timeZone, { weekday: "short", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(new Date(instant));
}

export function clockTime(instant, timeZone) {
  return format(timeZone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(new Date(instant));
}

/** 19:00–21:00, with the day of the end where it is another. */
export function span(startsAt, endsAt, timeZone) {
  const day = (instant) => format(timeZone, { dateStyle: "short" }).format(new Date(instant));
  const end = day(startsAt) === day(endsAt) ? clockTime(endsAt, timeZone) : moment(endsAt, timeZone);
  return `${moment(startsAt, timeZone)} – ${end}`;
}

/** 1:05:09, or 5:09. */
export function countdown(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

let ahead = 0;

/** The server says its time with every join; a phone's own clock may be wrong by minutes. */
export function learnServerTime(now) {
  ahead = Date.parse(now) - Date.now();
}

export function serverNow() {
  return Date.now() + ahead;
}

/** What an `<input type="datetime-local">` holds for an instant, on the clock of the zone. */
export function localValue(instant, timeZone) {
  const parts = Object.fromEntries(
    format(timeZone, { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
      .formatToParts(new Date(instant))
      .map((part) => [part.type, part.value]),
  );
  return `${parts.year}-${parts.month.padStart(2, "0")}-${parts.day.padStart(2, "0")}T${parts.hour}:${parts.minute}`;
}

/**
 * The instant of a wall-clock value in a zone. A time that a change of the clock leaves out is read with the offset before the change, one
 * that comes twice is the first, as the server reads them too.
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
