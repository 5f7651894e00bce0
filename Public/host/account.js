// The host's own account: profile, password, sign-ins and deletion.
import { field, form } from "./fields.js";
import { call, get, Problem, signOut } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { chips } from "./chips.js";
import { moment, ownZone } from "./time.js";
import { language, t } from "./words.js";

export async function view() {
  let account = await get("/api/v1/me");
  const name = field("name", t("yourName"), { value: account.name, maxlength: 100, autocomplete: "name" });
  const phone = field("phone", t("phone"), {
    type: "tel",
    value: account.phone ?? "",
    maxlength: 30,
    autocomplete: "tel",
  });
  const birthDate = field("birthDate", t("birthDate"), {
    type: "date",
    value: account.birthDate ?? "",
    autocomplete: "bday",
  });
  const gender = field("gender", t("gender"), {
    as: "select",
    value: account.gender ?? "",
    options: [
      ["", t("notSaid")],
      ["female", t("female")],
      ["male", t("male")],
      ["other", t("genderOther")],
    ],
  });
  const interests = chips(t("interests"), account.interests ?? []);
  const profile = form({
    fields: [name, birthDate, gender, phone],
    extra: [interests.element],
    button: t("save"),
    send: async (values) => {
      const body = { name: values.name, interests: interests.values(), locale: language };
      // Empty values are omitted, because an empty text is not a phone number.
      for (const key of ["phone", "birthDate", "gender"]) if (values[key]) body[key] = values[key];
      try {
        account = await call("PATCH", "/api/v1/me", { body, etag: account.etag });
        announce(t("saved"));
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 412) throw error;
        account = await get("/api/v1/me");
        for (const one of [name, phone, birthDate, gender]) one.input.value = account[one.name] ?? "";
        announce(t("somebodyFaster"));
      }
    },
  });
  const current = field("currentPassword", t("currentPassword"), {
    type: "password",
    autocomplete: "current-password",
  });
  const next = field("password", t("newPassword"), {
    type: "password",
    autocomplete: "new-password",
    maxlength: 128,
    check: (value) => (value.length >= 8 ? null : t("passwordShort")),
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
  const confirm = field("confirm", t("typeEmailToLeave", { email: account.email }), { autocomplete: "off" });
  const proof = field("password", t("password"), {
    id: "f-leave-password",
    type: "password",
    autocomplete: "current-password",
    required: true,
  });
  const meetings = field("meetings", t("leaveMeetings"), {
    as: "select",
    value: "delete",
    options: [
      ["delete", t("leaveDelete")],
      ["handOver", t("leaveHandOver")],
    ],
  });
  const leaving = form({
    fields: [meetings, confirm, proof],
    button: t("leaveForGood"),
    send: async (values) => {
      await call("DELETE", `/api/v1/me?confirm=${encodeURIComponent(values.confirm)}`, {
        body: { password: values.password, meetings: values.meetings },
      });
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
        h("p", { class: "eyebrow" }, account.email),
        profile.element,
        h("h2", {}, t("password")),
        password.element,
        h("h2", {}, t("signIns")),
        signIns,
        h("details", { class: "dangerous" }, h("summary", {}, t("leaveForGood")), leaving.element),
      ),
    ],
  };
}
