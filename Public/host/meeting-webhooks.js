// The web hooks of a meeting, with their newest deliveries. The list loads when the host opens it.
import { ask } from "./dialog.js";
import { actionButton, field, form, markError } from "./fields.js";
import { call, get, post } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { moment, ownZone } from "./time.js";
import { t } from "./words.js";

const events = [
  "check_in",
  "corrected",
  "response",
  "session.opened",
  "session.started",
  "session.ended",
  "meeting.edited",
  "meeting.session_added",
  "meeting.session_deleted",
];

const eventText = (name) => t(`webhookEvent_${name.replace(".", "_")}`);

/** Returns a field with a checkbox for each event. At first, all of them are chosen. */
function eventsField() {
  const box = (value) => h("input", { type: "checkbox", name: "events", value, checked: true });
  const boxes = events.map(box);
  const error = h("span", { class: "error", id: "f-events-error", hidden: true });
  const showError = (message) => markError(group, error, message);
  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);
  const judge = () => showError(chosen().length ? "" : t("webhookEventsNone"));
  const group = h(
    "fieldset",
    { onchange: judge, "aria-describedby": error.id },
    h("legend", {}, t("webhookEvents")),
    h(
      "div",
      { class: "choices" },
      boxes.map((box) => h("label", { class: "choice" }, box, eventText(box.value))),
    ),
    error,
  );
  return {
    element: group,
    input: boxes[0],
    name: "events",
    showError,
    values: chosen,
    isValid: () => {
      judge();
      return error.hidden;
    },
    chooseAll: () => {
      for (const box of boxes) box.checked = true;
      showError("");
    },
  };
}

export function webhooks(meetingPath) {
  const path = `${meetingPath}/webhooks`;
  const list = h("ul", { class: "cards" });
  const secret = h("output", { class: "link" });
  const url = field("url", t("webhookURL"), { type: "url", autocomplete: "off" });
  const wanted = eventsField();
  const adding = form({
    fields: [url, wanted],
    extra: [secret],
    button: t("webhookAdd"),
    send: async (values) => {
      const made = await post(path, values);
      url.input.value = "";
      wanted.chooseAll();
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
      hook.events.length < events.length &&
        h("span", { class: "note" }, hook.events.map(eventText).join(", ")),
      button("webhookTest", async () => {
        const { pausedUntil } = await post(`${own}/test`, {});
        announce(pausedUntil ? paused(pausedUntil) : t("webhookTested"));
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

  const paused = (end) => t("webhookPaused", { time: moment(end, ownZone) });

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
