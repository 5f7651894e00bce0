// The operator's page: notices, the accounts of the server, the queue of mails, and the journal of actions.
import { call, get, pages, post } from "./api.js";
import { ask, open } from "./dialog.js";
import { announce, fill, h } from "./dom.js";
import { actionButton, field, form } from "./fields.js";
import { moment, ownZone } from "./time.js";
import { t } from "./words.js";

const most = 1000;

export async function view({ account }) {
  const parts = await Promise.all([notices(), users(account), codeBudgets(), mails(), actions()]);
  return {
    title: t("operatorPage"),
    content: [h("div", { class: "narrow" }, h("h1", {}, t("operatorPage")), parts)],
  };
}

/** Returns nothing if no notice needs the operator's attention. */
async function notices() {
  const { items } = await get("/api/v1/notices");
  if (!items.length) return null;
  return h(
    "section",
    {},
    h("h2", {}, t("notices")),
    h("ul", { class: "cards" }, items.map((notice) => h("li", { class: "warning" }, notice.text))),
  );
}

async function users(own) {
  const list = h("ul", { class: "cards" });
  let all = [];

  async function reload() {
    all = [];
    for await (const page of pages("/api/v1/users")) {
      all.push(...page);
      if (all.length >= most) break;
    }
    show();
  }

  const search = field("q", t("userSearch"), { type: "search", autocomplete: "off", maxlength: 100 });
  search.input.addEventListener("input", show);
  function show() {
    const text = search.input.value.trim().toLowerCase();
    const found = all.filter((one) => !text || `${one.name} ${addressOf(one)}`.toLowerCase().includes(text));
    fill(list, found.length ? found.map(row) : h("li", {}, t("userNone")));
  }

  function row(user) {
    const details = h("div", {});
    const made = h(
      "details",
      { ontoggle: () => made.open && fillDetails(user, details) },
      h("summary", {}, t("userMore", { name: user.name })),
      details,
    );
    return h(
      "li",
      {},
      h("span", { class: "name" }, user.name),
      h("span", { class: "note" }, addressOf(user)),
      h("span", { class: "phase" }, t(`userState_${user.state}`)),
      user.admin && h("span", { class: "phase" }, t("userOperator")),
      made,
    );
  }

  async function fillDetails(user, details) {
    const path = `/api/v1/users/${user.id}`;
    const report = await get(path);
    // The button with the focus goes, so the focus moves to the search.
    const changed = async (message) => {
      await reload();
      search.input.focus();
      announce(message);
    };
    const button = (name, action, attributes) =>
      actionButton(t(name), action, { ...attributes, "aria-label": `${t(name)}: ${user.name}` });
    const act = (name) => async () => {
      await post(`${path}/${name}`);
      await changed(t("saved"));
    };
    fill(
      details,
      h("p", {}, t("userOwns", { count: report.ownedMeetings })),
      h(
        "ul",
        {},
        report.signIns.map((one) =>
          h("li", {}, [one.client, one.address, moment(one.createdAt, ownZone)].filter(Boolean).join(" · ")),
        ),
      ),
      h(
        "div",
        { class: "buttons" },
        user.state === "suspended"
          ? button("userResume", act("resume"))
          : user.id !== own.id && button("userSuspend", act("suspend")),
        !user.admin && button("userMakeOperator", act("make-operator")),
        !user.signsInByPhone &&
          button("userReset", async () => {
            const made = await post(`${path}/reset-password`);
            showPassword(made);
            await reload();
          }),
        user.id !== own.id &&
          button("userDelete", () => remove(user, path, changed), { class: "quiet danger" }),
      ),
    );
  }

  async function remove(user, path, changed) {
    const isSure = await ask({
      title: t("userDeleteOf", { name: user.name }),
      content: [h("p", {}, t("userDeleteAsk"))],
      button: t("userDelete"),
      isDangerous: true,
    });
    if (!isSure) return;
    await call("DELETE", `${path}?confirm=${encodeURIComponent(addressOf(user))}`);
    await changed(t("deleted"));
  }

  const email = field("email", t("email"), { id: "f-user-email", type: "email", autocomplete: "off" });
  const name = field("name", t("yourName"), { id: "f-user-name", maxlength: 100, autocomplete: "off" });
  const creating = form({
    fields: [email, name],
    button: t("userCreate"),
    send: async (values) => {
      showPassword(await post("/api/v1/users", values));
      for (const one of [email, name]) one.input.value = "";
      await reload();
    },
  });
  const address = field("email", t("email"), { id: "f-invite", type: "email", autocomplete: "off" });
  const link = h("p", { class: "note", role: "status" });
  const inviting = form({
    fields: [address],
    button: t("userInvite"),
    extra: [link],
    send: async (values) => {
      const made = await post("/api/v1/invitations", values);
      const query = new URLSearchParams({ invitation: made.invitation });
      fill(link, t("userInvited"), " ", h("code", {}, `${location.origin}/host?${query}#/sign-up`));
    },
  });
  await reload();
  return h(
    "section",
    {},
    h("h2", {}, t("users")),
    search.element,
    list,
    h("details", {}, h("summary", {}, t("userCreate")), creating.element),
    h("details", {}, h("summary", {}, t("userInvite")), inviting.element),
  );
}

