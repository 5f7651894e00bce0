// Who has just arrived, only when somebody asks for it at the screen, and only for a member who is signed in there: a presenter's link opens no
// names.
import { Rooms } from "./rooms.js";
import { say } from "./page.js";

const most = 8;

/** `toggle` gives whether names are shown now. */
export function showNames(session) {
  const box = document.getElementById("names");
  const [heading, list] = [box.querySelector("h2"), box.querySelector("ul")];
  let rooms = null;
  let names = [];

  function toggle() {
    if (!box.hidden) return end();
    box.hidden = false;
    heading.textContent = say("names");
    // By the cookie of the sign-in, never by the link.
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
      heading.textContent = say("noNames");
      return list.replaceChildren();
    }
    if (snapshot) names = snapshot.arrivals ?? [];
    names = [...names, ...(arrivals ?? [])].filter(({ id }) => !removed?.includes(id)).slice(-most);
    names = names.map((one) => changed?.find(({ id }) => id === one.id) ?? one);
    list.replaceChildren(...names.toReversed().map(({ name }) => Object.assign(document.createElement("li"), { textContent: name })));
  }

  return { toggle };
}
