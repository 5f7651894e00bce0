// The counts of a session in large digits, with a bar against the planned number.
import { h, setText } from "./dom.js";
import { t } from "./words.js";

const kinds = ["present", "late", "awaited", "absent", "excused", "walkIns", "inside", "left"];

export function counts(attendance) {
  const element = h("dl", { class: "counts" });
  const values = new Map();
  for (const kind of kinds) {
    const value = h("dd", {});
    values.set(kind, value);
    element.append(h("div", { class: kind }, h("dt", {}, t(`count_${kind}`)), value));
  }
  const share = h("progress", { "aria-label": t("checkedIn"), max: 1, value: 0 });
  element.update = (now) => {
    for (const kind of kinds) {
      setText(values.get(kind), now[kind]);
      const part = values.get(kind).parentElement;
      part.toggleAttribute("data-none", !now[kind]);
      // Few sessions record that attendees leave.
      part.hidden = now[kind] === undefined;
    }
    // A session without a planned number expects the people of its roster.
    share.max = Math.max(1, now.planned, now.checkedIn + now.awaited + now.absent + now.excused);
    share.value = now.checkedIn;
  };
  element.update(attendance);
  const whole = h("div", { class: "attendance" }, element, share);
  whole.update = element.update;
  return whole;
}
