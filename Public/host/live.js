// A room for one view: what it says, and how the connection is, in words.
import { Rooms } from "/rooms.js";
import { setText } from "./dom.js";
import { learnServerTime } from "./time.js";
import { t } from "./words.js";

/** Gives what ends it. `state` is an element that says how the connection is. */
export function connect({ room, state, listener, onOver = () => {} }) {
  const rooms = new Rooms({
    onState: ({ name, reason }) => {
      state.dataset.state = name;
      setText(state, name === "live" ? t("live") : name === "over" ? (reason === "closed" ? "" : t("over")) : t("reconnecting"));
      if (name === "over" && reason !== "closed") onOver(reason);
    },
  });
  rooms.join(room, (update) => {
    if (update.now) learnServerTime(update.now);
    if (update.refused) {
      rooms.close();
      return setText(state, update.refused.detail);
    }
    listener(update);
  });
  return () => rooms.close();
}
