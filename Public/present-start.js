// The scene before the start: when and where the session takes place, and how long it is until then.
import { countdown } from "./countdown.js";
import { t } from "./words.js";

const language = document.documentElement.lang;

export function scene(box) {
  const [time, place, left] = ["time", "place", "left"].map((name) => box.querySelector(`.${name}`));

  function show({ session }, _scene, now) {
    const { startsAt, endsAt, timeZone } = session;
    const [start, end] = [new Date(startsAt), new Date(endsAt)];
    const format = (options) => new Intl.DateTimeFormat(language, { timeZone, ...options });
    const day = format({ weekday: "long", day: "numeric", month: "long" }).format(start);
    const clock = format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    // The range names the days if the session ends on another day.
    time.textContent = `${day}\n${clock.formatRange(start, end)}`;
    place.textContent = session.place ?? "";
    place.style.setProperty("--length", place.textContent.length);
    left.textContent = t("untilStart", { time: countdown(Date.parse(startsAt) - now, t) });
  }

  return { show };
}
