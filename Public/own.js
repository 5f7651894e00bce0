// Keeps an attendee's own page up to date: shows a set when the host opens it, keeps what was typed when the
// host closes it, and updates shared results. The page shows the results of a set only after the attendee has
// answered it, so that other answers do not influence the attendee.
import { Rooms } from "./rooms.js";
import { afterPress, answered, listen, parsed, t } from "./page.js";
import { drawTally, inOrderOfSets } from "./tallies.js";
import { closeForm, enhance, forgetDraft, made, pushButton, reopenForm, sentValues } from "./feedback.js";
import { openGroups, showGroupsLink } from "./groups.js";
import { kindOf } from "./kinds.js";

let followed = null;
// While the rooms cannot be reached, the page asks again after this time.
const pause = 20_000;

/** Starts what belongs to the forms and to the live section under `root`. */
export function open(root) {
  enhance(root.querySelectorAll("form.feedback:not([data-closed])"));
  for (const { dataset } of root.querySelectorAll("[data-sent]")) forgetDraft(dataset.sent);
  openGroups(root);
  const section = root.querySelector("#live");
  if (!section) return;
  const { receipt, session } = section.dataset;
  // The page after an answer reuses the open connection.
  if (followed?.receipt === receipt) return followed.moveTo(section);
  followed?.end();
  followed = following(section, receipt, session);
}

const unanswered = "form.feedback:not([data-answered])";
const formOf = (name) => document.querySelector(`form.feedback[data-set="${CSS.escape(name)}"]`);
const nameOf = (form) => form.querySelector("h2")?.textContent.trim() ?? "";
const isText = (element) =>
  element?.matches("form :is(textarea, input:not([type=radio]):not([type=checkbox]))");

