// The settings of a session, saved with the version that was read, and its deletion.
import { go } from "./address.js";
import { actionButton, field, form } from "./fields.js";
import { call, get, Problem } from "./api.js";
import { ask } from "./dialog.js";
import { announce, h } from "./dom.js";
import { instantOf, localValue, span } from "./time.js";
import { roundOf, t } from "./words.js";

const minute = 60_000;
const hour = 3_600_000;

/** Returns the values of the fields for a session. */
function valuesOf(session) {
  const since = (from, to, unit) => String(Math.round((Date.parse(to) - Date.parse(from)) / unit));
  return {
    startsAt: localValue(session.startsAt, session.timeZone),
    endsAt: localValue(session.endsAt, session.timeZone),
    title: session.title ?? "",
    lateAfterMinutes: String(session.lateAfterMinutes),
    plannedCount: String(session.attendance.planned),
    checkInOpensMinutesBefore: since(session.checkInOpensAt, session.startsAt, minute),
    feedbackClosesHoursAfter: since(session.endsAt, session.feedbackClosesAt, hour),
    codeKind: session.codeKind,
    codeAcceptedSeconds: String(session.codeAcceptedSeconds),
    checkOut: session.checkOut ?? "none",
    minimumMinutes: String(session.minimumMinutes ?? 0),
    minimumPercent: String(session.minimumPercent ?? 0),
    // The note belongs to the edit, not to the session.
    note: "",
  };
}

export async function tab(model) {
  const path = `/api/v1/sessions/${model.session.id}`;
  let session = await get(path);
  let seen = valuesOf(session);
  let overlapIsKnown = false;
  const zone = session.timeZone;
  const number = (name, label, max, more = {}) =>
    field(name, label, { type: "number", min: 0, max, inputmode: "numeric", value: seen[name], ...more });
  const startsAt = field("startsAt", t("startsAt"), {
    type: "datetime-local",
    value: seen.startsAt,
    hint: zone,
  });
  const endsAt = field("endsAt", t("endsAt"), {
    type: "datetime-local",
    value: seen.endsAt,
    check: (value) => (value > startsAt.input.value ? null : t("endsBeforeStart")),
  });
  const fields = [
    startsAt,
    endsAt,
    field("title", t("roundTitle"), {
      value: seen.title,
      maxlength: 100,
      autocomplete: "off",
      hint: t("optional"),
    }),
    number("lateAfterMinutes", t("lateAfter"), 1440),
    number("plannedCount", t("planned"), 100_000),
    number("checkInOpensMinutesBefore", t("checkInOpens"), 1440),
    number("feedbackClosesHoursAfter", t("feedbackCloses"), 720),
    field("codeKind", t("codeKind"), {
      as: "select",
      hint: t("codeKindHint"),
      value: seen.codeKind,
      options: ["static", "rotating"].map((kind) => [kind, t(`code_${kind}`)]),
    }),
    number("codeAcceptedSeconds", t("codeAccepted"), 120, { min: 20 }),
    field("checkOut", t("checkOut"), {
      as: "select",
      value: seen.checkOut,
      options: ["none", "door", "phones"].map((kind) => [kind, t(`leaving_${kind}`)]),
    }),
    number("minimumMinutes", t("minimumMinutes"), 20_160, { hint: t("minimumHint") }),
    number("minimumPercent", t("minimumPercent"), 100),
    field("note", t("editNote"), { value: "", maxlength: 500, autocomplete: "off", hint: t("optional") }),
  ];
  for (const one of fields) one.input.disabled = !model.isHost;

  function show(now) {
    session = now;
    seen = valuesOf(now);
    for (const one of fields) one.input.value = seen[one.name];
  }

  async function send(values) {
    // Send only changes: after the end, many values can no longer change.
    const body = {};
    for (const { name, input } of fields) {
      if (values[name] === seen[name]) continue;
      body[name] =
        input.type === "datetime-local"
          ? instantOf(values[name], zone)
          : input.type === "number"
          ? Number(values[name])
          : values[name];
    }
    if (Object.keys(body).every((name) => name === "note")) return announce(t("saved"));
    try {
      const edited = await call("PATCH", path, {
        etag: session.etag,
        body: { ...body, ...(overlapIsKnown && { allowOverlap: true }) },
      });
      show(edited);
      overlapIsKnown = false;
      const overlaps = (edited.overlaps ?? []).map((one) =>
        t("overlaps", { name: one.meetingName, time: span(one.startsAt, one.endsAt, zone) }),
      );
      announce([t("saved"), ...overlaps].join(" "));
    } catch (error) {
      if (error instanceof Problem && error.status === 412) {
        show(await get(path));
        return announce(t("somebodyFaster"));
      }
      if (error.code === "session_overlap") {
        overlapIsKnown = true;
        edited.submit.textContent = t("saveAnyway");
      }
      throw error;
    }
    edited.submit.textContent = t("save");
  }

  const edited = form({ fields, button: t("save"), send });
  edited.submit.hidden = !model.isHost;
  const withLinks = h("input", { type: "checkbox" });
  const renew = actionButton(
    t("renewCode"),
    async () => {
      const isSure = await ask({
        title: t("renewCode"),
        content: [
          h("p", {}, t("renewAsk")),
          withLinks.checked && h("p", {}, t("renewAskLinks")),
        ],
        button: t("renewCode"),
        isDangerous: true,
      });
      if (!isSure) return;
      show(
        await call("PATCH", path, {
          etag: session.etag,
          body: { renewCode: true, revokePresenterLinks: withLinks.checked },
        }),
      );
      withLinks.checked = false;
      announce(t("codeRenewed"));
    },
    { onChanged: async () => show(await get(path)) },
  );
  return {
    content: [
      h(
        "div",
        { class: "narrow" },
        edited.element,
        model.isHost &&
          h(
            "section",
            {},
            h("h2", {}, t("dangerous")),
            h("p", { class: "note" }, t("renewHint")),
            h("label", { class: "choice" }, withLinks, t("revokeLinksToo")),
            renew,
            deletion(model, path),
          ),
      ),
    ],
  };
}

function deletion(model, path) {
  const name = field("confirm", t("typeToDelete", { name: model.session.meetingName }), {
    autocomplete: "off",
  });
  const made = form({
    fields: [name],
    button: t("deleteSession"),
    send: async (values) => {
      const { session } = model;
      const isSure = await ask({
        title: t("deleteOf", { name: `${session.meetingName} · ${roundOf(session)}` }),
        content: h("p", {}, t("deleteSessionAsk")),
        button: t("deleteSession"),
        isDangerous: true,
      });
      if (!isSure) return;
      await call("DELETE", `${path}?confirm=${encodeURIComponent(values.confirm)}`);
      announce(t("deleted"));
      go();
    },
  });
  return h("details", { class: "dangerous" }, h("summary", {}, t("deleteSession")), made.element);
}
