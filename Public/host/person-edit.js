// Corrects one attendee. Each correction names the version that was read, and can be undone.
import { actionButton, field, form } from "./fields.js";
import { call, get, pages, post, Problem, tagOf } from "./api.js";
import { ask } from "./dialog.js";
import { announce, fill, h } from "./dom.js";
import { instantOf, localValue } from "./time.js";
import { marks, t } from "./words.js";

const most = 8;

/**
 * Sends the changed values. If another host has changed the record meanwhile, shows the new record and throws
 * no error. `list` has the functions `put`, `drop` and `reload`.
 */
export async function correct(model, attendee, body, list) {
  const before = model.sequence;
  const path = `/api/v1/attendees/${attendee.id}`;
  let edited;
  try {
    edited = await call("PATCH", path, { body, etag: tagOf(attendee) });
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 412) throw error;
    const now = await get(path);
    list.put(now);
    return announce(t("fasterOn", { name: now.name, status: t(`count_${now.status}`) }));
  }
  list.put(edited);
  offerUndo(model, edited, before, list);
}

/** The undo buttons of the corrections made here, in order, and the redo buttons of the undone ones. */
const undos = [];
let redos = [];

/** Undoes the newest correction of the session that was made here. Does nothing if there is none. */
export function undoLast({ session }) {
  undos.findLast((button) => button.dataset.session === session.id)?.click();
}

/** Repeats the correction of the session that was undone last here. Does nothing if there is none. */
export function redoLast({ session }) {
  redos.findLast((button) => button.dataset.session === session.id)?.click();
}

function offerUndo(model, attendee, before, list) {
  const path = `/api/v1/sessions/${model.session.id}`;
  const undo = stepButton(t("undo"), undos, "Z", async () => {
    const event = await correctionOf(attendee, `${path}/journal?since=${before}`);
    if (!event) return announce(t("cannotUndo"));
    show(await post(`${path}/undo`, { sequence: event.sequence }));
    redos.push(redo);
    announce(t("undoneOf", { name: attendee.name }), redo);
  });
  const redo = stepButton(t("redo"), redos, "Shift+Z", async () => {
    show(await post(`${path}/redo`, { attendeeId: attendee.id }));
    undos.push(undo);
    announce(t("redoneOf", { name: attendee.name }), undo);
  });

  /** Returns a button that runs `action` and removes itself from `steps`. */
  function stepButton(text, steps, keys, action) {
    const button = actionButton(
      text,
      () => {
        steps.splice(steps.indexOf(button), 1);
        return action();
      },
      { class: "plain", "data-session": model.session.id, "aria-keyshortcuts": keys },
    );
    return button;
  }

  function show({ attendee: now }) {
    if (now) list.put(now);
    else list.reload();
  }

  redos = [];
  undos.push(undo);
  announce(`${attendee.name}: ${t(`count_${attendee.status}`)}.`, undo);
}

/** Returns the event that gave the record of an attendee this version, or null. */
async function correctionOf({ id, version }, journal) {
  for await (const page of pages(journal)) {
    const found = page.find((event) => event.attendeeId === id && event.version === version);
    if (found) return found;
  }
  return null;
}

/** Returns the form with everything that can be corrected. */
export function editing(model, attendee, list, close) {
  const zone = model.session.timeZone;
  const id = (name) => `f-${attendee.id}-${name}`;
  const name = field("name", t("name"), {
    id: id("name"),
    value: attendee.name,
    maxlength: 100,
    autocomplete: "off",
    check: (value) => (value.trim() ? null : t("nameMissing")),
  });
  const status = field("status", t("status"), {
    id: id("status"),
    as: "select",
    value: attendee.status,
    options: ["awaited", ...marks].map((mark) => [mark, t(`count_${mark}`)]),
  });
  const came = attendee.checkedInAt ? localValue(attendee.checkedInAt, zone) : "";
  const at = field("checkedInAt", t("cameAt"), {
    id: id("at"),
    type: "datetime-local",
    value: came,
    hint: t("cameAtHint"),
  });
  const note = field("note", t("note"), {
    id: id("note"),
    value: attendee.note ?? "",
    maxlength: 500,
    autocomplete: "off",
  });
  const made = form({
    fields: [name, status, at, note],
    button: t("save"),
    cancel: close,
    send: async (values) => {
      // Send only changes: a status that is sent stays fixed when the start moves.
      const body = {};
      if (values.name.trim() !== attendee.name) body.name = values.name.trim();
      if (values.status !== attendee.status) body.status = values.status;
      if (values.checkedInAt && values.checkedInAt !== came)
        body.checkedInAt = instantOf(values.checkedInAt, zone);
      if (values.note.trim() !== (attendee.note ?? "")) body.note = values.note.trim();
      close();
      if (Object.keys(body).length) await correct(model, attendee, body, list);
    },
  });
  return h(
    "div",
    { class: "editing" },
    made.element,
    moving(model, attendee, list, close),
    merging(model, attendee, list, close),
    removing(model, attendee, list, close),
  );
}

