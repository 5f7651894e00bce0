// Signing up in steps. The input stays when the host goes back and when a step fails.
import { openRememberedView } from "./address.js";
import { call, get, NotSent, Problem, signIn } from "./api.js";
import { fill, h } from "./dom.js";
import { field, form, reserved, stateChanged } from "./fields.js";
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
  const progress = h("progress", { value: 1, "aria-label": t("signUp") });
  // The invitation is in the query of its link, and is sent with the account.
  const invitation = new URLSearchParams(location.search).get(invitationKey);
  const steps = [emailStep(terms), passwordStep(terms), personStep(terms), termsStep(terms)];
  if (terms.needsSetupToken) steps.unshift(tokenStep());
  let current = 0;

  function show(index) {
    current = index;
    progress.max = steps.length;
    progress.value = index + 1;
    const step = steps[index];
    step.made ??= form({
      fields: step.fields,
      extra: step.extra ?? [],
      cancel: index > 0 ? { text: t("back"), act: () => show(index - 1) } : null,
      button: index === steps.length - 1 ? t("signUp") : t("next"),
      namesMissing: true,
      send: async () => {
        if (index === steps.length - 1) return send();
        if ((await step.mayLeave?.()) !== false) show(index + 1);
      },
    });
    step.prepare?.();
    fill(
      area,
      h("h2", { tabindex: "-1" }, t("step", { step: index + 1, steps: steps.length }), " ", step.title),
      step.made.element,
    );
    (step.fields[0].element.querySelector("input:enabled") ?? area.querySelector("h2")).focus();
  }

  async function send() {
    const values = Object.assign({}, ...steps.map((step) => step.values()));
    try {
      const body = { ...values, locale: language, ...(invitation && { invitation }) };
      rememberSignUp(values.email, await call("POST", "/api/v1/accounts", { body }));
    } catch (error) {
      // Show the step that has the wrong field.
      if (!(error instanceof Problem)) throw error;
      if (error.code === "setup_token_required" && !steps.some(hasToken)) steps.unshift(tokenStep());
      const isOf = (one) =>
        error.fields.has(`/${one.name}`) ||
        (error.code === "email_taken" && one.name === "email") ||
        (error.code.startsWith("setup_token_") && one.name === tokenField);
      const wrong = steps.findIndex((step) => step.fields.some(isOf));
      if (wrong >= 0 && wrong !== current) {
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
    content: [h("div", { class: "narrow" }, h("h1", {}, t("signUp")), progress, area)],
  };
}

/** The first account of a server becomes its operator and needs the set-up token. */
function tokenStep() {
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

const hasToken = (step) => step.fields.some((one) => one.name === tokenField);

function emailStep({ rules }) {
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
      fill(free, available ? t("emailFree") : h("a", { href: "#/sign-in" }, t("signIn")));
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
  return {
    title: t("email"),
    fields: [email],
    extra: [reserved(free, [t("emailFree"), t("signIn"), t("emailIncomplete")])],
    mayLeave,
    values: () => ({ email: email.input.value.trim() }),
  };
}

function passwordStep({ rules }) {
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
  const again = field("passwordAgain", t("passwordAgain"), {
    type: "password",
    autocomplete: "new-password",
    required: true,
    states: true,
    check: (value) => (value === password.input.value ? null : t("passwordsDiffer")),
  });
  password.input.addEventListener("input", () => again.look());
  return {
    title: t("password"),
    fields: [password, again],
    values: () => ({ password: password.input.value }),
  };
}

function personStep(terms) {
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

function termsStep(terms) {
  const text = h(
    "div",
    { class: "terms", tabindex: "0", role: "region", "aria-label": t("terms"), onscroll: look },
    terms.terms.split("\n\n").map((part) => h("p", {}, part)),
  );
  const accepted = h("input", { type: "checkbox", id: "f-terms", disabled: true, onchange: changed });
  const hint = h("p", { class: "note", role: "status" }, t("scrollTerms"));
  const choice = h("label", { class: "choice", for: "f-terms" }, accepted, t("acceptTerms"));
  const element = h("div", {}, text, hint, choice);

  function changed() {
    accepted.dispatchEvent(new Event(stateChanged, { bubbles: true }));
  }

  function look() {
    if (text.scrollTop + text.clientHeight < text.scrollHeight - 4) return;
    accepted.disabled = false;
    fill(hint);
  }
  const consent = {
    element,
    input: accepted,
    name: "termsAccepted",
    label: t("acceptTerms"),
    // Nobody can tick the box before the end of the terms was on the screen.
    get start() {
      return accepted.disabled ? text : accepted;
    },
    showError: (message) => fill(hint, message),
    lack: () => (accepted.checked ? null : "needed"),
    isValid: () => accepted.checked,
  };
  return {
    title: t("terms"),
    fields: [consent],
    // If the terms fit on the screen, the host need not scroll to their end.
    prepare: () => requestAnimationFrame(look),
    values: () => ({ termsAccepted: accepted.checked }),
  };
}
