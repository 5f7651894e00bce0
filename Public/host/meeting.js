// A meeting: its next session, sessions, roster, members, image and settings.
import { go, hrefOf } from "./address.js";
import { ask } from "./dialog.js";
import { actionButton, attempt, field, form } from "./fields.js";
import { call, get, loaded, Problem } from "./api.js";
import { announce, fill, h, setText } from "./dom.js";
import { absences } from "./meeting-absences.js";
import { continuing } from "./meeting-continue.js";
import { members } from "./meeting-members.js";
import { roster } from "./meeting-roster.js";
import { webhooks } from "./meeting-webhooks.js";
import { span } from "./time.js";
import { accents, languages, roundOf, t } from "./words.js";

export async function view({ account, parameters: [id] }) {
  const path = `/api/v1/meetings/${id}`;
  const meeting = await get(path);
  const isHost = ["owner", "host"].includes(meeting.role);
  // The newest version that this page has seen.
  const seen = { meeting };
  return {
    title: meeting.name,
    content: [
      h(
        "div",
        { class: "heading" },
        h("h1", {}, meeting.name),
        h("span", { class: "phase" }, t(`role_${meeting.role}`)),
      ),
      meeting.place && h("p", { class: "time" }, meeting.place),
      meeting.description && h("p", { class: "description" }, meeting.description),
      h(
        "div",
        { class: "tools" },
        isHost && continuing(path, meeting),
        h("a", { class: "quiet button icon-print", href: `${path}/poster.pdf` }, t("poster")),
        h("a", { class: "quiet button", href: `${path}/calendar.ics` }, t("calendar")),
      ),
      await rounds(path),
      isHost && (await roster(path)),
      absences(path, seen, isHost),
      await members(path, meeting, account),
      await picture(path, meeting, isHost),
      isHost && webhooks(path),
      isHost &&
        h(
          "section",
          {},
          h("h2", {}, t("edit")),
          editing(path, seen),
          renewal(path, seen),
          meeting.role === "owner" && deletion(path, meeting),
        ),
    ],
  };
}

async function rounds(path) {
  const list = h("ul", { class: "cards" });
  const search = h("input", {
    type: "search",
    "aria-label": t("searchRounds"),
    placeholder: t("searchRounds"),
    oninput: soon,
  });
  const none = h("p", { class: "empty", role: "status", hidden: true }, t("nothingFound"));
  const more = actionButton(t("more"), load);
  let cursor = null;
  let timer = 0;
  let turn = 0;

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      cursor = null;
      load(true);
    }, 250);
  }

  async function load(isFresh = false) {
    const mine = ++turn;
    const query = new URLSearchParams({ limit: "20" });
    if (search.value.trim()) query.set("q", search.value.trim());
    if (cursor) query.set("cursor", cursor);
    const page = await get(`${path}/sessions?${query}`);
    if (mine !== turn) return;
    fill(
      list,
      isFresh === true ? [] : [...list.children],
      page.items.map((session) =>
        h(
          "li",
          {},
          h("a", { href: hrefOf("sessions", session.id) }, roundOf(session)),
          h("span", { class: "phase", "data-phase": session.phase }, t(`phase_${session.phase}`)),
          h("span", {}, span(session.startsAt, session.endsAt, session.timeZone)),
          h(
            "span",
            { class: "count" },
            t("checkedInOf", {
              count: session.attendance.checkedIn,
              planned: Math.max(
                session.attendance.planned,
                session.attendance.checkedIn + session.attendance.awaited,
              ),
            }),
          ),
        ),
      ),
    );
    cursor = page.nextCursor;
    more.hidden = !cursor;
    none.hidden = list.children.length > 0;
  }

  await load();
  return h("section", {}, h("h2", {}, t("rounds")), h("div", { class: "tools" }, search), list, none, more);
}

async function picture(path, meeting, isHost) {
  const address = `${path}/image`;
  // Do not load a missing image: the console would show an error.
  const found = meeting.hasImage
    ? await call("GET", address, { raw: true, headers: { Accept: "image/*" } }).catch(() => null)
    : null;
  let tag = found?.headers.get("ETag");
  const image = h("img", { class: "picture", alt: "", hidden: !found, src: found ? address : null });
  if (!isHost) return found && image;
  const file = h("input", {
    type: "file",
    accept: "image/jpeg,image/png",
    id: "f-image",
    "aria-describedby": "f-image-hint",
    onchange: () => attempt(file, send, { onChanged: reload }),
  });
  const said = h("span", { class: "note", role: "status" });
  const remove = actionButton(
    t("remove"),
    async () => {
      const isSure = await ask({ title: t("deletePictureAsk"), button: t("remove"), isDangerous: true });
      if (!isSure) return;
      await call("DELETE", address, { etag: tag });
      tag = null;
      [image.hidden, remove.hidden] = [true, true];
      setText(said, t("removedPicture"));
    },
    { hidden: !found, onChanged: reload },
  );

  async function send() {
    if (!file.files[0]) return;
    try {
      const { smaller } = await loaded(import("./picture.js"));
      const chosen = await smaller(file.files[0]);
      const answer = await call("PUT", address, {
        body: chosen,
        etag: tag,
        raw: true,
        headers: { "Content-Type": chosen.type || "application/octet-stream" },
      });
      show(answer.headers.get("ETag"));
      setText(said, t("saved"));
    } finally {
      // The host can choose the same file again.
      file.value = "";
    }
  }

  function show(now) {
    tag = now;
    image.src = `${address}?${Date.now()}`;
    [image.hidden, remove.hidden] = [!tag, !tag];
  }

  /** Shows the image that another host has set or deleted. */
  async function reload() {
    show(
      await call("GET", address, { raw: true, headers: { Accept: "image/*" } }).then(
        (answer) => answer.headers.get("ETag"),
        () => null,
      ),
    );
  }
  return h(
    "section",
    {},
    h("h2", {}, t("image")),
    image,
    h(
      "div",
      { class: "field" },
      h("label", { for: "f-image" }, t("chooseImage")),
      h("span", { class: "hint", id: "f-image-hint" }, t("imageHint")),
      file,
      said,
      remove,
    ),
  );
}

