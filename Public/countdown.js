// Writes the time until a moment, on the host's page and on the hall's screen.

/**
 * Returns a duration: "6 days 23 h" from a day on, "1:05:09", or "5:09"; in Korean "6일 23시간", "1시간 5분
 * 9초" or "5분 9초". `t(name, values)` returns a text of the page.
 */
export function countdown(milliseconds, t) {
  const all = Math.max(0, Math.round(milliseconds / 1000));
  const [days, hours] = [Math.floor(all / 86_400), Math.floor(all / 3600)];
  // Nobody reads the seconds of a time that is days away.
  if (days) return t("durationDays", { days, hours: hours % 24 });
  const isClock = t("durationMinutes", { minutes: 0, seconds: 0 }).includes(":");
  const two = (number) => (isClock ? String(number).padStart(2, "0") : number);
  const minutes = Math.floor(all / 60) % 60;
  const seconds = two(all % 60);
  return hours
    ? t("durationHours", { hours, minutes: two(minutes), seconds })
    : t("durationMinutes", { minutes, seconds });
}