function following(first, receipt, session) {
  let section = first;
  let people = 0;
  let isLive = false;
  let timer = 0;
  let title = document.title;
  const tallies = new Map();
  const sets = new Map();
  // The sets that this page has seen open, and those for which it has fetched the forms.
  const seen = new Set();
  const asked = new Set();
  // The forms that were fetched since the server made this page.
  let arrived = [];
  const rooms = new Rooms({ authorize: receipt, onState: ({ name }) => lookWithoutRoom(name) });
  rooms.join(`audience:${session}`, (message) => afterPress(message, () => take(message)));

  function take(message) {
    if (message.refused) return rooms.close();
    if (message.gone) return section.before(made("p", { className: "told bad" }, t("sessionGone")));
    if (message.matching || message.snapshot) showGroupsLink(message.matching, people);
    if (message.snapshot) {
      tallies.clear();
      sets.clear();
    }
    people = message.attendance?.checkedIn ?? message.snapshot?.session.attendance?.checkedIn ?? people;
    for (const name of message.removedSets ?? []) remove(name);
    for (const set of message.snapshot?.sets ?? message.sets ?? []) sets.set(set.set, set);
    for (const tally of message.snapshot?.tallies ?? (message.tally ? [message.tally] : []))
      tallies.set(tally.questionId, tally);
    draw();
    followSets();
  }

  function remove(name) {
    sets.delete(name);
    for (const [id, { set }] of tallies) if (set === name) tallies.delete(id);
    const form = formOf(name);
    if (form) closeForm(form);
  }

  function draw() {
    for (const line of document.querySelectorAll(".sharing")) {
      const set = sets.get(line.dataset.set);
      const text = t(set?.shared ? "isShared" : "notShared", { title: line.dataset.title });
      if (set && line.textContent !== text) line.textContent = text;
    }
    showIdle();
    const shared = inOrderOfSets(tallies.values(), sets).filter(
      (tally) => sets.get(tally.set)?.shared !== false && !formOf(tally.set)?.matches(unanswered),
    );
    if (!shared.length) return section.replaceChildren();
    const places = shared.map((tally) => {
      const article = made("article", { className: "tally" });
      drawTally(article, tally, sets.get(tally.set), t);
      markOwn(article, tally, section.dataset.attendee);
      return article;
    });
    section.replaceChildren(made("h2", {}, t("results")), ...places);
  }

  // MARK: Sets that open and close

  function followSets() {
    const open = [...sets.values()].filter((set) => set.open).map((set) => set.set);
    for (const name of asked) if (!open.includes(name)) asked.delete(name);
    for (const { set, open } of sets.values()) {
      const form = formOf(set);
      // The answers to other sets can lead to a set that is not open for everybody.
      if (form && !open && (form.matches(".poll") || seen.has(set))) {
        closeForm(form);
        document.title = title;
      }
      if (form && open) reopenForm(form);
      if (open) seen.add(set);
      else seen.delete(set);
    }
    showIdle();
    // The page does not fetch a set that was just answered, because a request at that moment would reveal in
    // the server's log which attendee answered.
    const missing = open.filter((name) => !asked.has(name) && !answered.has(name) && !formOf(name));
    for (const name of open) asked.add(name);
    // All phones in a hall receive this update at the same moment. A random delay spreads their requests, so
    // that the server gets at most some 2,500 in a second.
    if (missing.length) setTimeout(() => fetchForms(missing), Math.random() * Math.min(800, people * 0.4));
  }

  async function fetchForms(names) {
    // The page asks again after the next frame, or when the next page has arrived.
    const forget = () => names.forEach((name) => asked.delete(name));
    if (!section.isConnected) return forget();
    try {
      const found = await formsOfPage();
      arriveAfterPress(
        () => found.filter((form) => isNew(form) && names.includes(form.dataset.set)),
        forget,
      );
    } catch {
      forget();
    }
  }

  /** Shows new forms, or calls `missed` if another page is replacing this one. */
  function arriveAfterPress(news, missed = () => {}) {
    afterPress(news, () => {
      if (!section.isConnected) return missed();
      const forms = news();
      if (forms.length) arrive(forms);
    });
  }

  const isNew = (form) => form.matches(unanswered) && !formOf(form.dataset.set);

  async function formsOfPage() {
    const answer = await fetch(section.dataset.page, { headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(answer.status);
    return [...parsed(await answer.text()).querySelectorAll("form.feedback")];
  }

  /** Shows forms at the top of the page, and says so. What the attendee has typed elsewhere stays. */
  function arrive(forms) {
    const typing = document.activeElement;
    document.querySelector(".jump")?.remove();
    const box = putOnTop(forms);
    arrived.push(...forms);
    listen(box);
    draw();
    const name = nameOf(forms[0]);
    tell(t("opened", { title: name }));
    document.title = `● ${name}`;
    const settle = () => (document.title = title);
    for (const event of ["pointerdown", "keydown"]) box.addEventListener(event, settle, { once: true });
    // A browser lets only a page vibrate that somebody has touched.
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(200);
    scrollTo(0, 0);
    // A person who is typing stays in the field, and the next key scrolls back to it.
    if (isText(typing) && typing.isConnected) jumpFrom(box, name);
    else focusOn(forms[0].querySelector("h2"));
  }

  function putOnTop(forms) {
    const pass = document.querySelector(".pass");
    const box = made("div", { className: "arrived" });
    pass?.classList.add("slim");
    if (pass) pass.after(box);
    else document.querySelector("main").prepend(box);
    box.append(...forms);
    return box;
  }

  function focusOn(heading) {
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  }

  /** Shows a button that leads to the box while the box is not on the screen. */
  function jumpFrom(box, name) {
    const jump = pushButton("jump", t("showNow", { title: name }), () => {
      scrollTo(0, 0);
      focusOn(box.querySelector("h2"));
    });
    jump.hidden = true;
    box.after(jump);
    const watch = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!box.isConnected || !box.querySelector("form:not([data-closed])")) {
        jump.remove();
        return watch.disconnect();
      }
      jump.hidden = isIntersecting;
    });
    watch.observe(box);
  }

  function tell(text) {
    const news = document.getElementById("news");
    if (news) news.textContent = text;
  }

  function showIdle() {
    const idle = document.getElementById("idle");
    if (idle) idle.hidden = Boolean(document.querySelector(`${unanswered}:not([data-closed])`));
  }

  // MARK: Without the rooms

  function lookWithoutRoom(state) {
    isLive = state === "live";
    clearTimeout(timer);
    // After "over", the server would refuse this page too.
    if (["connecting", "waiting"].includes(state)) timer = setTimeout(look, pause * (0.5 + Math.random()));
  }

  async function look() {
    if (isLive || !section.isConnected) return;
    try {
      const found = await formsOfPage();
      arriveAfterPress(() => found.filter((form) => isNew(form) && !answered.has(form.dataset.set)));
      afterPress(found, () => {
        for (const form of document.querySelectorAll("form.poll"))
          if (!found.some(({ dataset: { set } }) => set === form.dataset.set)) closeForm(form);
      });
    } catch {
      // The page tries again.
    }
    lookWithoutRoom("waiting");
  }

  function moveTo(next) {
    section = next;
    title = document.title;
    // The server may have made this page before these forms arrived. They keep what was typed.
    arrived = arrived.filter(
      ({ dataset: { set } }) => sets.get(set)?.open && !answered.has(set) && !formOf(set),
    );
    if (arrived.length) putOnTop(arrived);
    draw();
    followSets();
  }

  function end() {
    clearTimeout(timer);
    rooms.close();
    isLive = true;
    clearTimeout(timer);
  }

  document.addEventListener("aside", () => setTimeout(draw));
  return { receipt, moveTo, end };
}

/** Returns the values of the stored answer: from the form that changes it, or else what this tab has sent. */
function ownValues(attendee, { set, questionId: id }) {
  const form = formOf(set);
  const keys = form?.querySelector(`[data-question="${id}"][data-keys]`)?.dataset.keys;
  if (keys) return keys.split("\n");
  if (form?.dataset.answered === undefined) return sentValues(attendee, set, id);
  const isStored = ({ type, defaultChecked, defaultValue }) =>
    ["radio", "checkbox"].includes(type) ? defaultChecked : defaultValue;
  return [...form.querySelectorAll(`[name="q_${id}"], [name="q_${id}_other"]`)]
    .filter(isStored)
    .map(({ type, value, defaultValue }) => (["radio", "checkbox"].includes(type) ? value : defaultValue));
}

/** Marks the attendee's own answer in the results of a question. */
function markOwn(article, tally, attendee) {
  const values = ownValues(attendee, tally);
  if (!values.length) return;
  const mark = () => made("span", { className: "own" }, t("yourAnswer"));
  for (const [row, line] of [...article.querySelectorAll(".bars li")].entries()) {
    const label = line.querySelector(".label");
    if (!kindOf(tally).isOwn(tally, values, row)) continue;
    line.classList.add("mine");
    label.append(" ", mark());
  }
  for (const line of article.querySelectorAll(".texts li")) {
    if (values.includes(line.textContent)) line.append(" ", mark());
  }
}
