// The members of a meeting and its pending invitations.
import { go } from "./address.js";
import { ask } from "./dialog.js";
import { actionButton, attempt, field, form } from "./fields.js";
import { call, get, post, Problem, tagOf } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { moment, ownZone } from "./time.js";
import { t } from "./words.js";

const roles = ["owner", "host", "viewer", "steward"];

export async function members(path, meeting, account) {
  const list = h("ul", { class: "cards" });
  const isOwner = meeting.role === "owner";

  async function reload() {
    const { items, invitations } = await get(`${path}/members`);
    fill(list, items.map(row), (invitations ?? []).map(waiting));
  }

  function row(member) {
    const { name } = member;
    const isMe = member.accountId === account.id;
    const leave = actionButton(
      isMe ? t("leaveMeeting") : t("remove"),
      async () => {
        const isSure = await ask({
          title: isMe ? t("leaveMeetingAsk") : t("removeMemberAsk", { name }),
          content: h("p", {}, isMe ? t("leaveMeetingAbout") : t("removeMemberAbout", { name })),
          button: isMe ? t("leaveMeeting") : t("remove"),
          isDangerous: true,
        });
        if (!isSure) return;
        await call("DELETE", `${path}/members/${member.accountId}`);
        if (isMe) return go();
        await reload();
      },
      { class: "plain", "aria-label": isMe ? t("leaveMeeting") : t("removeOf", { name }) },
    );
    const role = h(
      "select",
      {
        "aria-label": t("roleOf", { name }),
        onchange: () =>
          attempt(role, async () => {
            await call("PATCH", `${path}/members/${member.accountId}`, {
              body: { role: role.value },
              etag: tagOf(member),
            });
            announce(t("saved"));
          }).then(reload),
      },
      roles.map((one) => h("option", { value: one, selected: one === member.role }, t(`role_${one}`))),
    );
    return h(
      "li",
      {},
      h("strong", {}, name),
      h("span", { class: "note" }, member.email),
      isOwner ? role : h("span", { class: "phase" }, t(`role_${member.role}`)),
      (isOwner || isMe) && leave,
    );
  }

  function waiting(invitation) {
    const back = actionButton(
      t("revokeInvitation"),
      async () => {
        await call("DELETE", `${path}/invitations/${invitation.id}`);
        await reload();
      },
      { class: "plain", "aria-label": t("removeOf", { name: invitation.email }) },
    );
    return h(
      "li",
      {},
      h("strong", {}, invitation.email),
      h("span", { class: "phase" }, t("invitedAs", { role: t(`role_${invitation.role}`) })),
      h("span", { class: "note" }, t("goodUntil", { time: moment(invitation.expiresAt, ownZone) })),
      back,
    );
  }

  try {
    await reload();
  } catch (error) {
    // A server without roles has no list of members.
    if (!(error instanceof Problem) || error.status !== 404) throw error;
    return null;
  }
  return h("section", {}, h("h2", {}, t("members")), list, isOwner && inviting(path, reload));
}

function inviting(path, reload) {
  const email = field("email", t("email"), { id: "f-invite-email", type: "email", autocomplete: "off" });
  const role = field("role", t("role"), {
    as: "select",
    options: roles.slice(1).map((one) => [one, t(`role_${one}`)]),
  });
  const byMail = h("input", { type: "checkbox" });
  const link = h("output", { class: "link" });
  const made = form({
    fields: [email, role],
    extra: [h("label", { class: "choice" }, byMail, t("inviteByMail")), link],
    button: t("invite"),
    send: async (values) => {
      const invited = await post(`${path}/members`, { ...values, sendMail: byMail.checked });
      email.input.value = "";
      // The invitation is in the fragment of the link, so that no server and no log sees it.
      const url = `${location.origin}/host#/invitation/${invited.invitation}`;
      fill(link, h("a", { href: url }, url), " ", t("handOver"));
      const said = { true: "invitedByMail", false: "invitedNoMail" }[invited.mailed] ?? "invitedSomebody";
      announce(t(said, { email: values.email }));
      await reload();
    },
  });
  return h("details", {}, h("summary", {}, t("inviteSomebody")), made.element);
}
