// Keeps the page for groups of interest up to date, and its part of the bar on the other pages. The server
// sends a frame without data to the two phones that a request concerns; each phone then loads the page with
// its receipt.
import { listen, parsed } from "./page.js";
import { afterPress } from "./press.js";
import { t } from "./words.js";
import { markPart, showPart, tell } from "./parts.js";

let groups = null;
// While the rooms cannot be reached, the page loads again after this time, in milliseconds.
const groupsPause = 5000;
// Changes of other people reach many phones at once, so each phone waits a random part of this time,
// in milliseconds.
const spread = 2000;

/** Follows the section for groups of interest under `root`, if there is one. */
export function openGroups(root) {
  const section = root.querySelector("#groups");
  if (!section) return root === document ? groups?.end() : undefined;
  // The page after a form reuses the open connection.
  if (groups?.receipt === section.dataset.receipt) return groups.moveTo(section);
  groups?.end();
  groups = followGroups(section);
}

function followGroups(first) {
  let section = first;
  let isLive = false;
  let isLooking = false;
  let mustLook = false;
  let expiry = 0;
  let seconds = 0;
  let later = 0;
  const title = document.title;
  const { receipt } = section.dataset;

  function hear({ joined, matching }) {
    // A request may have come before the connection was open.
    if (joined) return look();
    if (!matching) return;
    if (matching.own) look();
    else if (matching.settings || section.dataset.state !== "idle") lookSoon();
  }

  function setLive(state) {
    isLive = state === "live";
    if (!isLive && state !== "over") lookSoon(groupsPause);
  }

  function lookSoon(most = spread) {
    if (later) return;
    later = setTimeout(() => {
      later = 0;
      look();
    }, Math.random() * most);
  }

  /** Loads the page and shows what has changed. Only one request is under way at a time. */
  async function look() {
    mustLook = true;
    if (isLooking) return;
    isLooking = true;
    try {
      while (mustLook && section.isConnected) {
        mustLook = false;
        const answer = await fetch(address());
        if (!answer.ok) continue;
        const page = parsed(await answer.text());
        afterPress(section, () => show(page));
      }
    } catch {
      // The page tries again.
    }
    isLooking = false;
    if (!isLive && section.isConnected) lookSoon(groupsPause);
  }

  // The address keeps the keyword that the attendee has chosen.
  const address = () => (location.search.includes("keyword=") ? location.href : section.dataset.page);

  function show(page) {
    const next = page.querySelector("#groups");
    if (!section.isConnected) return;
    // The form for the nickname stays while the attendee types, unless the host has switched the groups off.
    const wasOpen = section.dataset.open === "yes";
    const isOpen = next?.dataset.open === "yes";
    if (!next || (section.dataset.state === "idle" && wasOpen !== isOpen)) return replaceMain(page);
    const isSame = next.dataset.state === section.dataset.state;
    const wasNews = section.dataset.news;
    for (const name of ["state", "open", "news", "wait"]) section.dataset[name] = next.dataset[name];
    if (isSame && section.dataset.state !== "idle") replaceParts(next);
    else if (!isSame) section.replaceChildren(...next.childNodes);
    if (!isSame) listen(section);
    if (section.dataset.news && section.dataset.news !== wasNews) tellNews(section.dataset.news);
    if (!section.dataset.news) document.title = title;
    count();
  }

  function replaceMain(page) {
    document.querySelector("main").replaceWith(page.querySelector("main"));
    listen(document);
  }

  function replaceParts(next) {
    for (const part of next.querySelectorAll("[data-part]")) {
      const old = section.querySelector(`[data-part="${part.dataset.part}"]`);
      if (!old || plain(old) === plain(part) || isTyping(old)) continue;
      const focused = old.contains(document.activeElement) && labelOf(document.activeElement);
      old.replaceWith(part);
      listen(part);
      if (focused) [...part.querySelectorAll("button, a")].find((one) => labelOf(one) === focused)?.focus();
    }
  }

  const labelOf = (element) => element.ariaLabel ?? element.textContent.trim();
  // The remaining seconds and the states of the buttons do not count as changes of the page.
  const plain = (part) =>
    part.dataset.part === "requests" ? part.textContent.replace(/\d+/g, "") : part.textContent;
  const isTyping = (part) =>
    [...part.querySelectorAll("input:not([type=hidden])")].some(
      (input) => input === document.activeElement || input.value !== input.defaultValue,
    );

  function tellNews(text) {
    tell(text);
    document.title = `● ${text}`;
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(200);
    scrollTo(0, 0);
  }

  /** Counts the seconds of the requests down, and looks again when the first one expires. */
  function count() {
    clearTimeout(expiry);
    clearInterval(seconds);
    const wait = Number(section.dataset.wait);
    if (!wait) return;
    const ends = [...section.querySelectorAll("[data-seconds]")].map((line) => ({
      line,
      at: performance.now() + Number(line.dataset.seconds) * 1000,
    }));
    expiry = setTimeout(look, wait + 100);
    seconds = setInterval(() => {
      for (const { line, at } of ends) {
        const left = Math.max(0, Math.ceil((at - performance.now()) / 1000));
        line.textContent = t("secondsLeft", { count: left });
      }
    }, 1000);
  }

  function moveTo(next) {
    section = next;
    count();
    if (section.dataset.news) document.title = `● ${section.dataset.news}`;
  }

  function end() {
    for (const timer of [expiry, later]) clearTimeout(timer);
    clearInterval(seconds);
    groups = null;
  }

  count();
  return { receipt, hear, setLive, moveTo, end };
}

/** Tells the page for groups of interest what a frame of the room says, and the state of the connection. */
export const hearGroups = (message) => groups?.hear(message);
export const setGroupsLink = (state) => groups?.setLive(state);

/**
 * Updates the part of the bar after a frame. `part` is the frame's part about groups of interest; without it,
 * the page has just connected again.
 */
export function showGroupsLink(part, people) {
  const link = document.querySelector("nav.parts [data-part=groups]");
  if (!link || groups || (part && !part.own && !part.settings)) return;
  // After a new connection, the page was loaded a moment ago, or the phone was away for a while.
  if (!part && performance.now() < 10_000) return;
  const wait = part?.own ? 0 : Math.random() * Math.min(2000, people * 4);
  setTimeout(() => loadGroupsLink(link), wait);
}

async function loadGroupsLink(link) {
  try {
    const answer = await fetch(link.querySelector("a").href);
    if (!answer.ok) return;
    const section = parsed(await answer.text()).querySelector("#groups");
    afterPress(link, () => showPart("groups", section?.dataset.open === "yes"));
    const line = document.getElementById("groups-news");
    const news = section?.dataset.news ?? "";
    if (!line || line.textContent === news) return;
    line.textContent = news;
    markPart("groups", news !== "");
    if (news && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(200);
  } catch {
    // The page tries again after the next frame.
  }
}
