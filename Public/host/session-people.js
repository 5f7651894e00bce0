// The attendees: search, mark, correct and undo. Changes by others come through the room.
import { actionButton, inTurn } from "./fields.js";
import { get, post } from "./api.js";
import { announce, fill, h, setText } from "./dom.js";
import { addPerson } from "./person-add.js";
import { correct, editing, redoLast, undoLast } from "./person-edit.js";
import { clockTime } from "./time.js";
import { marks, statuses, t } from "./words.js";

const pause = 250;
const reloadPause = 1000;

export async function tab(model) {
  const { session } = model;
  const path = `/api/v1/sessions/${session.id}/attendees`;
  const search = h("input", {
    type: "search",
    "aria-label": t("searchPeople"),
    placeholder: t("searchPeople"),
    oninput: soon,
  });
  const only = h(
    "select",
    { "aria-label": t("status"), onchange: () => load(true) },
    h("option", { value: "" }, t("allStatuses")),
    statuses.map((one) => h("option", { value: one }, t(`count_${one}`))),
  );
  const body = h("tbody", {});
  const more = actionButton(t("more"), () => load());
  const nobody = h("p", { class: "empty", hidden: true }, t("nobodyHere"));
  const unnamed = h("p", { class: "note", hidden: true });
  const rows = new Map();
  let cursor = null;
  let timer = 0;
  let reloading = 0;
  let turn = 0;

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(() => load(true), pause);
  }

  async function load(isFresh = false) {
    const mine = ++turn;
    const query = new URLSearchParams({ limit: "50" });
    if (search.value.trim()) query.set("q", search.value.trim());
    if (only.value) query.set("status", only.value);
    if (!isFresh && cursor) query.set("cursor", cursor);
    const page = await get(`${path}?${query}`);
    // Ignore the answer to an older search.
    if (mine !== turn) return;
    const before = new Map(rows);
    if (isFresh) rows.clear();
    for (const attendee of page.items) {
      if (before.has(attendee.id)) rows.set(attendee.id, before.get(attendee.id));
      put(attendee);
    }
    show();
    cursor = page.nextCursor;
    more.hidden = !cursor;
    nobody.hidden = rows.size > 0;
    showUnnamed();
  }

  /** Names the number of people who are planned but not listed, at the end of a list that contains them. */
  function showUnnamed() {
    const { attendance, phase } = model.session;
    const own = ["ended", "closed"].includes(phase) ? "absent" : "awaited";
    const isListed = !search.value.trim() && (!only.value || only.value === own);
    setText(unnamed, t("unnamed", { count: attendance.unnamed ?? 0 }));
    unnamed.hidden = !attendance.unnamed || !isListed || Boolean(cursor);
  }

  /** Puts everybody who came onto the roster, so that the next session expects them. */
  const keep = actionButton(
    t("keepEverybody"),
    async () => {
      const { kept, unchanged } = await post(`/api/v1/meetings/${session.meetingId}/roster/keep`, {
        sessionId: session.id,
      });
      announce(t("keptEverybody", { kept, unchanged }));
    },
    { class: "quiet" },
  );

  const show = () => fill(body, [...rows.values()].map(({ element }) => element));

  /** Shows the attendee in the row, or in a new one at the end. */
  function put(attendee) {
    const row = rows.get(attendee.id);
    // A record that the host is editing is not replaced. If another host has changed it, the server refuses
    // the old version.
    if (row) return row.isEdited() || row.update(attendee);
    rows.set(attendee.id, personRow(model, attendee, { put, reload: () => load(true), drop }));
    show();
  }

  function drop(id) {
    if (rows.delete(id)) show();
  }

  /** Reads the list again, at most once a second, and not while a record is being edited. */
  function reloadSoon() {
    if (reloading) return;
    reloading = setTimeout(() => {
      reloading = 0;
      if ([...rows.values()].some((row) => row.isEdited())) reloadSoon();
      else load(true);
    }, reloadPause);
  }

  /** Appends new arrivals, if the end of an unfiltered list is shown. */
  function arrived(attendee) {
    if (rows.has(attendee.id)) return put(attendee);
    if (cursor || (only.value && only.value !== attendee.status)) return;
    const text = search.value.trim().toLowerCase();
    if (
      text &&
      !`${attendee.name} ${attendee.email ?? ""} ${attendee.number ?? ""}`.toLowerCase().includes(text)
    )
      return;
    put(attendee);
    nobody.hidden = true;
  }

  const stop = model.on(["arrivals", "changed", "reload"], (update, changed) => {
    for (const attendee of update.arrivals ?? []) arrived(attendee);
    for (const attendee of update.changed ?? []) if (rows.has(attendee.id)) put(attendee);
    for (const id of update.removed ?? []) drop(id);
    if (changed.has("reload")) reloadSoon();
    showUnnamed();
  });
  const table = h(
    "table",
    { class: "people marking" },
    h("caption", { class: "unseen" }, t("tab_people")),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["name", "status", "time"].map((key) => h("th", { scope: "col" }, t(key))),
        model.isHost && h("th", { scope: "col" }, t("correct")),
      ),
    ),
    body,
  );

  /**
   * Undoes the last mark: with Ctrl+Z, or with Z alone unless the host is typing. With Shift, repeats the
   * mark that was undone last. `code` is the key's position, because a Korean keyboard writes another letter.
   */
  function onKey(event) {
    if (event.code !== "KeyZ" || event.altKey || event.isComposing) return;
    if (event.target.closest?.("input, select, textarea, dialog")) return;
    const isAlone = !event.ctrlKey && !event.metaKey;
    const { activeElement } = document;
    if (isAlone && activeElement?.closest("a, button, summary") && !table.contains(activeElement)) return;
    event.preventDefault();
    if (event.shiftKey) redoLast(model);
    else undoLast(model);
  }

  addEventListener("keydown", onKey);
  await load(true);
  return {
    end: () => {
      stop();
      removeEventListener("keydown", onKey);
      clearTimeout(timer);
      clearTimeout(reloading);
    },
    content: [
      h(
        "div",
        { class: "tools" },
        search,
        only,
        h(
          "a",
          { class: "button", href: `/api/v1/sessions/${session.id}/attendance.csv?bom=true`, download: true },
          t("exportCSV"),
        ),
        h(
          "a",
          { class: "quiet button", href: `/api/v1/sessions/${session.id}/sheet.html`, target: "_blank" },
          t("printSheet"),
        ),
        model.isHost && keep,
      ),
      model.isHost && addPerson(model, path),
      model.isHost && h("p", { class: "note" }, t("undoKey")),
      table,
      nobody,
      unnamed,
      more,
    ],
  };
}

