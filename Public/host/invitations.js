// Invitations to run a meeting: those that wait for this account, and the link that somebody was handed.
import { go } from "./address.js";
import { attempt } from "./fields.js";
import { Problem, call, get, post } from "./api.js";
import { fill, h, say } from "./dom.js";
import { t } from "./words.js";

/** What waits for this account; nothing where nothing does. */
export async function invitations() {
  const place = h("section", { "aria-label": t("invitations"), hidden: true });
  async function reload() {
    const { items } = await get("/api/v1/me/invitations");
    place.hidden = items.length === 0;
    fill(place, h("h2", {}, t("invitations")), h("ul", { class: "cards" }, items.map(row)));
  }

  function row(invitation) {
    const accept = h("button", { type: "button", class: "quiet", onclick: () => attempt(accept, () => accepted(invitation.id)) }, t("accept"));
    const decline = h("button", { type: "button", class: "plain", onclick: () => attempt(decline, async () => {
      await call("DELETE", `/api/v1/me/invitations/${invitation.id}`);
      await reload();
    }) }, t("decline"));
    return h("li", {}, h("strong", {}, invitation.meetingName), h("span", { class: "phase" }, t(`role_${invitation.role}`)), accept, decline);
  }

  await reload().catch((error) => {
    if (!(error instanceof Problem)) throw error;
  });
  return place;
}

async function accepted(invitation) {
  const meeting = await post("/api/v1/me/invitations", { invitation });
  say(t("acceptedTo", { name: meeting.name }));
  go("meetings", meeting.id);
}

/** `#/invitation/TEXT`: accepted with one tap, once one is signed in. */
export function view({ parameters: [text] }) {
  const button = h("button", { type: "button", onclick: () => attempt(button, () => accepted(text)) }, t("accept"));
  return { title: t("invitations"), content: [h("div", { class: "narrow" }, h("h1", {}, t("invitations")), h("p", {}, t("acceptHint")), button)] };
}
