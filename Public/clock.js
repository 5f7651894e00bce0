// Counts down to a moment, and opens a page that is not open yet at its moment.
import { t } from "./words.js";

// A host can change the times, so a waiting page looks again about once a minute.
const look = 60_000;

/** Returns a duration in the two largest units that it has, such as "2 days 3 hours". */
function spoken(seconds) {
  const minutes = Math.ceil(seconds / 60);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days) return t(hours ? "daysHours" : "days", { days, hours });
  if (hours) return t(minutes % 60 ? "hoursMinutes" : "hours", { hours, minutes: minutes % 60 });
  if (seconds > 60) return t("minutes", { minutes });
  return t("seconds", { seconds: Math.max(0, Math.ceil(seconds)) });
}

/**
 * Follows the elements whose `data-in` has the seconds until a moment. The server counts them, so that the
 * clock of the phone may be wrong. `again` loads the page anew; a page that waits calls it at the moment, and
 * a little later on most phones, so that a hall does not ask at once.
 */
export function followClock(root, again) {
  for (const element of root.querySelectorAll("[data-in]")) {
    const end = performance.now() + Number(element.dataset.in) * 1000;
    const waits = element.dataset.waits !== undefined;
    const next = performance.now() + look * (0.8 + Math.random());
    const delay = Math.random() * 1500;
    const tick = () => {
      if (!element.isConnected) return document.removeEventListener("visibilitychange", tick);
      clearTimeout(element.timer);
      const now = performance.now();
      const left = Math.max(0, end - now);
      if (waits && (now > end + delay || now > next)) return again();
      const said = t(waits ? "opensIn" : "startsIn", { time: spoken(left / 1000) });
      if (element.textContent !== said) element.textContent = said;
      if (!left && !waits) return element.replaceChildren();
      element.timer = setTimeout(tick, Math.max(200, Math.min(left || delay, 1000)));
    };
    // A phone in a pocket stops its timers.
    document.addEventListener("visibilitychange", tick);
    tick();
  }
}
