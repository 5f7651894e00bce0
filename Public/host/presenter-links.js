// The presenter links of a session and those of its kiosks, with the creator of each link and a button to
// revoke the link. The list loads when the host opens it.
import { actionButton } from "./fields.js";
import { call, get } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { moment } from "./time.js";
import { t } from "./words.js";

export function presenterLinks(model) {
  const path = `/api/v1/sessions/${model.session.id}/presenter-links`;
  const list = h("ul", { class: "links cards" });
  const element = h("details", { ontoggle: () => refresh() }, h("summary", {}, t("presenterLinks")), list);

  async function refresh() {
    if (!element.open) return;
    const { items } = await get(path);
    fill(list, items.length ? items.map(entry) : h("li", { class: "empty" }, t("noPresenterLinks")));
  }

  function entry(link) {
    const time = moment(link.createdAt, model.session.timeZone);
    const purpose = t(`linkFor_${link.purpose}`);
    const revoke = actionButton(
      t("revoke"),
      async () => {
        await call("DELETE", `${path}/${link.id}`);
        announce(t("linkRevoked"));
        await refresh();
      },
      {
        class: "plain",
        "aria-label": `${t("revoke")}: ${purpose}, ${link.createdByName}, ${time}`,
        onChanged: refresh,
      },
    );
    return h(
      "li",
      {},
      h("span", {}, purpose),
      h("time", { datetime: link.createdAt }, time),
      h("span", { class: "note" }, t("by", { name: link.createdByName })),
      revoke,
    );
  }

  return { element, refresh };
}
