// The absences of a meeting's people over its sessions, and the rule of which hosts want to know. The list
// loads when somebody opens it.
import { call, get, Problem } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { actionButton, field, form } from "./fields.js";
import { day } from "./time.js";
import { t } from "./words.js";

/** `seen` has the newest version of the meeting on this page. */
export function absences(path, seen, isHost) {
  const body = h("tbody", {});
  const empty = h("p", { class: "empty", role: "status", hidden: true }, t("nobodyAbsent"));
  const more = actionButton(t("more"), () => load());
  const only = h("input", {
    type: "checkbox",
    checked: Boolean(seen.meeting.absenceRule),
    onchange: () => load(true),
  });
  const choice = h("label", { class: "choice" }, only, t("onlyRuleMet"));
  let cursor = null;
  let turn = 0;

  async function load(isFresh = false) {
    if (!element.open) return;
    const mine = ++turn;
    choice.hidden = !seen.meeting.absenceRule;
    const found = [];
    let next = isFresh ? null : cursor;
    // A page of people who meet the rule can be empty although others follow.
    do {
      const query = new URLSearchParams({ limit: "50", met: String(only.checked && !choice.hidden) });
      if (next) query.set("cursor", next);
      const page = await get(`${path}/absences?${query}`);
      if (mine !== turn) return;
      found.push(...page.items);
      next = page.nextCursor;
    } while (next && !found.length);
    cursor = next;
    fill(body, isFresh ? [] : [...body.children], found.map(row));
    more.hidden = !cursor;
    empty.hidden = body.children.length > 0;
  }

  const row = (person) =>
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        h("span", { class: "name" }, person.name),
        person.meetsRule && h("span", { class: "phase" }, t("ruleMet")),
      ),
      h("td", {}, String(person.inARow)),
      h("td", {}, t("absentOf", { count: person.absent, expected: person.expected })),
      h("td", {}, String(person.excused)),
      h("td", {}, person.lastCameAt ? day(person.lastCameAt, seen.meeting.timeZone) : t("neverCame")),
    );

  const element = h(
    "details",
    { ontoggle: () => load(true) },
    h("summary", {}, t("absences")),
    h("p", { class: "note" }, t("absencesAbout")),
    isHost && rule(path, seen, () => load(true)),
    choice,
    h(
      "table",
      { class: "people" },
      h("caption", { class: "unseen" }, t("absences")),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["name", "inARow", "absent", "excused", "lastCame"].map((key) => h("th", { scope: "col" }, t(key))),
        ),
      ),
      body,
    ),
    empty,
    more,
  );
  return element;
}

/** Returns the form of the rule. Two empty numbers remove the rule. */
function rule(path, seen, changed) {
  // An input with a wrong value has an empty one for scripts.
  const check = (_, input) => input.validationMessage;
  const number = (name, label, max) =>
    field(name, label, { type: "number", min: 1, max, inputmode: "numeric", hint: t("optional"), check });
  const mail = field("mail", t("absenceMail"), {
    as: "select",
    options: ["on", "off"].map((value) => [value, t(`absenceMail_${value}`)]),
    hint: t("absenceMailHint"),
  });
  const fields = [
    number("inARow", t("absentInARow"), 50),
    number("inAll", t("absentInAll"), 500),
    field("since", t("absentSince"), { type: "date", hint: t("absentSinceHint"), check }),
    mail,
  ];
  const show = () => {
    const { absenceRule } = seen.meeting;
    const now = { ...absenceRule, mail: absenceRule?.mail === false ? "off" : "on" };
    for (const one of fields) one.input.value = now[one.name] ?? "";
  };
  const made = form({
    fields,
    button: t("save"),
    send: async (values) => {
      const value = {
        inARow: Number(values.inARow) || null,
        inAll: Number(values.inAll) || null,
        since: values.since || null,
      };
      const isNone = !value.inARow && !value.inAll && !value.since;
      try {
        seen.meeting = await call("PATCH", path, {
          body: { absenceRule: isNone ? null : { ...value, mail: values.mail === "on" } },
          etag: seen.meeting.etag,
        });
        announce(t("saved"));
        await changed();
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 412) throw error;
        seen.meeting = await get(path);
        show();
        announce(t("somebodyFaster"));
      }
    },
  });
  show();
  return h("details", {}, h("summary", {}, t("absenceRule")), made.element);
}
