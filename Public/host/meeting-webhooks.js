// The web hooks of a meeting, with their newest deliveries. The list loads when the host opens it.
import { ask } from "./dialog.js";
import { actionButton, field, form } from "./fields.js";
import { call, get, post } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { moment, ownZone } from "./time.js";
import { t } from "./words.js";

export function webhooks(meetingPath) {
  const path = `${meetingPath}/webhooks`;
  const list = h("ul", { class: "cards" });
  const secret = h("output", { class: "link" });
  const url = field("url", t("webhookURL"), { type: "url", autocomplete: "off" });
  const adding = form({
    fields: [url],
    extra: [secret],
    button: t("webhookAdd"),
    send: async (values) => {
      const made = await post(path, values);
      url.input.value = "";
      show(made);
      await refresh();
    },
  });
  const element = h(
    "details",
    { ontoggle: () => refresh() },
    h("summary", {}, t("webhooks")),
    h("p", { class: "note" }, t("webhooksAbout")),
    list,
    adding.element,
  );

  function show(made) {
    fill(secret, h("code", {}, made.secret), " ", t("webhookSecretOnce"));
    announce(t("webhookSecretOnce"));
  }

  async function refresh() {
    if (!element.open) return;
    const { items } = await get(path);
    fill(list, items.length ? items.map(entry) : h("li", { class: "empty" }, t("webhooksNone")));
  }

  function entry(hook) {
    const own = `${path}/${hook.id}`;
    const deliveries = h("ul", { class: "links" });
    const log = h("details", { ontoggle: () => load() }, h("summary", {}, t("webhookLog")), deliveries);
    const button = (word, act) =>
      actionButton(t(word), act, { class: "plain", "aria-label": `${t(word)}: ${hook.url}` });

    async function load() {
      if (!log.open) return;
      const { items } = await get(`${own}/deliveries?limit=20`);
      fill(deliveries, items.length ? items.map(delivery) : h("li", { class: "empty" }, t("webhookLogNone")));
    }

    return h(
      "li",
      {},
      h("strong", {}, hook.url),
      h("span", { class: "phase" }, t(`webhook_${hook.state}`)),
      h("span", { class: "note" }, t("by", { name: hook.createdBy })),
      button("webhookTest", async () => {
        await post(`${own}/test`, {});
        announce(t("webhookTested"));
      }),
      button("webhookRetry", async () => {
        await post(`${own}/retry`, {});
        announce(t("saved"));
        await refresh();
      }),
      button("webhookRotate", async () => show(await post(`${own}/rotate`, {}))),
      button("remove", async () => {
        const isSure = await ask({
          title: t("webhookRemoveAsk"),
          content: h("p", {}, hook.url),
          button: t("remove"),
          isDangerous: true,
        });
        if (!isSure) return;
        await call("DELETE", own);
        await refresh();
      }),
      log,
    );
  }

  function delivery(one) {
    return h(
      "li",
      {},
      h("time", { datetime: one.at }, moment(one.at, ownZone)),
      h("span", {}, one.event),
      h("span", { class: "note" }, [t(`delivery_${one.state}`), one.reply].filter(Boolean).join(" · ")),
    );
  }

  return h("section", {}, h("h2", {}, t("programs")), element);
}
