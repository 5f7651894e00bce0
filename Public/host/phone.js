// The sign-in by a code on the phone. A number without an account gets one, and then a name.
import { openRememberedView } from "./address.js";
import { call, get, signInByPhone } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { form } from "./fields.js";
import { codeField, sendAgain } from "./mail-code.js";
import { phoneField, phoneNumber } from "./profile-fields.js";
import { t } from "./words.js";

const path = "/api/v1/phone-tokens";

export async function view() {
  const { rules } = await get("/host/sign-up");
  const area = h("div", {});
  showNumber();

  function showNumber() {
    const phone = phoneField(rules, { required: true });
    const { element } = form({
      fields: [phone],
      button: t("sendCode"),
      namesMissing: true,
      send: async (values) => {
        const number = phoneNumber(values.phone, rules);
        await call("POST", path, { body: { phone: number } });
        announce(t("phoneCodeSent"));
        showCode(number);
      },
    });
    fill(area, element);
    phone.input.focus();
  }

  function showCode(phone) {
    const code = codeField("phoneCode");
    const { element } = form({
      fields: [code],
      extra: [sendAgain(path, { phone }, "phoneCodeSent")],
      button: t("signIn"),
      send: async (values) => {
        const { isNewAccount } = await signInByPhone(phone, values.code);
        if (isNewAccount) location.hash = "/account";
        else openRememberedView();
      },
    });
    fill(area, h("p", {}, t("phoneCodeHint", { phone })), element);
    code.input.focus();
  }

  return {
    title: t("phoneSignIn"),
    content: [
      h(
        "div",
        { class: "narrow" },
        h("h1", {}, t("phoneSignIn")),
        area,
        h("p", {}, h("a", { href: "#/sign-in" }, t("emailSignIn"))),
      ),
    ],
  };
}
