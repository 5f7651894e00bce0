// Publishes a set as a form that anybody can answer by its address. The panel loads when the host opens it.
import { call, get } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { field, form } from "./fields.js";
import { checkIn, summaryOf } from "./sets.js";
import { t } from "./words.js";

/** Returns the panel of the set `name`; null for the check-in, which is never published. */
export function publishing(model, name) {
  if (name === checkIn) return null;
  const path = `/api/v1/sessions/${model.session.id}`;
  const body = h("div", {});
  const summary = h("summary", {}, t("publishForm"));
  const element = h("details", { class: "publish", ontoggle: show }, summary, body);

  async function show() {
    if (!element.open) return;
    draw(await get(`${path}/questions?set=${encodeURIComponent(name)}`));
  }

  function draw(set) {
    const called = field("publishedAs", t("publishName"), {
      hint: t("publishNameHint"),
      value: set.publishedAs ?? "",
      maxlength: 40,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
    });
    const once = h("input", {
      type: "checkbox",
      name: "oncePerDevice",
      checked: set.oncePerDevice,
      "aria-describedby": "publish-once-hint",
    });
    const made = form({
      fields: [called],
      extra: [
        h("label", { class: "choice" }, once, t("publishOnce")),
        h("p", { class: "hint", id: "publish-once-hint" }, t("publishOnceHint")),
      ],
      button: t("publish"),
      send: async ({ publishedAs }) => {
        const request = call("PATCH", `${path}/sets/${encodeURIComponent(name)}`, {
          body: { publishedAs: publishedAs.trim(), oncePerDevice: once.checked },
          etag: set.etag,
        });
        const edited = await model.takeAnswer(request, (now) => ({ sets: [summaryOf(now)] }));
        announce(t("saved"));
        draw(edited);
      },
    });
    const address = set.publishedAs && `${location.origin}/form/${set.publishedAs}`;
    fill(
      body,
      h("p", { class: "note" }, t("publishAbout")),
      address && h("p", {}, `${t("publishedAt")}: `, h("a", { href: address, target: "_blank" }, address)),
      made.element,
    );
  }

  return element;
}
