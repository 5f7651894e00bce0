// Signing up: one short form, or the full one in steps if the operator chose it. The input stays when the
// host goes back and when a step fails.
import { openRememberedView } from "./address.js";
import { call, get, NotSent, Problem, signIn } from "./api.js";
import { fill, h } from "./dom.js";
import { field, form, stateChanged } from "./fields.js";
import { rememberSignUp } from "./mail-code.js";
import {
  birthDateField,
  genderField,
  interestsField,
  isComplete,
  isEmail,
  nameField,
  phoneField,
} from "./profile-fields.js";
import { language, t } from "./words.js";

const pause = 350;
const invitationKey = "invitation";
const tokenField = "setupToken";

export async function view() {
  const terms = await get("/host/sign-up");
  const area = h("div", {});
  // The invitation is in the query of its link, and is sent with the account.
  const invitation = new URLSearchParams(location.search).get(invitationKey);
  const isFull = terms.form === "full";
  const person = isFull ? fullPerson(terms) : shortPerson(terms);
  const parts = [emailPart(terms), passwordPart(terms), person, termsPart(terms)];
  if (terms.needsSetupToken) parts.unshift(tokenPart());
  let steps = isFull ? parts : [together(parts)];
  const progress = h("progress", { value: 1, "aria-label": t("signUp"), hidden: steps.length === 1 });
  let current = 0;

  function show(index) {
    current = index;
    progress.max = steps.length;
    progress.value = index + 1;
    const step = steps[index];
    step.made ??= form({
      fields: step.fields,
      cancel: index > 0 ? { text: t("back"), act: () => show(steps.indexOf(step) - 1) } : null,
      button: index === steps.length - 1 ? t("signUp") : t("next"),
      namesMissing: true,
      send: async () => {
        if ((await step.mayLeave?.()) === false) return;
        const place = steps.indexOf(step);
        if (place === steps.length - 1) return send();
        show(place + 1);
      },
    });
    const title =
      steps.length > 1 &&
      h("h2", { tabindex: "-1" }, t("step", { step: index + 1, steps: steps.length }), " ", step.title);
    fill(area, title, step.made.element);
    (step.fields[0].element.querySelector("input:enabled") ?? area.querySelector("h2")).focus();
  }

  async function send() {
    const values = Object.assign({}, ...parts.map((part) => part.values()));
    try {
      const body = { ...values, locale: language, ...(invitation && { invitation }) };
      rememberSignUp(values.email, await call("POST", "/api/v1/accounts", { body }));
    } catch (error) {
      // Show the step that has the wrong field.
      if (!(error instanceof Problem)) throw error;
      if (error.code === "setup_token_required" && !parts.some(hasToken)) {
        parts.unshift(tokenPart());
        steps = isFull ? parts : [together(parts)];
      }
      if (error.code === "email_taken") error.fields.set("/email", error.message);
      if (error.code.startsWith("setup_token_")) error.fields.set(`/${tokenField}`, error.message);
      const isOf = (one) => error.fields.has(`/${one.name}`);
      const wrong = steps.findIndex((step) => step.fields.some(isOf));
      if (wrong >= 0 && (wrong !== current || !steps[wrong].made)) {
        show(wrong);
        return steps[wrong].made.showProblem(error);
      }
      throw error;
    }
    await signIn(values.email, values.password);
    openRememberedView();
  }

  show(0);
  if (!terms.isFirst && (terms.signUp === "closed" || (terms.signUp === "invite" && !invitation))) {
    fill(area, h("p", {}, t(terms.signUp === "closed" ? "signUpClosed" : "signUpByInvitation")));
  }
  return {
    title: t("signUp"),
    content: [
      h(
        "div",
        { class: "narrow" },
        h("h1", {}, t("signUp")),
        progress,
        area,
        h("p", { class: "note" }, t("haveAccount"), " ", h("a", { href: "#/sign-in" }, t("signIn"))),
      ),
    ],
  };
}

/** Returns one step of these parts. */
const together = (parts) => ({
  fields: parts.flatMap((part) => part.fields),
  mayLeave: async () => {
    for (const part of parts) if ((await part.mayLeave?.()) === false) return false;
    return true;
  },
});

/** The first account of a server becomes its operator and needs the set-up token. */
function tokenPart() {
  const token = field(tokenField, t("setupToken"), {
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    maxlength: 100,
    required: true,
    hint: t("setupTokenHint"),
    states: true,
    check: (value) => (value.trim() ? null : t("setupTokenMissing")),
  });
  return {
    title: t("setupToken"),
    fields: [token],
    values: () => ({ [tokenField]: token.input.value.trim() }),
  };
}

const hasToken = (part) => part.fields.some((one) => one.name === tokenField);

