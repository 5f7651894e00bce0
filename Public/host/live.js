// Joins a room for one view and shows the state of the connection in words.
import { Rooms } from "/rooms.js";
import { setText } from "./dom.js";
import { learnServerTime } from "./time.js";
import { t } from "./words.js";

/** Returns a function that leaves the room. `state` is the element that shows the state of the connection. */
export function connect({ room, state, listener, onOver = () => {} }) {
  const rooms = new Rooms({
    onState: ({ name, reason }) => {
      state.dataset.state = name;
      setText(
        state,
        name === "live"
          ? t("live")
          : name === "over"
          ? reason === "closed"
            ? ""
            : t("over")
          : t("reconnecting"),
      );
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
