// The host's page: which view the address names, and the bar above all of them.
import { go, remember } from "./address.js";
import { NotSent, Problem, me, onSignedOut } from "./api.js";
import { bar } from "./bar.js";
import { fill, h, say } from "./dom.js";
import { t } from "./words.js";

// A view is loaded when it is first wanted. It gives its elements, and may give what ends it.
const views = {
  "": () => import("./home.js"),
  "sign-in": () => import("./sign-in.js"),
  "sign-up": () => import("./sign-up.js"),
  account: () => import("./account.js"),
  "new-meeting": () => import("./new-meeting.js"),
  invitation: () => import("./invitations.js"),
  meetings: () => import("./meeting.js"),
  sessions: () => import("./session.js"),
};
const forAnybody = new Set(["sign-in", "sign-up"]);

const main = document.getElementById("main");
let end = () => {};
let turn = 0;

addEventListener("hashchange", show);
addEventListener("unhandledrejection", (event) => {
  if (event.reason instanceof NotSent) say(t("notSent"));
  else if (event.reason instanceof Problem) say(event.reason.message);
});
onSignedOut(() => {
  remember();
  go("sign-in");
});
show();

async function show() {
  const [name = "", ...parameters] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  const mine = ++turn;
  end();
  end = () => {};
  let account = null;
  try {
    account = await me();
  } catch (error) {
    if (!(error instanceof NotSent) && !(error instanceof Problem)) throw error;
    if (mine !== turn) return;
    return fill(main, h("h1", {}, t("notReached")), h("p", {}, error.message || t("notReachedHint")), h("button", { type: "button", onclick: show }, t("tryAgain")));
  }
  if (mine !== turn) return;
  if (!account && !forAnybody.has(name)) {
    remember();
    return location.replace("#/sign-in");
  }
  let made;
  try {
    const { view } = await (views[name] ?? views[""])();
    made = await view({ account, parameters });
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof NotSent)) throw error;
    made = { title: t("gone"), content: [h("h1", {}, error instanceof NotSent ? t("notReached") : error.title || t("gone")), h("p", {}, error.message || t("notReachedHint"))] };
  }
  bar(account, name);
  // Somebody who has gone on meanwhile is not brought back.
  if (mine !== turn) return made.end?.();
  end = made.end ?? end;
  document.title = `${made.title} · QRing`;
  fill(main, made.content);
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}
