// The bar above every view: home, account and the other language.
import { signOut } from "./api.js";
import { ask } from "./dialog.js";
import { fill, h } from "./dom.js";
import { discardDrafts, hasDrafts } from "./drafts.js";
import { language, t } from "./words.js";

export function bar(account, view) {
  const other = language === "ko" ? "en" : "ko";
  const link = (href, text, name, icon) =>
    h("a", { class: icon, href, "aria-current": view === name ? "page" : null }, text);
  fill(
    document.getElementById("bar"),
    h("a", { class: "brand icon-mark", href: "#/" }, "QRing"),
    h(
      "nav",
      { "aria-label": "QRing" },
      account && link("#/", t("home"), "", "icon-home"),
      account && link("#/account", account.name, "account", "icon-account"),
      account?.admin && link("#/operator", t("operatorPage"), "operator", "icon-settings"),
      account && h("button", { class: "plain icon-leave", type: "button", onclick: leave }, t("signOut")),
      h("a", { href: `?lang=${other}${location.hash}`, lang: other, hreflang: other }, t("otherLanguage")),
    ),
  );
}

async function leave() {
  if (hasDrafts()) {
    const isSure = await ask({
      title: t("signOut"),
      content: [h("p", {}, t("draftsAreLost"))],
      button: t("signOut"),
      isDangerous: true,
    });
    if (!isSure) return;
  }
  await signOut();
  discardDrafts();
  location.hash = "/sign-in";
}
