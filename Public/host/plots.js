// Plots with Chart.js, if the server has it, and a table for each plot.
import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { clockTime } from "./time.js";
import { t } from "./words.js";

let library = null;
/** The number of minutes that the plot of arrivals shows at most. */
const longest = 120;
const drawPause = 250;
const readPause = 5000;

/** Loads Chart.js, which sets a global. Returns null if the server does not have it. */
function chart() {
  library ??= new Promise((resolve) => {
    const script = h("script", {
      src: "/chart.js",
      onload: () => resolve(window.Chart),
      onerror: () => resolve(null),
    });
    document.head.append(script);
  });
  return library;
}

/**
 * Returns a plot of labels and numbers. `update(labels, values)` changes them. The library loads when the
 * plot comes into view, so that the page never waits for it.
 */
export function plot({ title, kind, labelHeading, valueHeading, isSideways = false }) {
  const canvas = h("canvas", { role: "img", "aria-label": title });
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
  const area = h("div", { class: "canvas" }, canvas);
  const element = h("div", { class: "plot" }, area, twin);
  const count = isSideways ? "x" : "y";
  let made = null;
  let isOver = false;
  const inView = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    inView.disconnect();
    draw();
  });
  inView.observe(area);

  async function draw() {
    const Chart = await chart();
    if (isOver) return;
    if (!Chart) {
      area.remove();
      twin.open = true;
      return;
    }
    made = new Chart(canvas, {
      type: kind,
      data: {
        labels: shown[0],
        datasets: [{ data: shown[1], maxBarThickness: 48, backgroundColor: colour("--accent") }],
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        indexAxis: isSideways ? "y" : "x",
        plugins: { legend: { display: false } },
        scales: {
          [isSideways ? "y" : "x"]: { grid: { display: false }, ticks: { callback: shortened } },
          [count]: { beginAtZero: true, suggestedMax: 4, ticks: { precision: 0 } },
        },
      },
    });
    paint();
    colours.addEventListener("change", paint);
  }

  // The plot uses the colours of the page, even after a change between light and dark.
  const colours = matchMedia("(prefers-color-scheme: dark)");
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  function paint() {
    made.data.datasets[0].backgroundColor = colour("--accent");
    for (const scale of Object.values(made.options.scales)) {
      scale.ticks.color = colour("--ink-soft");
      scale.grid = { ...scale.grid, color: colour("--line-soft") };
    }
    made.update("none");
  }
  return {
    element,
    update(labels, values) {
      shown = [labels, values];
      showTable();
      if (!made) return;
      made.data.labels = labels;
      made.data.datasets[0].data = values;
      made.update("none");
    },
    end: () => {
      isOver = true;
      inView.disconnect();
      colours.removeEventListener("change", paint);
      made?.destroy();
    },
  };
}

/** Shortens a label beside its bar. The table has the whole label. */
function shortened(value) {
  const label = String(this.getLabelForValue(value));
  return label.length > 18 ? `${label.slice(0, 17)}…` : label;
}

/**
 * Returns the plot of check-ins per minute. It reads the past minutes once, and again after a snapshot or a
 * correction; it counts new arrivals itself.
 */
export function arrivalsPlot(model) {
  const { session } = model;
  const made = plot({
    title: t("arrivalsPerMinute"),
    kind: "bar",
    labelHeading: t("minute"),
    valueHeading: t("checkedIn"),
  });
  let minutes = new Map();
  let sequence = 0;
  let waiting = 0;
  let reading = 0;

  const draw = () => {
    waiting = 0;
    if (!minutes.size) return made.update([], []);
    const last = Math.max(...minutes.keys());
    const first = Math.max(Math.min(...minutes.keys()), last - longest);
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
      stop();
      clearTimeout(waiting);
      clearTimeout(reading);
      made.end();
    },
  };
}
