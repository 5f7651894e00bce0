// Texts in several languages (`title` beside `titles`): one field in the page's language, and a second one if
// the host writes both.
import { h } from "./dom.js";
import { language, t } from "./words.js";

const other = language === "ko" ? "en" : "ko";
/** The tag of a text without a language (RFC 5646); readers of other languages see it. */
const undetermined = "und";

const nameOfAll = (field) => `${field}s`;

/** Returns the text of `owner` in a language. A text without a language counts as the page's. */
export function textOf(owner, field, tag = language) {
  const all = owner[nameOfAll(field)];
  if (tag !== language) return all?.[tag] ?? "";
  return (all ? all[language] ?? all[undetermined] : owner[field]) ?? "";
}

/** Returns whether one of these fields has a text in the other language. */
export const hasTranslation = (owner, ...fields) =>
  fields.some((field) => textOf(owner, field, other) !== "");

/** Returns whether the field has a text in any language. */
export const hasText = (owner, field) =>
  Boolean(owner[field]) || Object.values(owner[nameOfAll(field)] ?? {}).some(Boolean);

/** Sets the text of one language and keeps those of other languages. */
export function write(owner, field, tag, value) {
  const name = nameOfAll(field);
  if (tag === language) owner[field] = value;
  if (tag !== language || owner[name]) {
    owner[name] ??= owner[field] ? { [language]: owner[field] } : {};
    if (value) owner[name][tag] = value;
    else delete owner[name][tag];
  }
  const tags = Object.keys(owner[name] ?? {});
  // A text in one language only needs no list, and a text in other languages only has no plain form.
  if (tags.every((one) => one === language)) delete owner[name];
  else if (!owner[name][language] && !owner[name][undetermined]) delete owner[field];
}

/**
 * Returns a labelled field, or with `isBoth` one for each language. `error` is an element with the error
 * message.
 */
export function textFields(
  owner,
  field,
  { id, label, isBoth, isOptional, error, as = "input", ...attributes },
) {
  const one = (tag, name, fieldID) => [
    h(
      "label",
      { for: fieldID },
      name,
      ...[isBoth && t(`in_${tag}`), isOptional && t("optional")]
        .filter(Boolean)
        .map((note) => h("small", { class: "tag" }, ` · ${note}`)),
    ),
    h(as, {
      id: fieldID,
      lang: isBoth ? tag : null,
      value: textOf(owner, field, tag),
      "aria-invalid": error ? "true" : null,
      "aria-describedby": error?.id,
      oninput: ({ target: { value } }) => write(owner, field, tag, value),
      ...attributes,
    }),
  ];
  return h(
    "div",
    { class: isBoth ? "field both" : "field" },
    h("div", {}, one(language, label, id)),
    isBoth && h("div", {}, one(other, label, `${id}-${other}`)),
    error,
  );
}