function emailPart({ rules }) {
  const free = h("p", { class: "note", role: "status" });
  // The address that has an account. Its message stays when the field is left.
  let taken = null;
  const email = field("email", t("email"), {
    type: "email",
    autocomplete: "email",
    maxlength: rules.email.max,
    required: true,
    states: true,
    messages: [t("emailWrong"), t("emailTaken")],
    isComplete: (value) => isComplete(value, rules),
    check: (value) => {
      if (!isEmail(value, rules)) return t("emailWrong");
      return value.trim() === taken ? t("emailTaken") : null;
    },
  });
  let timer = 0;
  email.input.addEventListener("input", () => {
    clearTimeout(timer);
    fill(free);
    if (!isEmail(email.input.value, rules)) return;
    // A name such as kim@intranet is an address, but most people who typed it have not finished.
    if (isComplete(email.input.value, rules)) timer = setTimeout(look, pause);
    else fill(free, t("emailIncomplete"));
  });
  /** Shows whether the address is free. Returns null if the server cannot tell; it looks again at sign-up. */
  async function look() {
    clearTimeout(timer);
    const typed = email.input.value;
    try {
      const { available } = await get(
        `/api/v1/accounts/availability?email=${encodeURIComponent(typed.trim())}`,
      );
      if (typed !== email.input.value) return null;
      taken = available ? null : typed.trim();
      email.showError(available ? null : t("emailTaken"));
      fill(free, available ? t("emailFree") : null);
      return available;
    } catch (error) {
      if (!(error instanceof Problem) && !(error instanceof NotSent)) throw error;
      return null;
    }
  }

  async function mayLeave() {
    if ((await look()) !== false) return true;
    email.input.focus();
    return false;
  }
  // The note and the error have one place, because only one of them is there.
  email.element.querySelector(".reserved").append(free);
  return {
    title: t("email"),
    fields: [email],
    mayLeave,
    values: () => ({ email: email.input.value.trim() }),
  };
}

function passwordPart({ rules }) {
  const { min, max } = rules.password;
  const password = field("password", t("password"), {
    type: "password",
    autocomplete: "new-password",
    maxlength: max,
    required: true,
    states: true,
    hint: t("passwordHint"),
    messages: [t("passwordShort")],
    judgesAtOnce: true,
    check: (value) => (value.length >= min ? null : t("passwordShort")),
  });
  const shown = h("input", { type: "checkbox", id: "f-shown" });
  shown.addEventListener("change", () => (password.input.type = shown.checked ? "text" : "password"));
  password.element.append(h("label", { class: "small", for: "f-shown" }, shown, " ", t("showPassword")));
  return {
    title: t("password"),
    fields: [password],
    values: () => ({ password: password.input.value }),
  };
}

/** The name, and the interests if the server refuses an account without them. */
function shortPerson(terms) {
  const name = nameField(terms.rules);
  const interests = terms.interestsRequired && terms.interestsWanted > 0 ? interestsField(terms) : null;
  return {
    fields: interests ? [name, interests] : [name],
    values: () => ({ name: name.input.value.trim(), ...(interests && { interests: interests.values() }) }),
  };
}

function fullPerson(terms) {
  const { rules } = terms;
  const [name, birthDate, gender] = [nameField(rules), birthDateField(rules), genderField(rules)];
  const phone = phoneField(rules);
  const interests = interestsField(terms);
  return {
    title: t("aboutYou"),
    fields: [name, birthDate, gender, phone, interests],
    values: () => {
      const given = {
        birthDate: birthDate.values(),
        gender: gender.input.value,
        phone: phone.input.value.trim(),
      };
      const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value));
      const words = interests.values();
      return { name: name.input.value.trim(), ...known, ...(words.length && { interests: words }) };
    },
  };
}

function termsPart(terms) {
  const text = h(
    "details",
    {},
    h("summary", {}, t("readTerms")),
    h(
      "div",
      { class: "terms", tabindex: "0", role: "region", "aria-label": t("terms") },
      terms.terms.split("\n\n").map((part) => h("p", {}, part)),
    ),
  );
  const changed = () => accepted.dispatchEvent(new Event(stateChanged, { bubbles: true }));
  const accepted = h("input", { type: "checkbox", id: "f-terms", onchange: changed });
  const problem = h("p", { class: "error", role: "status" });
  const choice = h("label", { class: "choice", for: "f-terms" }, accepted, t("acceptTerms"));
  const consent = {
    element: h("div", { class: "consent" }, choice, problem, text),
    input: accepted,
    name: "termsAccepted",
    label: t("acceptTerms"),
    showError: (message) => fill(problem, message),
    lack: () => (accepted.checked ? null : "needed"),
    isValid: () => accepted.checked,
  };
  return {
    title: t("terms"),
    fields: [consent],
    values: () => ({ termsAccepted: accepted.checked }),
  };
}
