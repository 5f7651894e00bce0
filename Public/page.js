// Sends the forms of an attendee's page. The form shows that it is sending. If the network fails, the form
// retries and keeps the input. A retry is safe, because the server accepts a grant or a receipt only once.
import { rememberMe } from "./device.js";
import { watchFields } from "./fields.js";

// A phone loads this module and its imports as one file, `/page.js`. The modules that this module loads later
// import from here, so that the phone loads nothing twice.
export { store, stored } from "./device.js";
export { showJudgement } from "./fields.js";
export { t } from "./words.js";

const waits = [1000, 2000, 4000, 8000, 15000];
// The statuses that a proxy sends if it cannot reach the server.
const passing = [502, 503, 504];

/** The sets that were answered since this page was opened. */
export const answered = new Set();

listen(document);

/** Enhances the forms under `root` and starts the live part of the page. */
export async function listen(root) {
  for (const form of root.querySelectorAll("form")) {
    if (!document.body.dataset.words) continue;
    const mayBeSent = watchFields(form);
    if (form.matches(".check-in")) rememberMe(form);
    form.addEventListener("submit", (event) => {
      if (!mayBeSent()) return event.preventDefault();
      if (!form.dataset.retry) return;
      event.preventDefault();
      send(form, 0);
    });
  }
  const feedback = root.querySelectorAll("form.feedback");
  if (feedback.length) (await import("./feedback.js")).enhance(feedback);
  const live = root.querySelector("#live");
  if (live) (await import("./own.js")).follow(live);
}

async function send(form, attempt) {
  // Another page has replaced this page, so this page stops.
  if (!form.isConnected) return;
  const button = form.querySelector("button[type=submit]");
  const status = form.querySelector("[role=status]");
  button.disabled = true;
  status.textContent = form.dataset.sending;
  try {
    const body = new URLSearchParams([...new FormData(form)].filter(([name]) => name));
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" } });
    if (passing.includes(answer.status)) throw new Error("busy");
    const html = await answer.text();
    if (answer.ok) {
      form.dispatchEvent(new Event("sent"));
      answered.add(form.dataset.set);
    }
    show(html);
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

// Replaces the page with the server's response, which is a complete page.
function show(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  document.body.replaceWith(page.body);
  window.scrollTo(0, 0);
  listen(document);
  const wrong = document.querySelector("[aria-invalid] input, [aria-invalid]");
  const heading = document.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  (wrong ?? heading)?.focus();
}
