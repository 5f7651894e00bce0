// The last scene: thanks, with the numbers of the session.
import { t } from "./words.js";

const language = document.documentElement.lang;

export function scene(box) {
  const [numbers, invitation] = [box.querySelector("ul"), box.querySelector(".note")];

  function show({ session, attendance, sets }, _scene, now) {
    const all = [...sets.values()];
    const sum = (field) => all.reduce((count, set) => count + set[field], 0);
    const lines = [
      ["peopleCheckedIn", attendance.checkedIn],
      ["questionsAsked", sum("questions")],
      ["responsesCount", sum("responses")],
    ];
    const known = lines.filter(([, count]) => count > 0);
    numbers.replaceChildren(...known.map(([name, count]) => line(name, count)));
    const isOpen = session.feedback.questions > 0 && now < Date.parse(session.feedbackClosesAt);
    const time = new Intl.DateTimeFormat(language, {
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZone: session.timeZone,
    }).format(new Date(session.feedbackClosesAt));
    invitation.textContent = isOpen ? t("feedbackUntil", { time }) : "";
  }

  /** Returns a large number above its label. */
  function line(name, count) {
    const number = Object.assign(document.createElement("strong"), { textContent: count });
    const one = document.createElement("li");
    one.append(number, t(name, { count }));
    return one;
  }

  return { show };
}
