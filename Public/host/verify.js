// The verification of a host's e-mail address: by the code in a mail, or by the link in the same mail.
import { openRememberedView } from "./address.js";
import { call } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { form } from "./fields.js";
import { codeField, codesOf, emailField, handleOfSignUp, sendAgain, sentText } from "./mail-code.js";
import { t } from "./words.js";

const path = "/api/v1/accounts/verifications";

export function view({ account, parameters: [address = "", token = ""] }) {
  const area = h("div", {});
  const known = address || account?.email || "";
  if (address && token) showLink();
  else showAddress();

  async function confirm(email, code, codes) {
    const verify = (handle) => call("PUT", path, { body: { email, code, handle } });
    await (codes ? codes.show(verify) : verify());
    announce(t("addressVerified"));
    openRememberedView();
  }

  function showLink() {
    const { element } = form({
      fields: [],
      button: t("verifyAddress"),
      send: () => confirm(address, token),
    });
    fill(area, h("p", {}, address), element);
  }

  function showAddress() {
    const email = emailField(known);
    const { element } = form({
      fields: [email],
      button: t("sendCode"),
      send: async (values) => {
        const email = values.email.trim();
        const codes = codesOf(path, { email }, handleOfSignUp(email));
        showCode(email, codes, await codes.request());
      },
    });
    fill(area, h("p", {}, t("verifyHint")), element);
  }

  function showCode(email, codes, sent) {
    const code = codeField();
    const text = t("codeHint", { email });
    announce(sentText(sent, text));
    const { element } = form({
      fields: [code],
      extra: [sendAgain(codes, sent, text)],
      button: t("verifyAddress"),
      send: (values) => confirm(email, values.code, codes),
    });
    fill(area, h("p", {}, sentText(sent, text)), element);
    code.input.focus();
  }

  return {
    title: t("verifyAddress"),
    content: [h("div", { class: "narrow" }, h("h1", {}, t("verifyAddress")), area)],
  };
}
