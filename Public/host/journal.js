// The journal of a session, newest first, with a button to undo each event that can be undone.
import { actionButton } from "./fields.js";
import { get, post } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { loadSets, titleOf } from "./sets.js";
import { moment } from "./time.js";
import { hasText, t } from "./words.js";

const atOnce = 100;

export async function journal(model) {
  const path = `/api/v1/sessions/${model.session.id}`;
  const list = h("ol", { class: "journal" });
  const earlier = actionButton(t("earlier"), showEarlier);
  let first = 0;
  let last = 0;
  let reading = 0;

  /** Returns the entries after `since` up to `until`, newest first. */
  async function entries(since, until) {
    const { items } = await get(`${path}/journal?since=${since}&limit=${Math.max(1, until - since)}`);
    return items
      .filter((event) => event.sequence <= until)
      .reverse()
      .map(entry);
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
    fill(list, [...list.children], await entries(first, until));
    earlier.hidden = first === 0;
  }

  function entry(event) {
    const button = actionButton(t("undo"), undo, {
      class: "plain",
      "aria-label": `${t("undo")}: ${event.sequence}`,
      onChanged: reload,
    });
    async function undo() {
      await post(`${path}/undo`, { sequence: event.sequence });
      announce(t("undone"));
      await reload();
    }
    const kind = hasText(`event_${event.kind}`) ? event.kind : "edited";
    const { before, status, set, fields, recomputed, undoes, changes, link } = event.data ?? {};
    const listed = new Set([...(changes ?? []).map((change) => change.field), ...(status ? ["status"] : [])]);
    const changed = ({ field, from, to }) => `${label(field)}: ${shown(field, from)} → ${shown(field, to)}`;
    const others = (fields ?? []).filter((field) => !listed.has(field) && isKnown(field)).map(label);
    return h(
      "li",
      { value: event.sequence },
      h("time", {}, moment(event.at, model.session.timeZone)),
      " ",
      h("strong", {}, t(`event_${kind}`)),
      " ",
      event.attendeeName,
      event.intoName && ` ${t("mergedWith", { name: event.intoName })}`,
      before && status && ` ${t(`count_${shownAs(before)}`)} → ${t(`count_${shownAs(status)}`)}`,
      set && ` ${titleOf(model.sets.get(set) ?? { set })}`,
      changes && ` ${changes.filter(({ field }) => isKnown(field)).map(changed).join(", ")}`,
      others.length > 0 && ` ${others.join(", ")}`,
      recomputed >= 0 && ` ${t("recomputed", { count: recomputed })}`,
      undoes && ` #${undoes}`,
      event.kind === "checkedIn" && link && h("span", { class: "note" }, ` ${t("linkFor_kiosk")}`),
      event.actorName && h("span", { class: "note" }, ` ${t("by", { name: event.actorName })}`),
      event.note && h("span", { class: "note words" }, event.note),
      event.undoable && model.isHost && [" ", button],
    );
  }

  /** Returns a button that undoes or repeats the latest step, and shows what that was. */
  function stepButton(step) {
    return actionButton(
      t(step === "undo" ? "undoLatest" : "redo"),
      async () => {
        const { event } = await post(`${path}/${step}`, {});
        const subject = [event.attendeeName, `#${event.data.undoes}`].filter(Boolean).join(" ");
        announce(`${t(step === "undo" ? "undone" : "redone")} ${subject}`);
        await reload();
      },
      { onChanged: reload },
    );
  }

  const isKnown = (field) => hasText(`field_${field}`);
  const label = (field) => t(`field_${field}`);

  /** Returns a value of a field in words: a time, a name of the product, or the value itself. */
  function shown(field, value) {
    if (field.endsWith("At")) return moment(value, model.session.timeZone);
    if (field === "checkOut") return t(`leaving_${value}`);
    return field === "codeKind" ? t(`kind_${value}`) : value;
  }

  // The page reads the journal, because the room's frames contain no names and notes. If many events arrive,
  // the page reads the journal only once per second.
  const stop = model.on(
    ["attendance", "arrivals", "changed", "sets", "session", "reload"],
    () => (reading ||= setTimeout(() => reload().catch(() => {}), 1000)),
  );
  await loadSets(model);
  await reload();
  return {
    element: h(
      "section",
      {},
      h("h2", {}, t("journal")),
      model.isHost && h("div", { class: "tools" }, stepButton("undo"), stepButton("redo")),
      list,
      earlier,
    ),
    end: () => {
      stop();
      clearTimeout(reading);
    },
  };
}

function shownAs(recorded) {
  return recorded === "pending" ? "awaited" : recorded;
}
