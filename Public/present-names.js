// Shows the newest names on the projector, if a member at the screen requests them. The member must be signed
// in there, because a presenter link gives no permission to see names.
import { Rooms } from "./rooms.js";
import { t } from "./words.js";

const most = 8;

/** Returns `toggle`, which shows or hides the names and returns whether they are shown now. */
export function showNames(session) {
  const box = document.getElementById("names");
  const [heading, list] = [box.querySelector("h2"), box.querySelector("ul")];
  let rooms = null;
  let names = [];

  function toggle() {
    if (!box.hidden) return end();
    box.hidden = false;
    heading.textContent = t("names");
    // The request does not contain the link's token, because the cookie of the sign-in gives the permission.
    rooms = new Rooms({});
    rooms.join(`session:${session}`, apply);
    return true;
  }

  function end() {
    box.hidden = true;
    rooms?.close();
    rooms = null;
    names = [];
    list.replaceChildren();
    return false;
  }

  function apply({ refused, snapshot, arrivals, changed, removed }) {
    if (refused) {
      rooms?.close();
      heading.textContent = t("noNames");
      return list.replaceChildren();
    }
    if (snapshot) names = snapshot.arrivals ?? [];
    names = [...names, ...(arrivals ?? [])].filter(({ id }) => !removed?.includes(id)).slice(-most);
    names = names.map((one) => changed?.find(({ id }) => id === one.id) ?? one);
    list.replaceChildren(
      ...names
        .toReversed()
        .map(({ name }) => Object.assign(document.createElement("li"), { textContent: name })),
    );
  }

  return { toggle };
}
