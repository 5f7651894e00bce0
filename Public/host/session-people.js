// The attendees: search, mark, correct and undo. Changes by others come through the room.
import { actionButton } from "./fields.js";
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
    if (isFresh) {
      const found = new Set(page.items.map(({ id }) => id));
      for (const id of [...rows.keys()]) if (!found.has(id)) drop(id);
    }
    for (const attendee of page.items) put(attendee);
    // Rows that are already in order stay in the document, so that no click and no focus is lost.
    const wanted = page.items.map(({ id }) => rows.get(id).element);
    if (isFresh && wanted.some((element, index) => body.children[index] !== element)) fill(body, wanted);
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

  function put(attendee) {
    const old = rows.get(attendee.id);
    // A record that the host is editing is not replaced. If another host has changed it, the server refuses
    // the old version.
    if (old?.isEdited()) return;
    // The answer and the room both report a change. A button that stays loses no click and no focus.
    if (old?.looks === looksOf(attendee)) return;
    const row = personRow(model, attendee, { put, reload: () => load(true), drop });
    const hadFocus = old?.element.contains(document.activeElement);
    const focused = document.activeElement?.dataset.mark;
    if (old) old.element.replaceWith(row.element);
    else body.append(row.element);
    rows.set(attendee.id, row);
    if (hadFocus) row.element.querySelector(focused ? `[data-mark=${focused}]` : "button")?.focus();
  }

  function drop(id) {
    rows.get(id)?.element.remove();
    rows.delete(id);
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

/** Returns what decides how a row looks and which version its buttons send, as a text. */
const looksOf = ({ version, name, typedName, email, number, status, walkIn, firstTime, note, checkedInAt }) =>
  JSON.stringify([version, name, typedName, email, number, status, walkIn, firstTime, note, checkedInAt]);

function personRow(model, attendee, list) {
  const { session } = model;
  const actions = model.isHost && h("td", { class: "actions" });
  let form = null;

  /** Every mark has its own place, so that a second click never means another mark. */
  function mark(status) {
    const isSet = status === attendee.status;
    const set = () => (isSet ? null : correct(model, attendee, { status }, list));
    return actionButton(t(`count_${status}`), set, {
      class: "mark",
      "aria-pressed": String(isSet),
      "aria-label": `${attendee.name}: ${t(`count_${status}`)}`,
      "data-mark": status,
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

  const button =
    model.isHost &&
    h(
      "button",
      {
        type: "button",
        class: "plain",
        "aria-expanded": "false",
        "aria-label": t("editOf", { name: attendee.name }),
        onclick: edit,
      },
      t("edit"),
    );
  if (actions)
    fill(
      actions,
      h("div", { class: "marks" }, marks.map(mark), button),
    );
  const element = h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      h("span", { class: "name" }, attendee.name),
      (attendee.email ?? attendee.number) && h("span", { class: "note" }, attendee.email ?? attendee.number),
      attendee.typedName && h("span", { class: "note" }, t("typedName", { name: attendee.typedName })),
      attendee.walkIn && h("span", { class: "note" }, t("walkIn")),
      attendee.firstTime && h("span", { class: "note" }, t("firstTime")),
      attendee.note && h("span", { class: "note words" }, attendee.note),
    ),
    h("td", { class: `status ${attendee.status}` }, t(`count_${attendee.status}`)),
    h("td", { class: "at" }, attendee.checkedInAt ? clockTime(attendee.checkedInAt, session.timeZone) : "–"),
    actions,
  );
  return { element, isEdited: () => form !== null, looks: looksOf(attendee) };
}
