import { openRememberedView } from "./address.js";
import { signIn } from "./api.js";
import { h } from "./dom.js";
import { field, form } from "./fields.js";
import { t } from "./words.js";

export function view() {
  const email = field("email", t("email"), { type: "email", autocomplete: "username", required: true });
  const password = field("password", t("password"), {
    type: "password",
    autocomplete: "current-password",
    required: true,
  });
  const { element } = form({
    fields: [email, password],
    button: t("signIn"),
    send: async (values) => {
      await signIn(values.email, values.password);
      openRememberedView();
    },
  });
  return {
    title: t("signIn"),
    content: [
      h(
        "div",
        { class: "narrow" },
        h("h1", {}, t("signIn")),
        h("p", { class: "eyebrow" }, t("purpose")),
        element,
        h("p", {}, h("a", { href: "#/reset" }, t("forgotPassword"))),
        h("p", {}, h("a", { href: "#/phone" }, t("phoneSignIn"))),
        h("p", {}, t("noAccount"), " ", h("a", { href: "#/sign-up" }, t("signUp"))),
        h("p", {}, h("a", { href: "/" }, t("attending"))),
      ),
    ],
  };
}
