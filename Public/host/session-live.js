// The view for a host during the session, for phones too: the code, the polls, and the newest arrivals.
import { hrefOf } from "./address.js";
import { actionButton, copied } from "./fields.js";
import { addPerson } from "./person-add.js";
import { call, get, post, tagOf } from "./api.js";
import { ask, open } from "./dialog.js";
import { arrivalsPlot } from "./plots.js";
import { counts } from "./counts.js";
import { announce, fill, h, setText } from "./dom.js";
import { liveStage } from "./live-stage.js";
import { presenterLinks } from "./presenter-links.js";
import { pictureOf } from "./session-model.js";
import { loadSets } from "./sets.js";
import { clockTime } from "./time.js";
import { t } from "./words.js";

const shown = 8;

export async function tab(model) {
  const { session } = model;
  const path = `/api/v1/sessions/${session.id}`;
  await loadSets(model);
  const numbers = counts(model.attendance);
  const code = codeSection(model, path);
  const newest = h("ol", { class: "newest" });
  const plot = arrivalsPlot(model);
  const stage = liveStage(model);
  let drawing = 0;

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
    model.on(["arrivals"], () => (drawing ||= requestAnimationFrame(showArrivals))),
  ];
  showArrivals();

  return {
    end: () => {
      for (const stop of stops) stop();
      cancelAnimationFrame(drawing);
      for (const part of [code, stage, plot]) part.end();
    },
    content: [
      numbers,
      h(
        "div",
        { class: "board" },
        code.element,
        stage.element,
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

/** Returns the section with the code, the links to it, and its settings. */
function codeSection(model, path) {
  const { session } = model;
  const { picture } = model;
  picture.alt = t("codeOf", { name: session.meetingName });
  const join = h("p", { class: "join" });
  const address = h("p", { class: "link" });
  const link = h("output", { class: "link" });
  const copy = actionButton(t("copyLink"), copyLink);
  const codeKind = actionButton("", switchKind, {
    onChanged: () => model.takeAnswer(get(path), (now) => ({ session: now })),
  });
  const presenter = actionButton(t("presenterLink"), () => makeLink("presenter"));
  const kiosk = actionButton(t("kioskLink"), () => makeLink("kiosk"));
  const links = presenterLinks(model);
  let large = null;

  function showCode() {
    setText(codeKind, t(model.session.codeKind === "static" ? "toRotating" : "toStatic"));
    if (!model.code) return;
    setText(join, model.code.joinCode);
    setText(address, t("typeAt", { address: location.host }));
    if (model.code.url !== model.pictured) showPicture();
  }

  function showPicture() {
    model.pictured = model.code?.url;
    picture.src = pictureOf(session.id);
    large?.show();
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
    const request = call("PATCH", path, {
      body: { codeKind: isFixed ? "rotating" : "static" },
      etag: tagOf(now),
    });
    await model.takeAnswer(request, (edited) => ({ session: edited }));
  }

  /**
   * Copies the link in lower case: capitals make a smaller QR code, but people read the link. Shows it if it
   * cannot be copied.
   */
  function copyLink() {
    const url = model.code.url.toLowerCase();
    return copied(url, () => fill(link, h("a", { href: url }, url)));
  }

  async function makeLink(kind) {
    const made = await post(`${path}/${kind}-links`);
    await navigator.clipboard?.writeText(made.url).catch(() => {});
    const about = t(kind === "kiosk" ? "kioskLinkAbout" : "presenterLinkAbout");
    fill(link, h("a", { href: made.url }, made.url), " ", about);
    await links.refresh();
  }

  /** Shows the code as large as the screen, for people who stand around the host's phone. */
  function enlarge() {
    const image = h("img", { alt: picture.alt });
    const close = h("button", { type: "button", onclick: () => dialog.close() }, t("close"));
    const dialog = open("", [h("p", {}, image), close], () => (large = null));
    dialog.classList.add("large-code");
    large = {
      dialog,
      show: () => {
        setText(dialog.querySelector("h2"), join.textContent);
        image.src = picture.src;
      },
    };
    large.show();
  }

  const stop = model.on(["code", "session"], showCode);
  showCode();
  // The picture was requested with the session, perhaps before the page renewed its sign-in.
  if (picture.complete && !picture.naturalWidth) showPicture();
  else picture.addEventListener("error", showPicture, { once: true });
  return {
    end: () => {
      stop();
      large?.dialog.close();
    },
    element: h(
      "section",
      { class: "code", "aria-label": t("codeOf", { name: session.meetingName }) },
      h(
        "button",
        { type: "button", class: "plain", "aria-label": t("enlargeCode"), onclick: enlarge },
        picture,
      ),
      h("div", {}, join, address),
      h(
        "div",
        { class: "tools" },
        h(
          "a",
          { class: "quiet button", href: `/present/${session.id}`, target: "_blank" },
          t("openProjector"),
        ),
      ),
      model.isHost &&
        h(
          "details",
          {},
          h("summary", {}, t("codeMore")),
          h("div", { class: "tools" }, copy, codeKind, presenter, kiosk),
          link,
          links.element,
        ),
    ),
  };
}