function editing(path, seen) {
  const { meeting } = seen;
  const fields = [
    field("name", t("meetingName"), {
      id: "f-meeting-name",
      value: meeting.name,
      maxlength: 100,
      autocomplete: "off",
    }),
    field("place", t("place"), { value: meeting.place ?? "", maxlength: 200, hint: t("optional") }),
    field("description", t("description"), {
      as: "textarea",
      value: meeting.description ?? "",
      maxlength: 2000,
      rows: 3,
      hint: t("optional"),
    }),
    field("timeZone", t("timeZone"), { value: meeting.timeZone, autocomplete: "off" }),
    field("language", t("attendeeLanguage"), {
      as: "select",
      value: meeting.language ?? "",
      options: [["", t("attendeeLanguageNone")], ...languages],
      hint: t("attendeeLanguageHint"),
    }),
    field("accent", t("accent"), {
      as: "select",
      value: meeting.accent ?? "",
      options: [["", t("accentNone")], ...accents.map((name) => [name, t(`accent_${name}`)])],
      hint: t("accentHint"),
    }),
    field("consentText", t("consent"), {
      as: "textarea",
      value: meeting.consent?.text ?? "",
      maxlength: 500,
      rows: 2,
      hint: t("consentHint"),
    }),
    field("regulars", t("regulars"), {
      as: "select",
      value: meeting.regulars,
      options: ["everybody", "kept", "nobody"].map((value) => [value, t(`regulars_${value}`)]),
    }),
    field("reminders", t("reminders"), {
      as: "select",
      value: meeting.reminders,
      options: ["off", "on", "en", "ko"].map((value) => [value, t(`reminders_${value}`)]),
      hint: t("remindersHint"),
    }),
  ];
  const made = form({
    fields,
    button: t("save"),
    send: async (values) => {
      try {
        const body = { ...values, language: values.language || null, accent: values.accent || null };
        seen.meeting = await call("PATCH", path, { body, etag: seen.meeting.etag });
        announce(t("saved"));
        setText(document.querySelector("h1"), seen.meeting.name);
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 412) throw error;
        seen.meeting = await get(path);
        const now = { ...seen.meeting, consentText: seen.meeting.consent?.text };
        for (const one of fields) one.input.value = now[one.name] ?? "";
        announce(t("somebodyFaster"));
      }
    },
  });
  return h("details", {}, h("summary", {}, t("editMeeting")), made.element);
}

/** Renews the codes of all sessions at once, after outsiders got to know them. */
function renewal(path, seen) {
  const withLinks = h("input", { type: "checkbox" });
  const onChanged = async () => {
    seen.meeting = await get(path);
  };
  const action = async () => {
    const isSure = await ask({
      title: t("renewAllCodes"),
      content: [
        h("p", {}, t("renewAllAsk")),
        withLinks.checked && h("p", {}, t("renewAskLinks")),
      ],
      button: t("renewAllCodes"),
      isDangerous: true,
    });
    if (!isSure) return;
    seen.meeting = await call("PATCH", path, {
      etag: seen.meeting.etag,
      body: { renewAllCodes: true, revokePresenterLinks: withLinks.checked },
    });
    withLinks.checked = false;
    announce(t("allCodesRenewed"));
  };
  return h(
    "details",
    { class: "dangerous" },
    h("summary", {}, t("renewAllCodes")),
    h("p", { class: "note" }, t("renewAllHint")),
    h("label", { class: "choice" }, withLinks, t("revokeLinksToo")),
    actionButton(t("renewAllCodes"), action, { onChanged }),
  );
}

function deletion(path, meeting) {
  const name = field("confirm", t("typeToDelete", { name: meeting.name }), {
    id: "f-delete",
    autocomplete: "off",
  });
  const made = form({
    fields: [name],
    button: t("deleteMeeting"),
    send: async (values) => {
      const isSure = await ask({
        title: t("deleteOf", { name: meeting.name }),
        content: h("p", {}, t("deleteMeetingAsk")),
        button: t("deleteMeeting"),
        isDangerous: true,
      });
      if (!isSure) return;
      await call("DELETE", `${path}?confirm=${encodeURIComponent(values.confirm)}`);
      announce(t("deleted"));
      go();
    },
  });
  return h("details", { class: "dangerous" }, h("summary", {}, t("deleteMeeting")), made.element);
}
