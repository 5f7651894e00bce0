// Groups of interest: the switch, the promise, the places, counts of interests, and reports. The host never
// sees who asks whom to meet.
import { call, get } from "./api.js";
import { announce, fill, h, setText } from "./dom.js";
import { inTurn } from "./fields.js";
import { t } from "./words.js";

export async function tab(model) {
  const path = `/api/v1/sessions/${model.session.id}`;
  const switches = h("div", { class: "tools" });
  const summary = h("p", { class: "summary", role: "status" });
  const interests = h("ul", { class: "interests" });
  const reports = h("div", {});
  const places = h("textarea", { id: "places", rows: "4", "aria-describedby": "places-hint" });
  let settings = await get(`${path}/matching-settings`);
  let isOver = false;

  const turn = inTurn();
  const run = (body) => turn(body).catch((error) => announce(error.message));
  const button = (name, act, more = {}) =>
    h("button", { key: name, type: "button", class: "quiet", onclick: () => run(act), ...more }, t(name));

  async function edit(change) {
    const etag = `"v${settings.version}"`;
    settings = await call("PATCH", `${path}/matching-settings`, { body: change, etag });
    show();
  }

  async function savePlaces() {
    const lines = places.value.split("\n").map((line) => line.trim());
    await edit({ places: lines.filter(Boolean) });
    showPlaces();
    announce(t("placesSaved"));
  }

  const showPlaces = () => (places.value = settings.places.join("\n"));

  function show() {
    const { open, promise, people, pairs, keywords } = settings;
    fill(
      switches,
      model.isHost && [
        button(open ? "closeGroups" : "openGroups", () => edit({ open: !open })),
        promise === "hidden"
          ? button("groupsWithNames", () => edit({ promise: "named" }))
          : button("groupsWithoutNames", () => edit({ promise: "hidden" })),
      ],
      h("p", { class: "note" }, t(promise === "named" ? "groupsNamesAreSeen" : "groupsNamesAreHidden")),
    );
    setText(summary, open || people ? t("groupCounts", { people, pairs }) : t("groupsAreOff"));
    fill(
      interests,
      keywords.map(({ keyword, count }) => h("li", {}, `${keyword} `, h("b", {}, String(count)))),
    );
  }

  async function showReports() {
    if (!model.isHost) return;
    const { items } = await get(`${path}/matching/reports`);
    const change = (report, body) => async () => {
      await call("PATCH", `${path}/matching/reports/${report.id}`, { body });
      await showReports();
    };
    fill(
      reports,
      h("h2", {}, t("groupReports")),
      items.length
        ? h(
            "ul",
            { key: "reports", class: "reports" },
            items.map((report) => {
              const label = (name) => ({ "aria-label": `${t(name)}: ${report.nickname}` });
              return h(
                "li",
                { key: report.id, class: report.closed ? "closed" : "" },
                h("p", {}, h("strong", {}, report.nickname), report.name ? ` (${report.name})` : ""),
                h("p", { class: "note" }, report.keywords.join(" · ")),
                report.text ? h("p", {}, report.text) : null,
                h(
                  "div",
                  { key: "tools", class: "tools" },
                  report.excluded
                    ? button("includeAgain", change(report, { excluded: false }), label("includeAgain"))
                    : button("exclude", change(report, { excluded: true, closed: true }), label("exclude")),
                  report.closed
                    ? h("span", { class: "note" }, t("reportClosed"))
                    : button("closeReport", change(report, { closed: true }), label("closeReport")),
                ),
              );
            }),
          )
        : h("p", { class: "empty" }, t("noReports")),
    );
  }

  async function reload() {
    settings = await get(`${path}/matching-settings`);
    if (isOver) return;
    show();
    await showReports();
  }

  showPlaces();
  show();
  await run(showReports);
  const stop = model.on(["matching", "joined"], () => run(reload));
  return {
    content: [
      h("p", { class: "note" }, t("groupsMeanHost")),
      switches,
      summary,
      interests,
      model.isHost && [
        h("label", { for: "places" }, t("places")),
        places,
        h("p", { class: "note", id: "places-hint" }, t("placesMean")),
        button("savePlaces", savePlaces),
        reports,
      ],
    ],
    end: () => {
      isOver = true;
      stop();
    },
  };
}