function personRow(model, first, list) {
  const { session } = model;
  const person = h("th", { scope: "row" });
  const status = h("td", {});
  const at = h("td", { class: "at" });
  const choices = h("div", { class: "marks" });
  const actions = model.isHost && h("td", { class: "actions" }, choices);
  const button = h(
    "button",
    { type: "button", class: "plain", "aria-expanded": "false", onclick: edit },
    t("edit"),
  );
  const turn = inTurn();
  let attendee = first;
  let form = null;

  /** Every mark has its own place, so that a second click never means another mark. */
  function mark(wanted) {
    const isSet = wanted === attendee.status;
    const set = () => wanted !== attendee.status && correct(model, attendee, { status: wanted }, list);
    return actionButton(t(`count_${wanted}`), () => turn(set), {
      key: wanted,
      class: "mark",
      "aria-pressed": String(isSet),
      "aria-label": `${attendee.name}: ${t(`count_${wanted}`)}`,
      "data-mark": wanted,
    });
  }

  function edit() {
    if (form) return close();
    form = editing(model, attendee, list, close);
    actions.append(form);
    button.setAttribute("aria-expanded", "true");
    form.querySelector("input").focus();
  }

  function close() {
    form?.remove();
    form = null;
    button.setAttribute("aria-expanded", "false");
    button.focus();
  }

  function update(now) {
    attendee = now;
    const { name, typedName, walkIn, firstTime, note, checkedInAt, leftAt, partial, presentMinutes } = now;
    const contact = now.email ?? now.number;
    fill(
      person,
      h("span", { class: "name" }, name),
      contact && h("span", { class: "note" }, contact),
      typedName && h("span", { class: "note" }, t("typedName", { name: typedName })),
      walkIn && h("span", { class: "note" }, t("walkIn")),
      firstTime && h("span", { class: "note" }, t("firstTime")),
      leftAt && h("span", { class: "note" }, t("outSince", { time: clockTime(leftAt, session.timeZone) })),
      presentMinutes >= 0 && h("span", { class: "note" }, t("minutesPresent", { count: presentMinutes })),
      partial && h("span", { class: "note" }, t("partial")),
      note && h("span", { class: "note words" }, note),
    );
    status.className = `status ${now.status}`;
    setText(status, t(`count_${now.status}`));
    setText(at, checkedInAt ? clockTime(checkedInAt, session.timeZone) : "–");
    button.setAttribute("aria-label", t("editOf", { name }));
    fill(choices, marks.map(mark), button);
  }

  update(first);
  return { element: h("tr", {}, person, status, at, actions), isEdited: () => form !== null, update };
}