const addressOf = (user) => user.email || user.phone;

function showPassword({ account, password }) {
  open(
    t("userPasswordOf", { name: account.name }),
    h(
      "form",
      { method: "dialog" },
      h("p", {}, t("userPasswordHint")),
      h("p", {}, h("code", {}, password)),
      h("div", { class: "buttons" }, h("button", { value: "yes" }, t("close"))),
    ),
  );
}

/** The messages with codes in this hour, with a warning if one of the budgets runs low. */
async function codeBudgets() {
  const { items } = await get("/api/v1/code-budgets");
  return h(
    "section",
    {},
    h("h2", {}, t("codeBudgets")),
    h(
      "ul",
      { class: "cards" },
      items.map((one) =>
        h(
          "li",
          {},
          h("span", { class: "name" }, t(`codeBudget_${one.channel}`, one)),
          h("span", { class: "note" }, t("codeBudgetUnknown", one)),
          one.state !== "enough" && h("strong", { role: "alert" }, t(`codeBudgetState_${one.state}`)),
        ),
      ),
    ),
  );
}

async function mails() {
  const list = h("ul", { class: "cards" });
  const again = actionButton(t("lookAgain"), reload);
  async function reload() {
    const { items } = await get("/api/v1/mails?limit=200");
    fill(list, items.length ? items.map(row) : h("li", {}, t("mailNone")));
  }

  function row(mail) {
    const path = `/api/v1/mails/${mail.id}`;
    const button = (name, action) =>
      actionButton(
        t(name),
        async () => {
          if ((await action()) === false) return;
          await reload();
          again.focus();
          announce(t("saved"));
        },
        { "aria-label": `${t(name)}: ${mail.recipient}` },
      );
    return h(
      "li",
      {},
      h("span", { class: "name" }, mail.recipient),
      h("span", { class: "phase" }, t(`mail_${mail.state}`)),
      h("time", {}, moment(mail.queuedAt, ownZone)),
      mail.reply && h("span", { class: "note" }, mail.reply),
      button("mailRetry", () => post(`${path}/retry`)),
      button("mailDrop", async () => {
        const isSure = await ask({
          title: t("mailDropAsk", { address: mail.recipient }),
          button: t("mailDrop"),
          isDangerous: true,
        });
        return isSure && call("DELETE", path);
      }),
    );
  }

  await reload();
  return h("section", {}, h("h2", {}, t("mailQueue")), list, again);
}

async function actions() {
  const list = h("ul", {});
  let cursor = "";
  const more = actionButton(t("more"), async () => {
    await read();
    if (more.hidden) list.lastChild.querySelector("span").focus();
  });
  async function read() {
    const page = await get(`/api/v1/actions?limit=50${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    list.append(...page.items.map(row));
    cursor = page.nextCursor ?? "";
    more.hidden = !cursor;
  }

  function row(action) {
    const actor = action.actorName ?? t(action.actor === "server" ? "actorServer" : "actorGone");
    const about = action.accountName && action.accountId !== action.actor ? action.accountName : null;
    const words = [t(`action_${action.kind}`), about, action.role && t(`role_${action.role}`), actor];
    return h(
      "li",
      {},
      h("span", { tabindex: -1 }, `${moment(action.at, ownZone)} · ${words.filter(Boolean).join(" · ")}`),
    );
  }

  await read();
  return h("section", {}, h("h2", {}, t("actionLog")), list, more);
}
