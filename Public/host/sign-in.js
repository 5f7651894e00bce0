import { openRememberedView } from "./address.js";
import { signIn } from "./api.js";
import { h, setText } from "./dom.js";
import { field, form } from "./fields.js";
import { t } from "./words.js";

/** The seconds after which the page explains why the answer is late, and the longest wait. */
const patience = 2;
const longestWait = 40;

export function view() {
  const note = h("p", { class: "note", role: "status" });
  const email = field("email", t("email"), { type: "email", autocomplete: "username", required: true });
  const password = field("password", t("password"), {
    type: "password",
    autocomplete: "current-password",
    required: true,
  });
  const { element } = form({
    fields: [email, password],
    button: t("signIn"),
    extra: [note],
    send: async (values) => {
      const explain = () => setText(note, t("signInWaits", { seconds: longestWait }));
      const timer = setTimeout(explain, patience * 1000);
      try {
        await signIn(values.email, values.password);
      } finally {
        clearTimeout(timer);
        setText(note, "");
      }
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
