// The host's page: opens the view that the address names, below the bar.
import { go, rememberView } from "./address.js";
import { loaded, mayBeSignedIn, me, NotSent, onSignedOut, Problem } from "./api.js";
import { bar } from "./bar.js";
import { announce, fill, h } from "./dom.js";
import { view as sessionView } from "./session.js";
import { t } from "./words.js";

// A module is loaded when its view opens first. `view` returns `{ title, content, end }`; `end` is optional.
const views = {
  "": () => import("./home.js"),
  "sign-in": () => import("./sign-in.js"),
  "sign-up": () => import("./sign-up.js"),
  reset: () => import("./reset.js"),
  verify: () => import("./verify.js"),
  phone: () => import("./phone.js"),
  account: () => import("./account.js"),
  operator: () => import("./operator.js"),
  "new-meeting": () => import("./new-meeting.js"),
  invitation: () => import("./invitations.js"),
  meetings: () => import("./meeting.js"),
  sessions: async () => ({ view: sessionView }),
};
const forAnybody = new Set(["sign-in", "sign-up", "reset", "verify", "phone"]);

const main = document.getElementById("main");
let end = () => {};
let turn = 0;

addEventListener("hashchange", show);
// The part of the address after `#` names a view, so the link that skips the bar moves the focus by script.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("unhandledrejection", (event) => {
  if (event.reason instanceof NotSent) announce(t("notSent"));
  else if (event.reason instanceof Problem) announce(event.reason.message);
});
onSignedOut(() => {
  rememberView();
  go("sign-in");
});
show();

async function show() {
  const [name = "", ...parameters] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  const mine = ++turn;
  end();
  end = () => {};
  // The script of the view loads while the server is asked who is signed in.
  const script = (views[name] ?? views[""])();
  script.catch(() => {});
  // The view of a session asks for its data at the same time, because a host opens it when people wait.
  const begun = name === "sessions" && mayBeSignedIn() ? sessionView({ parameters }) : null;
  begun?.catch(() => {});
  const discard = () => begun?.then((made) => made.end?.()).catch(() => {});
  let account = null;
  try {
    account = await me();
  } catch (error) {
    if (!(error instanceof NotSent) && !(error instanceof Problem)) throw error;
    discard();
    if (mine !== turn) return;
    return fill(
      main,
      h("h1", {}, t("notReached")),
      h("p", {}, error.message || t("notReachedHint")),
      h("button", { type: "button", onclick: show }, t("tryAgain")),
    );
  }
  if (mine !== turn) return discard();
  if (!account && !forAnybody.has(name)) {
    discard();
    rememberView();
    return location.replace("#/sign-in");
  }
  let made;
  try {
    const { view } = await loaded(script);
    made = await (begun ?? view({ account, parameters }));
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof NotSent)) throw error;
    if (error.code === "account_not_verified") {
      rememberView();
      return go("verify");
    }
    made = {
      title: t("gone"),
      content: [
        h("h1", {}, error instanceof NotSent ? t("notReached") : error.title || t("gone")),
        h("p", {}, error.message || t("notReachedHint")),
      ],
    };
  }
  bar(account, name);
  // The host has already opened another view.
  if (mine !== turn) return made.end?.();
  main.removeAttribute("aria-busy");
  end = made.end ?? end;
  document.title = `${made.title} · QRing`;
  fill(main, made.content);
  main.focus({ preventScroll: true });
  document.getElementById("page").scrollTop = 0;
}
