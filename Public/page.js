// Sends the forms of an attendee's page. The form shows that it is sending. If the network fails, the form
// retries and keeps the input. A retry is safe, because the server accepts a grant or a receipt only once.
import { followClock } from "./clock.js";
import { keepTyped, rememberMe } from "./device.js";
import { watchFields } from "./fields.js";
import { afterPress } from "./press.js";

/** The longest wait for the style sheet of an answer. */
const mostWait = 3000;
const waits = [1000, 2000, 4000, 8000, 15000];
// The statuses that a proxy sends if it cannot reach the server.
const passing = [502, 503, 504];

/** The sets that were answered since this page was opened. */
export const answered = new Set();

/** The line for messages below the button. A form that shows its progress has another status. */
export const statusOf = (form) => form.querySelector("[role=status]:not(.progress, .moved)");

let own = null;
const later = async () => (own ??= await import("./own.js"));
const isOwn = (root) => root.querySelector("form.feedback, [data-sent], nav.parts") !== null;

listen(document);

/** Enhances the forms under `root` and starts the live part of the page. */
export async function listen(root) {
  if (!document.body.dataset.words) return;
  followClock(root, lookAgain);
  for (const form of root.querySelectorAll("form:not(.again):not([data-closed])")) {
    const mayBeSent = watchFields(form);
    if (form.matches(".check-in")) {
      rememberMe(form);
      keepTyped(form);
      // The next page's script arrives while the attendee types.
      form.addEventListener("focusin", () => later().catch(() => {}), { once: true });
    }
    form.addEventListener("submit", (event) => {
      if (!mayBeSent()) return event.preventDefault();
      if (!form.dataset.retry) return;
      event.preventDefault();
      send(form, 0);
    });
  }
  const rankings = [...root.querySelectorAll(".ranking")];
  if (rankings.length) import("./ranking.js").then(({ order }) => rankings.forEach(order)).catch(() => {});
  // A script that has arrived begins at once, so that no update falls between two pages.
  if (isOwn(root)) (own ?? (await later())).open(root);
}

async function send(form, attempt) {
  // Another page has replaced this page, so this page stops.
  if (!form.isConnected) return;
  const button = form.querySelector("button[type=submit]");
  const status = statusOf(form);
  button.disabled = true;
  form.querySelector(".told.bad")?.remove();
  status.textContent = form.dataset.sending;
  try {
    const isForServer = ([name]) => form.elements[name].dataset?.device === undefined;
    const body = new URLSearchParams([...new FormData(form)].filter(isForServer));
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" } });
    if (passing.includes(answer.status)) throw new Error("busy");
    const page = parsed(await answer.text());
    if (answer.ok) {
      form.dispatchEvent(new Event("sent"));
      answered.add(form.dataset.set);
    } else if (!page.querySelector(`form.${form.classList[0]}`)) {
      return afterPress(form, () => refuse(form, page));
    }
    await show(page, form);
  } catch {
    status.textContent = form.dataset.retry;
    const again = () => {
      clearTimeout(timer);
      removeEventListener("online", again);
      send(form, attempt + 1);
    };
    const timer = setTimeout(again, waits[Math.min(attempt, waits.length - 1)]);
    addEventListener("online", again);
  }
}

// Shows the server's refusal in the form, which keeps its input.
function refuse(form, page) {
  const button = form.querySelector("button[type=submit]");
  const told = Object.assign(document.createElement("div"), { className: "told bad" });
  told.setAttribute("role", "alert");
  const heading = document.createElement("p");
  const reason = page.querySelector("h1").textContent;
  heading.append(Object.assign(document.createElement("strong"), { textContent: reason }));
  told.append(heading, ...page.querySelectorAll("main > p:not(.eyebrow)"));
  button.before(told);
  button.disabled = false;
  statusOf(form).textContent = "";
  form.dispatchEvent(new Event("refused"));
}

/** Returns the page that the server has sent, without the parts for browsers that run no scripts. */
export function parsed(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const element of page.querySelectorAll("noscript")) element.remove();
  return page;
}

// Loads a page that waits anew. A page that answered a typed code sends the code again.
async function lookAgain() {
  const form = document.querySelector("form.again");
  const headers = { Accept: "text/html" };
  const request = form && { method: "POST", body: new URLSearchParams(new FormData(form)) };
  try {
    const answer = await fetch(form?.action ?? location.href, { ...request, headers });
    await show(parsed(await answer.text()));
  } catch {
    // Without a network, the page tries again when its next wait is over.
    followClock(document, lookAgain);
  }
}

/** Loads the style sheet of the pages after the check-in, if this page has none. */
function sheetOf(page) {
  const sheet = page.querySelector("link.stage");
  if (!sheet || document.querySelector("link.stage")) return null;
  return new Promise((resolve) => {
    sheet.onload = sheet.onerror = resolve;
    // The answer is worth more than its look.
    setTimeout(resolve, mostWait);
    document.head.append(sheet);
  });
}

// Replaces the page with the server's response to the sent form. The response is a complete page.
async function show(page, sent) {
  // Load the script first, so that the page does not move after it is shown.
  await Promise.all([isOwn(page) && later(), sheetOf(page)]);
  await new Promise((resolve) => afterPress(page, resolve));
  own?.carryOver(page, sent);
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  document.body.replaceWith(page.body);
  window.scrollTo(0, 0);
  listen(document);
  const wrong = document.querySelector("[aria-invalid] input, [aria-invalid]");
  const heading = document.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  (wrong ?? heading)?.focus({ preventScroll: !wrong });
}
