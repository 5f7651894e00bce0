// The sign-in by a code on the phone. A number without an account gets one, and then a name.
import { openRememberedView } from "./address.js";
import { get, signInByPhone } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { form } from "./fields.js";
import { codeField, codesOf, sendAgain, sentText } from "./mail-code.js";
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
        const codes = codesOf(path, { phone: number });
        showCode(number, codes, await codes.request());
      },
    });
    fill(area, element);
    phone.input.focus();
  }

  function showCode(phone, codes, sent) {
    const code = codeField("phoneCode");
    const text = t("phoneCodeHint", { phone });
    announce(sentText(sent, text));
    const { element } = form({
      fields: [code],
      extra: [sendAgain(codes, sent, text)],
      button: t("signIn"),
      send: async (values) => {
        const { isNewAccount } = await codes.show((handle) => signInByPhone(phone, values.code, handle));
        if (isNewAccount) location.hash = "/account";
        else openRememberedView();
      },
    });
    fill(area, h("p", {}, sentText(sent, text)), element);
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
