// Replies (RSVP): the seats of a session, the link on which people reply, and the replies with the waiting
// list and the requests.
import { call, get, post, Problem } from "./api.js";
import { ask } from "./dialog.js";
import { announce, fill, h, setText } from "./dom.js";
import { actionButton, copied, field, form } from "./fields.js";
import { t } from "./words.js";

/** The order of the lists: what a host decides comes first. */
const statuses = ["requested", "waiting", "accepted", "maybe", "no", "declined", "invited"];
/** The pause between two readings of the counts. */
const refreshing = 10_000;

export async function tab(model) {
  const path = `/api/v1/sessions/${model.session.id}`;
  let settings = await get(`${path}/reply-settings`);
  let chosen = null;
  let cursor = null;
  let turn = 0;
  let isOver = false;

  const mode = field("mode", t("repliesMode"), {
    as: "select",
    options: ["off", "open", "approval"].map((value) => [value, t(`replies_${value}`)]),
  });
  // An input with a wrong value has an empty one for scripts.
  const check = (_, input) => input.validationMessage;
  const number = (name, label, max, more) =>
    field(name, label, { type: "number", max, inputmode: "numeric", check, ...more });
  const capacity = number("capacity", t("repliesSeats"), 100_000, { min: 1, hint: t("repliesSeatsHint") });
  const mostGuests = number("mostGuests", t("repliesGuests"), 20, { min: 0 });
  const fields = [mode, capacity, mostGuests];
  for (const one of fields) one.input.disabled = !model.isHost;

  function showFields() {
    mode.input.value = settings.mode;
    capacity.input.value = settings.capacity ?? "";
    mostGuests.input.value = String(settings.mostGuests);
  }

  async function save(values) {
    const body = {
      mode: values.mode,
      capacity: values.capacity === "" ? null : Number(values.capacity),
      mostGuests: Number(values.mostGuests),
    };
    try {
      take(await call("PATCH", `${path}/reply-settings`, { body, etag: `"v${settings.version}"` }));
      announce(t("saved"));
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error;
      take(await get(`${path}/reply-settings`));
      announce(t("somebodyFaster"));
    }
    showFields();
    await load(true);
  }

  const edited = form({ fields, button: t("save"), send: save });
  edited.submit.hidden = !model.isHost;

  const picture = h("img", { alt: t("repliesLink"), width: 200, height: 200 });
  const address = h("p", { class: "link" });
  const mail = actionButton(t("repliesMail"), async () => {
    const isSure = await ask({
      title: t("repliesMail"),
      content: h("p", {}, t("repliesMailAsk")),
      button: t("repliesMail"),
    });
    if (!isSure) return;
    const { queued: count, limitReached } = await post(`${path}/reply-mails`, {});
    announce([t("repliesMailed", { count }), limitReached && t("repliesLimit")].filter(Boolean).join(" "));
    await refresh();
  });
  const copy = actionButton(t("repliesCopy"), () =>
    copied(settings.url.toLowerCase(), () => getSelection().selectAllChildren(address)),
  );
  const link = h(
    "section",
    {},
    picture,
    address,
    h("div", { class: "tools" }, copy, model.isHost && mail),
  );

  const summary = h("p", { class: "summary", role: "status" });
  const which = h("select", { "aria-label": t("repliesShow"), onchange: () => choose(which.value) });
  const list = h("ul", { class: "reports" });
  const more = actionButton(t("more"), () => load());
  const file = h("a", { href: `${path}/replies.csv`, download: "" }, t("repliesExport"));

  function take(fresh) {
    settings = fresh;
    const { counts, mode: now, url } = settings;
    const isOn = now !== "off" && url;
    link.hidden = !isOn;
    if (isOn) {
      const source = `${path}/reply-qr.svg?v=${settings.version}`;
      if (!picture.src.endsWith(source)) picture.src = source;
      fill(address, h("a", { href: url.toLowerCase() }, url.toLowerCase()));
    }
    const values = { taken: counts.seats, capacity: settings.capacity };
    setText(summary, t(settings.capacity === undefined ? "repliesTaken" : "seats", values));
    // The first list is what waits for a decision.
    chosen ??= statuses.find((one) => counts[one] > 0) ?? "accepted";
    fill(
      which,
      statuses.map((one) =>
        h("option", { value: one, selected: one === chosen }, `${t(`reply_${one}`)} (${counts[one]})`),
      ),
    );
    which.value = chosen;
  }

  async function choose(status) {
    chosen = status;
    await load(true);
  }

  async function load(isFresh = false) {
    const mine = ++turn;
    const query = new URLSearchParams({ status: chosen, limit: "50" });
    if (!isFresh && cursor) query.set("cursor", cursor);
    const page = await get(`${path}/replies?${query}`);
    if (mine !== turn || isOver) return;
    cursor = page.nextCursor;
    fill(list, isFresh ? [] : [...list.children], page.items.map(row));
    if (!list.children.length) fill(list, h("li", { class: "empty" }, t("repliesNone")));
    more.hidden = !cursor;
  }

  function row(reply) {
    const { id, name, identity, guests, status } = reply;
    const button = (key, act) =>
      h(
        "button",
        {
          key,
          type: "button",
          class: "quiet",
          "aria-label": `${t(key)}: ${name}`,
          onclick: () => act().then(refresh, (error) => announce(error.message)),
        },
        t(key),
      );
    const decide = (body) => () => post(`${path}/replies/${id}/decision`, body);
    const approve = async () => {
      const decided = await post(`${path}/replies/${id}/decision`, { approve: true });
      if (decided.status === "accepted") return;
      const isSure = await ask({
        title: t("repliesFull"),
        content: h("p", {}, t("repliesFullAsk", { name })),
        button: t("repliesBeyond"),
      });
      if (isSure) await decide({ approve: true, beyondCapacity: true })();
    };
    const remove = async () => {
      const isSure = await ask({
        title: t("repliesRemoveOf", { name }),
        content: h("p", {}, t("repliesRemoveAsk")),
        button: t("repliesRemove"),
        isDangerous: true,
      });
      if (isSure) await call("DELETE", `${path}/replies/${id}`);
    };
    const mayApprove = ["requested", "waiting", "declined"].includes(status);
    return h(
      "li",
      { key: id },
      h(
        "p",
        {},
        h("strong", {}, name),
        identity ? ` · ${identity}` : "",
        guests > 0 ? ` · ${t("withGuests", { count: guests })}` : "",
      ),
      model.isHost &&
        h(
          "div",
          { key: "tools", class: "tools" },
          mayApprove && button("repliesApprove", approve),
          status !== "declined" && button("repliesDecline", decide({ approve: false })),
          button("repliesRemove", remove),
        ),
    );
  }

  async function refresh() {
    const before = JSON.stringify(settings);
    const fresh = await get(`${path}/reply-settings`);
    if (isOver || JSON.stringify(fresh) === before) return;
    take(fresh);
    await load(true);
  }

  take(settings);
  showFields();
  await load(true);
  // A lost reading is repeated by the next one.
  const timer = setInterval(() => refresh().catch(() => {}), refreshing);
  return {
    content: [
      h("p", { class: "note" }, t("repliesAbout")),
      h("div", { class: "narrow" }, edited.element),
      link,
      summary,
      h("div", { class: "tools" }, which, file),
      list,
      more,
    ],
    end: () => {
      isOver = true;
      clearInterval(timer);
    },
  };
}
