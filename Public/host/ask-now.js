// "Ask now": one button from any tab asks a prepared or a new poll, and the strip at the bottom runs it. The
// dialog loads when the host presses the button.
import { loaded } from "./api.js";
import { attempt } from "./fields.js";
import { hrefOf } from "./address.js";
import { fill, h, setText } from "./dom.js";
import { keyedList } from "./keyed.js";
import { afterPress } from "/press.js";
import { switches } from "./set-buttons.js";
import { inOrder, isPoll, loadSets, titleOf } from "./sets.js";
import { t } from "./words.js";

/**
 * Returns the button for the session's head. With `hasDock`, fills the strip at the bottom of the page; the
 * tab Live shows the open polls itself.
 */
export function askNow(model, { hasDock }) {
  const ask = () => attempt(button, async () => (await loaded(import("./ask-dialog.js"))).showAsking(model));
  const button = h(
    "button",
    { type: "button", class: "ask-now", hidden: true, onclick: ask },
    t("askNow"),
  );
  const dock = document.getElementById("dock");
  // Another view may fill the dock before this one has ended.
  const strip = h("div", {});
  dock.append(strip);
  const rows = keyedList(strip, (set) => running(model, set));
  const show = () => {
    button.hidden = !model.canAsk;
    const asked = inOrder(model).filter((set) => set.open && isPoll(set));
    rows.show(model.isHost && hasDock ? asked.map((set) => [set.set, set]) : []);
    afterPress(show, () => (dock.hidden = !dock.querySelector(".running")));
  };
  const stop = model.on(["session", "sets", "tallies"], show);
  show();
  loadSets(model).catch(() => {});
  return {
    button,
    end: () => {
      stop();
      afterPress(show, () => {
        strip.remove();
        dock.hidden = !dock.querySelector(".running");
      });
    },
  };
}

/** Returns an open poll with its number of answers, and the buttons that end it. */
function running(model, set) {
  const count = h("span", { class: "note" });
  const title = h("a", { href: hrefOf("sessions", model.session.id, "results", set.set) });
  const tools = h("div", { class: "tools" });
  const element = h("div", { class: "running", role: "group" }, h("p", {}, title, " ", count), tools);
  return {
    element,
    update: (now) => {
      element.setAttribute("aria-label", titleOf(now));
      setText(title, titleOf(now));
      setText(count, t("answersCount", { count: now.responses }));
      fill(tools, switches(model, now));
    },
  };
}
