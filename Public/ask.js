// Keeps the attendee's page of questions from the audience up to date: counts change in their place, new
// questions are announced and wait until the attendee wants to see them, and a vote moves nothing. The server
// makes all elements; this script puts them into the page.
import { store, stored } from "./device.js";
import { listen, parsed } from "./page.js";
import { afterPress } from "./press.js";
import { t } from "./words.js";
import { made, pushButton } from "./feedback.js";

const half = "qring-ask:";
const board = () => document.getElementById("audience");
let isAsking = false;
let mustAsk = false;
let askLater = 0;
// The newest page with questions that wait behind the button, and the number of these.
let newest = null;
let waitingCount = 0;
// Counts the requests, because an older answer must not undo a newer one.
let turn = 0;
/** The number of questions in the newest frame. */
let before = Infinity;
/** The most questions that the page lists. */
const mostListed = 100;

/** Prepares the page of questions under `root`, if it is one. */
export function openQuestions(root) {
  if (!root.querySelector("#audience")) return;
  keepQuestion(root.querySelector("#ask textarea"));
  root.addEventListener("submit", vote);
}

/** Follows the part of a frame about questions from the audience. */
export function hearQuestions({ open, items, votes, removed, shown }, people) {
  const section = board();
  if (!section) return;
  for (const { id, votes: count } of votes) showCount(itemOf(id), count);
  const hasNew = shown > before && /=time/.test(location.search);
  before = shown;
  // A frame lists only the first questions, so the page of the server decides which are gone or new.
  const listed = section.querySelectorAll("li:not([data-status=pending])").length + waitingCount;
  const isSame = listed === Math.min(shown, mostListed) && open === (section.dataset.open === "yes");
  if (isSame && !removed.length && !hasNew && !items.some(isChanged)) return;
  // A new question reaches all phones at once, so each waits a random part of at most two seconds.
  askLater ||= setTimeout(look, Math.random() * Math.min(2000, people * 4));
}

const itemOf = (id) => document.getElementById(`question-${id}`);

/** Whether the page shows the question differently, or not at all. */
function isChanged({ id, votes, status, pinned, answer }) {
  const item = itemOf(id);
  showCount(item, votes);
  if (!item) return true;
  const known = [item.dataset.status, item.dataset.pinned, item.querySelector(".answer")?.textContent];
  return String(known) !== String([status, pinned ? "yes" : "no", answer]);
}

function showCount(item, count) {
  const line = item?.querySelector(".votes");
  const said = t("votes", { count });
  if (!line || line.textContent === said) return;
  line.textContent = said;
  const number = item.querySelector(".vote b");
  if (number) number.textContent = count;
}

/** Loads the page and shows what has changed. Only one request is under way at a time. */
async function look() {
  askLater = 0;
  mustAsk = true;
  if (isAsking) return;
  isAsking = true;
  try {
    while (mustAsk && board()) {
      mustAsk = false;
      const mine = (turn += 1);
      const answer = await fetch(location.href);
      if (mine !== turn) mustAsk = true;
      else if (answer.ok) show(parsed(await answer.text()));
    }
  } catch {
    // The page tries again after the next frame.
  }
  isAsking = false;
}

/** Updates the changed questions. New questions wait behind a button. */
function show(page) {
  const next = page.getElementById("audience");
  if (!next) return;
  afterPress(board(), () => {
    const section = board();
    if (!section) return;
    if (section.dataset.open !== next.dataset.open) replaceForm(page);
    section.dataset.open = next.dataset.open;
    for (const item of section.querySelectorAll("li")) {
      const other = next.querySelector(`#${item.id}`);
      if (!other) item.remove();
      else change(item, other.cloneNode(true));
    }
    const fresh = [...next.querySelectorAll("li")].filter((item) => !document.getElementById(item.id));
    announce(fresh.length, next);
  });
}

/** Changes what differs in a question. Its button stays the same element, so that it keeps the focus. */
function change(item, other) {
  const both = (css) => [item, other].map((one) => one.querySelector(css));
  Object.assign(item.dataset, other.dataset);
  const [said, nextSaid] = both(".said");
  if (said.outerHTML !== nextSaid.outerHTML) said.replaceWith(nextSaid);
  const [form, nextForm] = both(".vote");
  if (!form || !nextForm) {
    form?.remove();
    if (nextForm) item.append(nextForm);
    return;
  }
  const [button, next] = both(".vote button");
  for (const { name, value } of next.attributes) button.setAttribute(name, value);
  if (button.innerHTML !== next.innerHTML) button.replaceChildren(...next.childNodes);
  const [mine, theirs] = both("[name=do]");
  mine.value = theirs.value;
}

function announce(count, next) {
  newest = next;
  waitingCount = count;
  const place = board().querySelector(".fresh");
  const text = count ? t("newQuestions", { count }) : "";
  if (place.textContent === text) return;
  const list = board().querySelector("ol");
  const reveal = pushButton("quiet", text, () => {
    const known = new Map([...list.children].map((item) => [item.id, item]));
    const all = [...newest.querySelectorAll("li")];
    const first = all.find((item) => !known.has(item.id));
    list.replaceChildren(...all.map((item) => known.get(item.id) ?? item));
    place.replaceChildren();
    waitingCount = 0;
    document.getElementById("none")?.remove();
    first?.setAttribute("tabindex", "-1");
    first?.focus();
  });
  place.replaceChildren(...(count ? [reveal] : []));
}

/** Shows or removes the form for a question. The typed text stays on the page, to be copied or sent later. */
function replaceForm(page) {
  const [area, next] = [document, page].map((one) => one.querySelector("#ask"));
  const typed = area.querySelector("textarea")?.value;
  area.replaceChildren(...next.cloneNode(true).childNodes);
  listen(area);
  keepQuestion(area.querySelector("textarea"));
  if (!typed || area.querySelector("textarea")) return;
  const properties = { className: "kept", readOnly: true, value: typed, ariaLabel: t("yourText") };
  area.append(made("textarea", properties));
}

/** Stores a half-written question in this tab, until the server has it. */
function keepQuestion(field) {
  // The address has the person, because two people can use one phone.
  const key = half + document.querySelector("nav.parts [data-part=questions] a").getAttribute("href");
  if (document.querySelector("#audience[data-asked]")) store(key, null, "sessionStorage");
  if (!field) return;
  if (!field.value) field.value = stored(key, "sessionStorage") ?? "";
  field.addEventListener("input", () => store(key, field.value || null, "sessionStorage"));
}

async function vote(event) {
  const form = event.target;
  if (!form.matches(".vote")) return;
  event.preventDefault();
  const button = form.querySelector("button");
  if (button.ariaDisabled === "true") return;
  button.ariaDisabled = "true";
  const mine = (turn += 1);
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
      headers: { Accept: "text/html" },
    });
    const page = parsed(await answer.text());
    if (!answer.ok || !page.getElementById("audience")) return form.submit();
    if (mine === turn) show(page);
    else look();
  } catch {
    // Without a network, the browser says so.
    form.submit();
  } finally {
    button.ariaDisabled = null;
  }
}
