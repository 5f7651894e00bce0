// The view for a host while attendees arrive, for phones too: code, counts, newest arrivals and polls.
import { hrefOf } from "./address.js";
import { actionButton } from "./fields.js";
import { addPerson } from "./person-add.js";
import { call, get, post, tagOf } from "./api.js";
import { ask } from "./dialog.js";
import { arrivalsPlot } from "./plots.js";
import { counts } from "./counts.js";
import { announce, fill, h, setText } from "./dom.js";
import { presenterLinks } from "./presenter-links.js";
import { setsPanel } from "./set-buttons.js";
import { loadSets } from "./sets.js";
import { liveTallies } from "./session-tallies.js";
import { clockTime } from "./time.js";
import { t } from "./words.js";

const shown = 12;

export async function tab(model) {
  const { session } = model;
  const path = `/api/v1/sessions/${session.id}`;
  const numbers = counts(model.attendance);
  const picture = h("img", { alt: t("codeOf", { name: session.meetingName }), width: 260, height: 260 });
  const join = h("figcaption", { class: "join" });
  const address = h("p", { class: "link" });
  const copy = actionButton(t("copyLink"), copyLink);
  const newest = h("ol", { class: "newest" });
  const codeKind = actionButton("", switchKind, { onChanged: refresh });
  const plot = arrivalsPlot(model);
  await loadSets(model);
  const sets = setsPanel(model);
  const tallies = liveTallies(model);
  let codeShown = null;
  let drawing = 0;

  async function refresh() {
    model.take({ session: await get(path) });
  }

  async function switchKind() {
    const now = model.session;
    const isFixed = now.codeKind === "static";
    const isSure = await ask({
      title: t(isFixed ? "toRotating" : "toStatic"),
      content: [h("p", {}, t(isFixed ? "toRotatingAsk" : "toStaticAsk"))],
      button: t(isFixed ? "toRotating" : "toStatic"),
    });
    if (!isSure) return;
    model.take({
      session: await call("PATCH", path, {
        body: { codeKind: isFixed ? "rotating" : "static" },
        etag: tagOf(now),
      }),
    });
  }

  function showCode() {
    setText(codeKind, t(model.session.codeKind === "static" ? "toRotating" : "toStatic"));
    if (!model.code || model.code.url === codeShown) return;
    codeShown = model.code.url;
    setText(join, model.code.joinCode);
    setText(address, t("typeAt", { address: location.host }));
    // The server draws the present code; the query only changes the address, so that the browser loads it.
    picture.src = `${path}/qr.svg?of=${encodeURIComponent(model.code.joinCode)}-${Date.now()}`;
  }

  /** Draws the list at most once per screen update, because up to twenty frames can arrive per second. */
  function showArrivals() {
    drawing = 0;
    fill(
      newest,
      model.arrivals.length
        ? model.arrivals.slice(-shown).reverse().map(arrival)
        : h("li", { class: "empty" }, t("nobodyYet")),
    );
  }

  function arrival(one) {
    return h(
      "li",
      {},
      h("span", { class: "name" }, one.name, one.walkIn && h("span", { class: "note" }, ` ${t("walkIn")}`),
        one.firstTime && h("span", { class: "note" }, ` ${t("firstTime")}`)),
      h("span", { class: `status ${one.status}` }, t(`count_${one.status}`)),
      h("time", {}, one.checkedInAt ? clockTime(one.checkedInAt, session.timeZone) : ""),
    );
  }

  const stops = [
    model.on(["attendance"], () => numbers.update(model.attendance)),
    model.on(["code", "session"], showCode),
    model.on(["arrivals"], () => (drawing ||= requestAnimationFrame(showArrivals))),
  ];
  showCode();
  showArrivals();
  const link = h("output", { class: "link" });

  /**
   * Copies the link in lower case: capitals make a smaller QR code, but people read the link. Shows it if it
   * cannot be copied.
   */
  async function copyLink() {
    const url = model.code.url.toLowerCase();
    try {
      await navigator.clipboard.writeText(url);
      announce(t("linkCopied"));
    } catch {
      fill(link, h("a", { href: url }, url));
    }
  }

  const presenter = actionButton(t("presenterLink"), makeLink);

  async function makeLink() {
    const made = await post(`${path}/presenter-links`);
    await navigator.clipboard?.writeText(made.url).catch(() => {});
    fill(link, h("a", { href: made.url }, made.url), " ", t("presenterLinkAbout"));
    await links.refresh();
  }

  const links = presenterLinks(model);

  return {
    end: () => {
      for (const stop of stops) stop();
      cancelAnimationFrame(drawing);
      sets.end();
      tallies.end();
      plot.end();
    },
    content: [
      h(
        "div",
        { class: "board" },
        h(
          "section",
          { class: "code", "aria-label": t("codeOf", { name: session.meetingName }) },
          numbers,
          h("figure", {}, picture, join),
          address,
          h(
            "div",
            { class: "tools" },
            h("a", { class: "button", href: `/present/${session.id}`, target: "_blank" }, t("openProjector")),
            model.isHost && [copy, codeKind, presenter],
          ),
          link,
          model.isHost && links.element,
        ),
        h("div", {}, sets.element, tallies.element),
        h(
          "div",
          {},
          // Above the lists, which grow, so that no control moves under the finger.
          model.isHost &&
            h(
              "section",
              {},
              h("h2", {}, t("tab_people")),
              addPerson(model, `${path}/attendees`),
              h("p", {}, h("a", { href: hrefOf("sessions", session.id, "people") }, t("correctPeople"))),
            ),
          h("section", {}, h("h2", {}, t("newestArrivals")), newest),
          h("section", {}, h("h2", {}, t("arrivalsPerMinute")), plot.element),
        ),
      ),
    ],
  };
}
