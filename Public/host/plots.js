// The plot of arrivals: bars as SVG, and the same numbers as a table.
import { get } from "./api.js";
import { fill, h, setText } from "./dom.js";
import { clockTime } from "./time.js";
import { t } from "./words.js";

/** The number of minutes that the plot of arrivals shows at most. */
const longest = 120;
/** The number of minutes that it shows at least, so that a single arrival does not fill the plot. */
const shortest = 20;
const drawPause = 250;
const readPause = 5000;
const svg = "http://www.w3.org/2000/svg";

/** Returns bars over time with a table. `update(labels, values)` changes them. */
function barPlot({ title, labelHeading, valueHeading }) {
  const bars = document.createElementNS(svg, "svg");
  bars.setAttribute("role", "img");
  bars.setAttribute("aria-label", title);
  // The bars fill the area, whatever their number.
  bars.setAttribute("preserveAspectRatio", "none");
  const [most, first, last] = Array.from({ length: 3 }, () => h("span", {}));
  const body = h("tbody", {});
  const table = h(
    "table",
    {},
    h("caption", {}, title),
    h(
      "thead",
      {},
      h("tr", {}, h("th", { scope: "col" }, labelHeading), h("th", { scope: "col" }, valueHeading)),
    ),
    body,
  );
  const twin = h(
    "details",
    { class: "twin", ontoggle: () => showTable() },
    h("summary", {}, t("asTable")),
    table,
  );
  let shown = [[], []];
  const showTable = () => {
    if (!twin.open) return;
    const [labels, values] = shown;
    fill(
      body,
      labels.map((label, index) => h("tr", {}, h("th", { scope: "row" }, label), h("td", {}, values[index]))),
    );
  };
  return {
    element: h("div", { class: "plot" }, h("p", { class: "most", "aria-hidden": "true" }, most), bars,
      h("p", { class: "ends", "aria-hidden": "true" }, first, last), twin),
    update(labels, values) {
      shown = [labels, values];
      showTable();
      const highest = Math.max(...values, 4);
      const width = Math.max(values.length, 1);
      bars.setAttribute("viewBox", `0 0 ${width} ${highest}`);
      fill(
        bars,
        values.flatMap((value, index) => {
          if (!value) return [];
          const bar = document.createElementNS(svg, "rect");
          const place = { x: index + 0.1, y: highest - value, width: 0.8, height: value };
          for (const [name, number] of Object.entries(place)) bar.setAttribute(name, number);
          return [bar];
        }),
      );
      setText(most, values.length ? highest : "");
      setText(first, labels[0] ?? "");
      setText(last, labels.at(-1) ?? "");
    },
  };
}

/**
 * Returns the plot of check-ins per minute. It reads the past minutes once, and again after a snapshot or a
 * correction; it counts new arrivals itself.
 */
export function arrivalsPlot(model) {
  const { session } = model;
  const made = barPlot({
    title: t("arrivalsPerMinute"),
    labelHeading: t("minute"),
    valueHeading: t("checkedIn"),
  });
  let minutes = new Map();
  let sequence = 0;
  let waiting = 0;
  let reading = 0;
  let isOver = false;

  const draw = () => {
    waiting = 0;
    if (!minutes.size) return made.update([], []);
    const last = Math.max(...minutes.keys());
    const first = Math.max(Math.min(...minutes.keys(), last - shortest), last - longest);
    const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    made.update(
      all.map((minute) => clockTime(minute * 60_000, session.timeZone)),
      all.map((minute) => minutes.get(minute) ?? 0),
    );
  };
  const soon = () => (waiting ||= setTimeout(draw, drawPause));

  async function read() {
    reading = 0;
    // Arrivals during the request may be counted twice, so it is read again soon.
    const before = model.sequence;
    const found = await get(`/api/v1/sessions/${session.id}/arrivals`);
    minutes = new Map(found.minutes.map(({ at, checkedIn }) => [Date.parse(at) / 60_000, checkedIn]));
    if (isOver) return;
    if (model.sequence !== before) readSoon();
    soon();
  }
  const readSoon = () => (reading ||= setTimeout(() => read().catch(() => {}), readPause));

  const stop = model.on(["arrivals", "changed", "reload"], (update, changed) => {
    if (changed.has("reload") || changed.has("changed")) readSoon();
    if (update.sequence <= sequence) return;
    sequence = update.sequence;
    for (const attendee of update.arrivals ?? []) {
      if (!attendee.checkedInAt || !["present", "late"].includes(attendee.status)) continue;
      const minute = Math.floor(Date.parse(attendee.checkedInAt) / 60_000);
      minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
    }
    soon();
  });
  read().catch(() => {});
  return {
    element: made.element,
    end: () => {
      isOver = true;
      stop();
      clearTimeout(waiting);
      clearTimeout(reading);
    },
  };
}
