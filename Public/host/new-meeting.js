// Creates a meeting: now, for two hours, or planned with every field. Overlaps show while the host types.
import { go } from "./address.js";
import { call } from "./api.js";
import { h } from "./dom.js";
import { field, form } from "./fields.js";
import { overlapHint, overridable } from "./overlap.js";
import { instantOf, localValue, ownZone, serverNow } from "./time.js";
import { t } from "./words.js";

const twoHours = 7_200_000;
const tenMinutes = 600_000;

export function view() {
  return {
    title: t("planMeeting"),
    content: [h("div", { class: "narrow" }, h("h1", {}, t("planMeeting")), planning())],
  };
}

/** Returns the form of a meeting that starts now: its name, which may stay empty, and one button. */
export function startingNow() {
  const name = nameField(t("startNowHint"));
  // The same times after a lost answer, so that the server knows the request again.
  let times = null;
  const made = form({
    fields: [name],
    button: t("startNow"),
    send: overridable(
      (values, override) =>
        create({
          name: nameOf(name),
          timeZone: ownZone,
          regulars: "everybody",
          session: { ...(times = stillNow(times) ?? nowForTwoHours()), ...override },
        }),
      () => made.submit,
    ),
  });
  made.submit.classList.add("icon-start");
  return made;
}

const nameField = (hint) =>
  field("name", t("meetingName"), {
    maxlength: 100,
    autocomplete: "off",
    placeholder: t("unnamedMeeting"),
    hint,
  });

/** Returns the name, or a default one that the host can change while people come in. */
function nameOf(field) {
  return field.input.value.trim() || t("unnamedMeeting");
}

/** Returns the times of a meeting that starts now, by the server's clock. */
export function nowForTwoHours() {
  const start = serverNow();
  return { startsAt: new Date(start).toISOString(), endsAt: new Date(start + twoHours).toISOString() };
}

const stillNow = (times) => (times && serverNow() - Date.parse(times.startsAt) < tenMinutes ? times : null);

function planning() {
  const name = nameField();
  const start = new Date(Math.ceil(Date.now() / 1_800_000) * 1_800_000);
  const startsAt = field("startsAt", t("startsAt"), {
    type: "datetime-local",
    value: localValue(start, ownZone),
  });
  const endsAt = field("endsAt", t("endsAt"), {
    type: "datetime-local",
    value: localValue(start.getTime() + twoHours, ownZone),
    check: (value) => (value > startsAt.input.value ? null : t("endsBeforeStart")),
  });
  const timeZone = field("timeZone", t("timeZone"), {
    value: ownZone,
    list: "zones",
    autocomplete: "off",
    check: (value) => (isZone(value) ? null : t("zoneWrong")),
  });
  const fields = [
    name,
    startsAt,
    endsAt,
    timeZone,
    field("title", t("roundTitle"), { maxlength: 100, autocomplete: "off", hint: t("optional") }),
    field("place", t("place"), { maxlength: 200, hint: t("optional") }),
    field("plannedCount", t("planned"), {
      type: "number",
      min: 0,
      max: 100_000,
      inputmode: "numeric",
      value: "0",
    }),
    field("lateAfterMinutes", t("lateAfter"), {
      type: "number",
      min: 0,
      max: 1440,
      inputmode: "numeric",
      value: "10",
    }),
    field("identifyBy", t("identifyBy"), {
      as: "select",
      options: ["email", "number", "name"].map((value) => [value, t(`identify_${value}`)]),
    }),
    field("regulars", t("regulars"), {
      as: "select",
      options: ["everybody", "kept", "nobody"].map((value) => [value, t(`regulars_${value}`)]),
    }),
    field("codeKind", t("codeKind"), {
      as: "select",
      hint: t("codeKindHint"),
      options: ["static", "rotating"].map((value) => [value, t(`code_${value}`)]),
    }),
  ];
  const zones = h(
    "datalist",
    { id: "zones" },
    (Intl.supportedValuesOf?.("timeZone") ?? [ownZone]).map((value) => h("option", { value })),
  );
  const zone = () => (isZone(timeZone.input.value) ? timeZone.input.value : ownZone);
  const made = form({
    fields,
    extra: [
      zones,
      overlapHint(startsAt.input, endsAt.input, zone, [startsAt.input, endsAt.input, timeZone.input]),
    ],
    button: t("create"),
    send: overridable(
      (values, override) =>
        create({
          name: nameOf(name),
          timeZone: values.timeZone,
          place: values.place,
          plannedCount: Number(values.plannedCount),
          identifyBy: values.identifyBy,
          regulars: values.regulars,
          session: {
            startsAt: instantOf(values.startsAt, values.timeZone),
            endsAt: instantOf(values.endsAt, values.timeZone),
            title: values.title,
            lateAfterMinutes: Number(values.lateAfterMinutes),
            codeKind: values.codeKind,
            ...override,
          },
        }),
      () => made.submit,
    ),
  });
  return made.element;
}

function isZone(name) {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return Boolean(name);
  } catch {
    return false;
  }
}

async function create(meeting) {
  const made = await call("POST", "/api/v1/meetings", { body: meeting });
  go("sessions", made.session.id);
}