/** Records that an attendee leaves or returns, if the session records it. */
function moving(model, attendee, list, close) {
  const { attendance } = model;
  const isHere = ["present", "late"].includes(attendee.status);
  if (attendance.inside === undefined || !isHere) return null;
  const step = attendee.leftAt ? "return" : "leave";
  const text = t(attendee.leftAt ? "returnOf" : "leaveOf", { name: attendee.name });
  const button = actionButton(text, async () => {
    const before = model.sequence;
    const now = await post(`/api/v1/attendees/${attendee.id}/${step}`, {});
    close();
    list.put(now);
    offerUndo(model, now, before, list);
  });
  return h("div", { class: "buttons" }, button);
}

/** Merges two records of one person: this one into the other. */
function merging(model, attendee, list, close) {
  const found = h("ul", { class: "cards" });
  const path = `/api/v1/sessions/${model.session.id}/attendees`;
  const search = field("q", t("mergeWith"), {
    id: `f-${attendee.id}-q`,
    type: "search",
    autocomplete: "off",
    hint: t("mergeHint"),
  });
  let timer = 0;
  search.input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, 250);
  });
  async function look() {
    const text = search.input.value.trim();
    if (!text) return fill(found);
    const { items } = await get(`${path}?limit=${most + 1}&q=${encodeURIComponent(text)}`);
    const others = items.filter((one) => one.id !== attendee.id).slice(0, most);
    fill(found, others.length ? others.map(row) : h("li", {}, t("nothingFound")));
  }
  function row(other) {
    const button = actionButton(t("mergeInto", { name: other.name }), async () => {
      const whole = await post(`/api/v1/attendees/${attendee.id}/merge`, { into: other.id });
      close();
      list.drop(attendee.id);
      list.put(whole);
      announce(t("merged", { name: whole.name }));
    });
    const identity = h("span", { class: "note" }, other.email ?? other.number);
    return h("li", {}, h("span", {}, other.name), identity, button);
  }
  return h("details", {}, h("summary", {}, t("samePerson")), search.element, found);
}

function removing(model, attendee, list, close) {
  const button = actionButton(
    t("removeOf", { name: attendee.name }),
    async () => {
      await call("DELETE", `/api/v1/attendees/${attendee.id}`, { etag: tagOf(attendee) });
      close();
      list.drop(attendee.id);
      announce(t("removed", { name: attendee.name }));
    },
    { class: "quiet danger", onChanged: list.reload },
  );
  const erase = actionButton(
    t("eraseOf", { name: attendee.name }),
    async () => {
      const isSure = await ask({
        title: t("eraseOf", { name: attendee.name }),
        content: h("p", {}, t("eraseAsk")),
        button: t("erase"),
        isDangerous: true,
      });
      if (!isSure) return;
      await call("DELETE", `/api/v1/attendees/${attendee.id}?erase=true`, { etag: tagOf(attendee) });
      close();
      list.drop(attendee.id);
      announce(t("erased", { name: attendee.name }));
    },
    { class: "quiet danger", onChanged: list.reload },
  );
  const revoke = actionButton(
    t("revokeReceiptOf", { name: attendee.name }),
    async () => {
      const path = `/api/v1/attendees/${attendee.id}`;
      const whole = await call("PATCH", path, { body: { revokeReceipt: true }, etag: tagOf(attendee) });
      close();
      list.put(whole);
      announce(t("receiptRevoked", { name: attendee.name }));
    },
    { class: "quiet danger", onChanged: list.reload },
  );
  return h(
    "details",
    {},
    h("summary", {}, t("remove")),
    h("p", { class: "note" }, t("removeHint")),
    h("div", { class: "buttons" }, button, erase),
    attendee.checkedInAt && [
      h("p", { class: "note" }, t("revokeReceiptHint")),
      h("div", { class: "buttons" }, revoke),
    ],
  );
}
