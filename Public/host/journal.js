// A session's journal, newest first, with undo where an undoing may still do.
import { attempt } from "./fields.js";
import { get, post } from "./api.js";
import { fill, h, say } from "./dom.js";
import { moment } from "./time.js";
import { t, words } from "./words.js";

const atOnce = 100;

export async function journal(model) {
  const path = `/api/v1/sessions/${model.session.id}`;
  const list = h("ol", { class: "journal" });
  const earlier = h("button", { type: "button", class: "quiet", onclick: () => attempt(earlier, showEarlier) }, t("earlier"));
  let first = 0;
  let last = 0;
  let reading = 0;

  /** Entries behind `since`, up to `until`, newest first. */
  async function entries(since, until) {
    const { items } = await get(`${path}/journal?since=${since}&limit=${Math.max(1, until - since)}`);
    return items.filter((event) => event.sequence <= until).reverse().map(entry);
  }

  async function reload() {
    reading = 0;
    last = Math.max(model.sequence, last);
    first = Math.max(0, last - atOnce);
    fill(list, await entries(first, last || atOnce));
    earlier.hidden = first === 0;
  }

  async function showEarlier() {
    const until = first;
    first = Math.max(0, until - atOnce);
    list.append(...(await entries(first, until)));
    earlier.hidden = first === 0;
  }

  function entry(event) {
    const button = h("button", { type: "button", class: "plain", "aria-label": `${t("undo")}: ${event.sequence}`, onclick: () => attempt(button, undo, { onChanged: reload }) }, t("undo"));
    async function undo() {
      await post(`${path}/undo`, { sequence: event.sequence });
      say(t("undone"));
      await reload();
    }
    const kind = `event_${event.kind}`;
    const { before, status, set, fields, recomputed, undoes, changes } = event.data ?? {};
    const told = new Set([...(changes ?? []).map((change) => change.field), ...(status ? ["status"] : [])]);
    const others = (fields ?? []).filter((field) => !told.has(field)).map(label);
    return h("li", { value: event.sequence },
      h("time", {}, moment(event.at, model.session.timeZone)), " ", h("strong", {}, words[kind] ? t(kind) : event.kind), " ", event.attendeeName,
      before && status && ` ${t(`count_${shownAs(before)}`)} → ${t(`count_${shownAs(status)}`)}`,
      set && ` ${set}`, changes && ` ${changes.map(({ field, from, to }) => `${label(field)}: ${shown(field, from)} → ${shown(field, to)}`).join(", ")}`,
      others.length > 0 && ` ${others.join(", ")}`, recomputed >= 0 && ` ${t("recomputed", { count: recomputed })}`, undoes && ` #${undoes}`,
      event.actorName && h("span", { class: "note" }, ` ${t("by", { name: event.actorName })}`),
      event.note && h("span", { class: "note words" }, event.note),
      event.undoable && model.isHost && [" ", button]);
  }

  const label = (field) => (words[`field_${field}`] ? t(`field_${field}`) : field);
  const shown = (field, value) => (field.endsWith("At") ? moment(value, model.session.timeZone) : value);

  // The journal says what the room does, with names and words that the room has not; in a rush it is read once in a while.
  const stop = model.on(["attendance", "arrivals", "changed", "sets", "session", "reload"], () => (reading ||= setTimeout(() => reload().catch(() => {}), 1000)));
  await reload();
  return {
    element: h("section", {}, h("h2", {}, t("journal")), list, earlier),
    end: () => {
      stop();
      clearTimeout(reading);
    },
  };
}

function shownAs(recorded) {
  return recorded === "pending" ? "awaited" : recorded;
}
