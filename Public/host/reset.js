// A new password for a host who forgot the old one: by the code in a mail, or by the link in the same mail.
import { openRememberedView } from "./address.js";
import { call, signIn } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { field, form } from "./fields.js";
import { codeField, codesOf, emailField, sendAgain, sentText } from "./mail-code.js";
import { t } from "./words.js";

const path = "/api/v1/accounts/password-resets";

export function view({ parameters: [address = "", token = ""] }) {
  const area = h("div", {});
  if (address && token) showPassword(address, token);
  else showAddress();

  function showAddress() {
    const email = emailField(address);
    const { element } = form({
      fields: [email],
      button: t("sendCode"),
      send: async (values) => {
        const email = values.email.trim();
        const codes = codesOf(path, { email });
        showPassword(email, "", codes, await codes.request());
      },
    });
    fill(area, h("p", {}, t("resetHint")), element);
    email.input.focus();
  }

  function showPassword(email, token, codes, sent) {
    const code = codeField();
    const text = t("codeHint", { email });
    if (sent) announce(sentText(sent, text));
    const password = field("password", t("newPassword"), {
      type: "password",
      autocomplete: "new-password",
      maxlength: 128,
      required: true,
      hint: t("passwordHint"),
      check: (value) => (value.length >= 8 ? null : t("passwordShort")),
    });
    const { element } = form({
      fields: token ? [password] : [code, password],
      extra: token ? [] : [sendAgain(codes, sent, text)],
      button: t("changePassword"),
      send: async (values) => {
        const body = { email, code: token || values.code, password: values.password };
        const reset = (handle) => call("PUT", path, { body: { ...body, handle } });
        await (token ? reset() : codes.show(reset));
        await signIn(email, values.password);
        announce(t("passwordChanged"));
        openRememberedView();
      },
    });
    fill(area, h("p", {}, token ? email : sentText(sent, text)), element);
    (token ? password : code).input.focus();
  }

  return {
    title: t("forgotPassword"),
    content: [h("div", { class: "narrow" }, h("h1", {}, t("forgotPassword")), area)],
  };
}
