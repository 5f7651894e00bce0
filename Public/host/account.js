// The host's own account: profile, groups of interest, mails, password, sign-ins and deletion.
import { actionButton, attempt, field, form } from "./fields.js";
import { call, get, Problem, signOut } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { codeField, codesOf, sentText } from "./mail-code.js";
import {
  ageFields,
  birthDateField,
  genderField,
  interestsField,
  nameField,
  nicknameField,
  phoneField,
} from "./profile-fields.js";
import { moment, ownZone } from "./time.js";
import { language, t } from "./words.js";

export async function view() {
  const [terms, first] = await Promise.all([get("/host/sign-up"), get("/api/v1/me")]);
  const { rules } = terms;
  let account = first;

  /** Saves a part of the profile. After somebody else's change, `showAgain` shows the new values. */
  async function save(body, showAgain) {
    try {
      account = await call("PATCH", "/api/v1/me", { body, etag: account.etag });
      announce(t("saved"));
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error;
      account = await get("/api/v1/me");
      showAgain();
      announce(t("somebodyFaster"));
    }
  }

  const name = nameField(rules, account.name);
  const birthDate = birthDateField(rules, account.birthDate ?? "");
  const gender = genderField(rules, account.gender ?? "");
  const phone = phoneField(rules, { value: account.phone ?? "" });
  const interests = interestsField(terms, account.interests ?? []);
  // The number of a sign-in cannot be edited.
  const optional = [birthDate, gender, ...(account.signsInByPhone ? [] : [phone])];
  const profile = form({
    fields: [name, ...optional, interests],
    button: t("save"),
    namesMissing: true,
    send: (values) => {
      const body = { name: values.name, interests: values.interests, locale: language };
      // Null empties a value.
      for (const one of optional) body[one.name] = values[one.name].trim() || null;
      return save(body, () => {
        for (const one of [name, ...optional]) {
          one.input.value = account[one.name] ?? "";
          one.look();
        }
      });
    },
  });

  const nickname = nicknameField(rules, account.nickname ?? "");
  const ages = ageFields(rules, account.ageRange);
  const searchable = h("input", { type: "checkbox", id: "f-searchable", checked: account.searchable });
  const discovery = form({
    fields: [nickname, ...ages.fields],
    extra: [
      h("label", { class: "choice", for: "f-searchable" }, searchable, t("searchable")),
      h("p", { class: "note" }, t("searchableHint")),
    ],
    button: t("save"),
    send: (values) =>
      save(
        {
          nickname: values.nickname.trim() || null,
          ageRange: ages.value(),
          searchable: searchable.checked,
        },
        () => {
          nickname.input.value = account.nickname ?? "";
          nickname.look();
          searchable.checked = account.searchable;
        },
      ),
  });

  const notifications = h("input", {
    type: "checkbox",
    id: "f-notifications",
    checked: account.notifications,
    onchange: () =>
      attempt(notifications, async () => {
        try {
          await save({ notifications: notifications.checked }, () => {});
        } finally {
          notifications.checked = account.notifications;
        }
      }),
  });
  const current = field("currentPassword", t("currentPassword"), {
    type: "password",
    required: true,
    states: true,
    check: (value) => (value ? null : t("passwordMissing")),
    autocomplete: "current-password",
  });
  const next = field("password", t("newPassword"), {
    type: "password",
    autocomplete: "new-password",
    maxlength: rules.password.max,
    required: true,
    hint: t("passwordHint"),
    states: true,
    check: (value) => (value.length >= rules.password.min ? null : t("passwordShort")),
  });
  const password = form({
    fields: [current, next],
    button: t("changePassword"),
    send: async (values) => {
      account = await call("PATCH", "/api/v1/me", { body: values });
      for (const one of [current, next]) one.input.value = "";
      announce(t("passwordChanged"));
      await showSignIns();
    },
  });
  const signIns = h("ul", { class: "cards" });
  function ending(one) {
    const end = async () => {
      await call("DELETE", `/api/v1/tokens/${one.id}`);
      announce(t("signInIsOver"));
      await showSignIns();
    };
    const label = t("signInEndOf", { device: one.client || one.address || "–" });
    return h("button", { type: "button", class: "quiet", "aria-label": label, onclick: end }, t("signInEnd"));
  }
  async function showSignIns() {
    const { items } = await get("/api/v1/tokens");
    fill(
      signIns,
      items.map((one) =>
        h(
          "li",
          {},
          h("span", {}, one.client || "–"),
          one.address && h("span", {}, one.address),
          h("time", {}, moment(one.createdAt, ownZone)),
          one.current ? h("span", { class: "phase" }, t("thisOne")) : ending(one),
        ),
      ),
    );
  }
  await showSignIns();
  const proof = account.signsInByPhone
    ? codeField("phoneCode")
    : field("password", t("password"), {
        id: "f-leave-password",
        type: "password",
        autocomplete: "current-password",
        required: true,
      });
  const address = account.signsInByPhone ? account.phone : account.email;
  const confirm = field("confirm", t("typeEmailToLeave", { email: address }), { autocomplete: "off" });
  const meetings = field("meetings", t("leaveMeetings"), {
    as: "select",
    value: "delete",
    options: [
      ["delete", t("leaveDelete")],
      ["handOver", t("leaveHandOver")],
    ],
  });
  const codes = codesOf("/api/v1/phone-tokens", { phone: account.phone });
  const leaving = form({
    fields: [meetings, confirm, proof],
    extra: account.signsInByPhone
      ? [actionButton(t("sendCode"), async () => {
          announce(sentText(await codes.request(), t("phoneCodeHint", { phone: account.phone })));
        })]
      : [],
    button: t("leaveForGood"),
    send: async ({ confirm, ...body }) => {
      const path = `/api/v1/me?confirm=${encodeURIComponent(confirm)}`;
      const leave = (handle) => call("DELETE", path, { body: { ...body, handle } });
      await (account.signsInByPhone ? codes.show(leave) : leave());
      await signOut();
      location.hash = "/sign-in";
    },
  });
  return {
    title: t("account"),
    content: [
      h(
        "div",
        { class: "narrow" },
        h("h1", {}, t("account")),
        h("p", { class: "eyebrow" }, address),
        !account.verified && h("p", {}, h("a", { href: "#/verify" }, t("verifyAddress"))),
        h("h2", {}, t("profile")),
        profile.element,
        h("h2", {}, t("groups")),
        h("p", { class: "note" }, t("strangersHint")),
        discovery.element,
        // An account without an e-mail address gets no mails.
        !account.signsInByPhone && [
          h("h2", {}, t("notifications")),
          h("label", { class: "choice", for: "f-notifications" }, notifications, t("wantsMails")),
          h("p", { class: "note" }, t(account.verified ? "wantsMailsHint" : "wantsMailsUnverified")),
        ],
        !account.signsInByPhone && [h("h2", {}, t("password")), password.element],
        h("h2", {}, t("signIns")),
        signIns,
        h("h2", {}, t("yourData")),
        h(
          "div",
          { class: "buttons" },
          h("a", { class: "button", href: "/api/v1/me/export.html", target: "_blank" }, t("dataShow")),
          h("a", { class: "button", href: "/api/v1/me/export", download: "qring.json" }, t("dataFile")),
        ),
        h("details", { class: "dangerous" }, h("summary", {}, t("leaveForGood")), leaving.element),
      ),
    ],
  };
}
