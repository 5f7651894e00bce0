// What a form does beyond a plain post: it says that it is sending, keeps what was typed when the network fails, and tries again. The same
// post with the same grant or receipt is never counted twice, so that trying again is safe.
const waits = [1000, 2000, 4000, 8000, 15000];

listen();

function listen() {
  for (const form of document.querySelectorAll("form[data-retry]")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send(form, new URLSearchParams(new FormData(form)), 0);
    });
  }
}

async function send(form, body, attempt) {
  const button = form.querySelector("button");
  const status = form.querySelector("[role=status]");
  button.disabled = true;
  status.textContent = form.dataset.sending;
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" } });
    if (answer.status === 503) throw new Error("busy");
    show(await answer.text());
  } catch {
    status.textContent = form.dataset.retry;
    setTimeout(() => send(form, body, attempt + 1), waits[Math.min(attempt, waits.length - 1)]);
  }
}

// The answer is a whole page of ours; its body takes the place of this one.
function show(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  document.title = page.title;
  document.body.replaceWith(page.body);
  window.scrollTo(0, 0);
  document.querySelector("h1")?.setAttribute("tabindex", "-1");
  document.querySelector("h1")?.focus();
  listen();
}
