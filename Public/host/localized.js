// Texts that stand in several languages (`title` beside `titles`): one field in the page's language, and one in the other where both are wanted.
import { h } from "./dom.js";
import { language, t } from "./words.js";

const other = language === "ko" ? "en" : "ko";
/** A text without a language (RFC 5646), which languages without one of their own see. */
const undetermined = "und";

const nameOfAll = (field) => `${field}s`;

/** The text of `owner` in that language; a text without one counts as the page's. */
export function textOf(owner, field, tag = language) {
  const all = owner[nameOfAll(field)];
  if (tag !== language) return all?.[tag] ?? "";
  return (all ? (all[language] ?? all[undetermined]) : owner[field]) ?? "";
}

/** Whether it is told in the other language of the page. */
export const isTold = (owner, ...fields) => fields.some((field) => textOf(owner, field, other) !== "");

/** Other languages than these two stay as they are. */
export function write(owner, field, tag, value) {
  const name = nameOfAll(field);
  if (tag === language) owner[field] = value;
  if (tag !== language || owner[name]) {
    owner[name] ??= owner[field] ? { [language]: owner[field] } : {};
    if (value) owner[name][tag] = value;
    else delete owner[name][tag];
  }
  const tags = Object.keys(owner[name] ?? {});
  // One that is told in no other language needs none; one that is told in others alone has no plain text.
  if (tags.every((one) => one === language)) delete owner[name];
  else if (!owner[name][language] && !owner[name][undetermined]) delete owner[field];
}

/**
 * A label with a field for each language. `isBoth` asks for the other one too; `error` is an element that says what is wrong. A text that is
 * told in the other language alone is shown there.
 */
export function textFields(owner, field, { id, label, isBoth, isOptional, error, as = "input", ...attributes }) {
  const one = (tag, name, fieldID) => [
    h("label", { for: fieldID }, name, ...[isBoth && t(`in_${tag}`), isOptional && t("optional")].filter(Boolean).map((note) => h("small", { class: "tag" }, ` · ${note}`))),
    h(as, { id: fieldID, lang: isBoth ? tag : null, value: textOf(owner, field, tag), "aria-invalid": error ? "true" : null, "aria-describedby": error?.id, oninput: ({ target: { value } }) => write(owner, field, tag, value), ...attributes }),
  ];
  return h("div", { class: isBoth ? "field both" : "field" }, h("div", {}, one(language, label, id)), isBoth && h("div", {}, one(other, label, `${id}-${other}`)), error);
}
