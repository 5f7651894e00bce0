// The fields of a profile, for sign-up and for the account's page. The server sends the rules with
// `GET /host/sign-up`, and applies the same ones.
import { chips } from "./chips.js";
import { h } from "./dom.js";
import { field } from "./fields.js";
import { t } from "./words.js";

const genders = { female: "female", male: "male", other: "genderOther" };

/** Returns whether the trimmed address fits the rule. */
export const isEmail = (text, { email }) => new RegExp(email.pattern, "u").test(text.trim());

/** Returns whether the domain of the address has a full stop. The server accepts others, too. */
export const isComplete = (text, { email }) => new RegExp(email.complete, "u").test(text.trim());

/** Returns the number in the form of E.164; null if the text is no phone number. */
export function phoneNumber(text, { phone }) {
  if (text.length > phone.max) return null;
  const kept = text.normalize("NFKC").replace(new RegExp(phone.ignored, "gu"), "");
  for (const { pattern, prefix } of phone.forms) {
    const found = kept.match(new RegExp(pattern, "u"));
    if (found) return prefix + found[1];
  }
  return null;
}

/** Returns the field of a phone number. A good number takes its stored form when the field is left. */
export function phoneField(rules, { value = "", ...attributes } = {}) {
  const phone = field("phone", t("phone"), {
    type: "tel",
    inputmode: "tel",
    autocomplete: "tel",
    maxlength: rules.phone.max,
    hint: t("phoneHint"),
    value,
    states: true,
    check: (text, input) => {
      if (!text.trim()) return input.required ? t("phoneMissing") : null;
      return phoneNumber(text, rules) ? null : t("phoneWrong");
    },
    ...attributes,
  });
  phone.input.addEventListener("change", () => {
    phone.input.value = phoneNumber(phone.input.value, rules) ?? phone.input.value;
  });
  return phone;
}

export function nameField(rules, value = "") {
  return field("name", t("yourName"), {
    autocomplete: "name",
    maxlength: rules.name.max,
    required: true,
    value,
    states: true,
    check: (text) => (text.trim() ? null : t("nameMissing")),
  });
}

/** Returns the date as `2001-05-20`. Only its eight digits count. Null if the range has no such day. */
export function dateOf(text, { min, max }) {
  const digits = text.normalize("NFKC").replace(/\D/gu, "");
  const date = digits.replace(/^(\d{4})(\d{2})(\d{2})$/u, "$1-$2-$3");
  const day = new Date(`${date}T00:00Z`);
  const isDay = digits.length === 8 && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
  return isDay && min <= date && date <= max ? date : null;
}

/** Returns the field of a birth date, for a keypad of digits. A good date takes its stored form when left. */
export function birthDateField({ birthDate }, value = "") {
  const made = field("birthDate", t("birthDate"), {
    inputmode: "numeric",
    autocomplete: "bday",
    maxlength: 20,
    hint: t("birthDateHint"),
    value,
    states: true,
    check: (text) => (!text.trim() || dateOf(text, birthDate) ? null : t("birthDateWrong")),
  });
  made.input.addEventListener("change", () => (made.input.value = made.values()));
  made.values = () => dateOf(made.input.value, birthDate) ?? made.input.value.trim();
  return made;
}

/** Returns the list of genders. It also has a text that the account has from elsewhere. */
export function genderField({ gender }, value = "") {
  const known = gender.choices.map((choice) => [choice, t(genders[choice] ?? "genderOther")]);
  if (value && !gender.choices.includes(value)) known.push([value, value]);
  return field("gender", t("gender"), {
    as: "select",
    value,
    options: [["", t("notSaid")], ...known],
    states: true,
  });
}

/** Returns the chips of interests. `terms` has the rules and the number that the operator wants. */
export function interestsField({ rules, interestsWanted, interestsRequired }, given = []) {
  return chips(t("interests"), given, {
    wanted: interestsWanted,
    isRequired: interestsRequired,
    most: rules.interests.most,
    longest: rules.interests.characters.max,
  });
}

export function nicknameField({ nickname }, value = "") {
  return field("nickname", t("nickname"), {
    autocomplete: "off",
    maxlength: nickname.max,
    hint: t("nicknameHint"),
    value,
    states: true,
  });
}

/** Returns the two fields for a range of ages. Both are empty, or both have a number. */
export function ageFields({ age }, range) {
  const isWrong = (text) => !/^\d{1,3}$/.test(text) || Number(text) < age.min || Number(text) > age.max;
  const made = (name, label, value, other, isFirst) =>
    field(name, label, {
      inputmode: "numeric",
      maxlength: 3,
      autocomplete: "off",
      value: value ?? "",
      states: true,
      check: (text) => {
        const theirs = other()?.input.value.trim() ?? "";
        if (!text.trim()) return theirs ? t("ageMissing") : null;
        if (isWrong(text.trim())) return t("ageWrong", age);
        return !isFirst && !isWrong(theirs) && Number(theirs) > Number(text) ? t("ageOrder") : null;
      },
    });
  let max = null;
  const min = made("ageMin", t("ageMin"), range?.min, () => max, true);
  max = made("ageMax", t("ageMax"), range?.max, () => min, false);
  min.look();
  for (const [one, other] of [
    [min, max],
    [max, min],
  ])
    one.input.addEventListener("input", () => other.look());
  const together = h("div", { class: "side" }, min.element, max.element);
  return {
    fields: [
      { ...min, element: h("fieldset", {}, h("legend", {}, t("agesOfOthers")), together) },
      { ...max, element: null },
    ],
    value: () =>
      min.input.value.trim() ? { min: Number(min.input.value), max: Number(max.input.value) } : null,
  };
}
