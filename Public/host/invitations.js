// Invitations to run a meeting: the list of this account, and the view of an invitation's link.
import { go } from "./address.js";
import { actionButton } from "./fields.js";
import { call, get, post, Problem } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { t } from "./words.js";

/** Returns the list of invitations, hidden if there are none. */
export async function invitations() {
  const box = h("section", { "aria-label": t("invitations"), hidden: true });
  async function reload() {
    const { items } = await get("/api/v1/me/invitations");
    box.hidden = items.length === 0;
    fill(box, h("h2", {}, t("invitations")), h("ul", { class: "cards" }, items.map(row)));
  }

  function row(invitation) {
    const accept = actionButton(t("accept"), () => accepted(invitation.id));
    const decline = actionButton(
      t("decline"),
      async () => {
        await call("DELETE", `/api/v1/me/invitations/${invitation.id}`);
        await reload();
      },
      { class: "plain" },
    );
    return h(
      "li",
      {},
      h("strong", {}, invitation.meetingName),
      h("span", { class: "phase" }, t(`role_${invitation.role}`)),
      accept,
      decline,
    );
  }

  await reload().catch((error) => {
    if (!(error instanceof Problem)) throw error;
  });
  return box;
}

async function accepted(invitation) {
  const meeting = await post("/api/v1/me/invitations", { invitation });
  // A steward reads no meeting, and finds the doors in the first view.
  if (meeting.role === "steward") return location.assign("/host");
  announce(t("acceptedTo", { name: meeting.name }));
  go("meetings", meeting.id);
}

/** The view `#/invitation/TEXT`: one tap accepts the invitation. */
export function view({ parameters: [text] }) {
  const button = actionButton(t("accept"), () => accepted(text), { class: null });
  return {
    title: t("invitations"),
    content: [
      h("div", { class: "narrow" }, h("h1", {}, t("invitations")), h("p", {}, t("acceptHint")), button),
    ],
  };
}
