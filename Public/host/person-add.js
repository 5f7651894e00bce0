// Adds an attendee who could not scan, with status, arrival time and note.
import { field, form } from "./fields.js";
import { post } from "./api.js";
import { announce, h } from "./dom.js";
import { instantOf, localValue } from "./time.js";
import { marks, t } from "./words.js";

export function addPerson(model, path) {
  const { session } = model;
  const name = field("name", t("name"), {
    maxlength: 100,
    required: true,
    autocomplete: "off",
    check: (value) => (value.trim() ? null : t("nameMissing")),
  });
  const identity =
    session.identifyBy === "name"
      ? null
      : field(session.identifyBy, t(`identify_${session.identifyBy}`), {
          autocomplete: "off",
          hint: t("optional"),
        });
  // The arrival time decides between present and late, unless the host does.
  const status = field("status", t("status"), {
    as: "select",
    options: [["", t("byTheTime")], ...marks.map((mark) => [mark, t(`count_${mark}`)])],
  });
  const at = field("checkedInAt", t("cameAt"), {
    type: "datetime-local",
    value: localValue(Date.now(), session.timeZone),
  });
  const note = field("note", t("note"), { maxlength: 500, hint: t("optional"), autocomplete: "off" });
  const fields = [name, identity, status, at, note].filter(Boolean);
  const made = form({
    fields,
    button: t("addPerson"),
    send: async (values) => {
      const body = { name: values.name.trim() };
      if (values.status) body.status = values.status;
      if (identity?.input.value.trim()) body[session.identifyBy] = identity.input.value.trim();
      if (["", "present", "late"].includes(values.status) && values.checkedInAt)
        body.checkedInAt = instantOf(values.checkedInAt, session.timeZone);
      if (values.note.trim()) body.note = values.note.trim();
      await post(path, body);
      announce(t("added", { name: body.name }));
      for (const one of [name, identity, note]) if (one) one.input.value = "";
      name.input.focus();
    },
  });
  return h("details", {}, h("summary", {}, t("addSomebody")), made.element);
}
