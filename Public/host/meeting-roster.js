// The roster of a meeting: search, add, edit, archive, import a file, and each person's totals.
import { actionButton, attempt, field, form } from "./fields.js";
import { call, get, pages, post, Problem, tagOf } from "./api.js";
import { ask } from "./dialog.js";
import { announce, fill, h, setText } from "./dom.js";
import { language, t } from "./words.js";

const mostErrors = 50;
/** The most people of a roster for which an import can be undone from this page. */
const mostUndone = 2000;

export async function roster(path) {
  const body = h("tbody", {});
  const search = h("input", {
    type: "search",
    "aria-label": t("searchPeople"),
    placeholder: t("searchPeople"),
    oninput: soon,
  });
  const which = h(
    "select",
    { "aria-label": t("roster"), onchange: () => load(true) },
    h("option", { value: "false" }, t("rosterNow")),
    h("option", { value: "true" }, t("rosterArchived")),
  );
  const more = actionButton(t("more"), () => load());
  const empty = h("p", { class: "empty", role: "status" });
  const wrong = h("ul", { class: "error" });
  let cursor = null;
  let timer = 0;
  let turn = 0;
  // The entity tag of the roster as this page shows it, updated after each change made here.
  let tag = null;

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(() => load(true), 250);
  }

  async function load(isFresh = false) {
    const mine = ++turn;
    const query = new URLSearchParams({ limit: "50", archived: which.value });
    if (search.value.trim()) query.set("q", search.value.trim());
    if (!isFresh && cursor) query.set("cursor", cursor);
    const page = await get(`${path}/roster?${query}`);
    if (mine !== turn) return;
    fill(body, isFresh ? [] : [...body.children], page.items.map(row));
    cursor = page.nextCursor;
    if (isFresh) tag = page.etag;
    more.hidden = !cursor;
    const none = which.value === "false" ? "rosterEmpty" : "noneArchived";
    setText(empty, t(search.value.trim() ? "nothingFound" : none));
    empty.hidden = body.children.length > 0;
  }

  async function readTag() {
    tag = (await get(`${path}/roster?limit=1`)).etag;
  }

  function row(person) {
    const entry = `${path}/roster/${person.id}`;
    const edit = (body) => call("PATCH", entry, { body, etag: tagOf(person) }).finally(readTag);
    const replace = (now) => {
      const fresh = row({ totals: person.totals, ...now });
      fill(body, [...body.children].map((one) => (one === element ? fresh : one)));
      fresh.querySelector("button").focus();
    };
    const onChanged = () => load(true);
    const archive = actionButton(
      t(person.archived ? "unarchive" : "archive"),
      async () => {
        await edit({ archived: !person.archived });
        announce(t(person.archived ? "unarchived" : "archived", { name: person.name }));
        element.remove();
        search.focus();
      },
      {
        class: "plain",
        "aria-label": `${t(person.archived ? "unarchive" : "archive")}: ${person.name}`,
        onChanged,
      },
    );
    const rename = h(
      "button",
      {
        type: "button",
        class: "plain",
        "aria-label": t("editOf", { name: person.name }),
        onclick: () => {
          const fields = personFields(`f-${person.id}`, person);
          const made = form({
            fields,
            button: t("save"),
            cancel: () => replace(person),
            send: async (values) => {
              try {
                replace(await edit(values));
              } catch (error) {
                if (!(error instanceof Problem) || error.status !== 412) throw error;
                announce(t("somebodyFaster"));
                await onChanged();
              }
            },
          });
          actions.append(h("div", { class: "editing" }, made.element));
          rename.hidden = true;
          fields[0].input.focus();
        },
      },
      t("edit"),
    );
    const all = h(
      "a",
      {
        href: `${entry}/export.html?lang=${language}`,
        target: "_blank",
        "aria-label": t("exportOf", { name: person.name }),
      },
      t("exportData"),
    );
    const erase = actionButton(
      t("erase"),
      async () => {
        const isSure = await ask({
          title: t("eraseOf", { name: person.name }),
          content: h("p", {}, t("erasePersonAsk")),
          button: t("erase"),
          isDangerous: true,
        });
        if (!isSure) return;
        await post(`${entry}/erase`);
        await readTag();
        announce(t("erased", { name: person.name }));
        element.remove();
        search.focus();
      },
      { class: "plain", "aria-label": t("eraseOf", { name: person.name }), onChanged },
    );
    const { totals } = person;
    const actions = h(
      "td",
      { class: "actions" },
      h("div", { class: "marks" }, rename, archive, all, erase),
    );
    const element = h(
      "tr",
      { class: person.archived ? "archived" : null },
      h(
        "th",
        { scope: "row" },
        h("span", { class: "name" }, person.name),
        h("span", { class: "note" }, [person.email, person.number].filter(Boolean).join(" · ")),
      ),
      h("td", { class: "note" }, totals && t("totals", totals)),
      actions,
    );
    return element;
  }

  const file = h("input", {
    type: "file",
    accept: ".csv,text/csv",
    id: "f-roster",
    "aria-describedby": "f-roster-hint",
    onchange: () => attempt(file, send, { onChanged: () => load(true) }),
  });

  /**
   * Shows what the file would change, and imports it if the host agrees. If a line is invalid, imports
   * nothing and shows all invalid lines.
   */
  async function send() {
    fill(wrong);
    const chosen = file.files[0];
    if (!chosen) return;
    const put = async (query = "") =>
      call("PUT", `${path}/roster${query}`, {
        body: await chosen.arrayBuffer(),
        etag: tag,
        headers: { "Content-Type": "text/csv" },
      });
    try {
      const preview = await put("?dryRun=true");
      if (!(await agreed(preview))) return;
      const before = await everybody();
      const answer = await put();
      await load(true);
      announce(t("imported", answer), before && undoing(before, answer));
    } catch (error) {
      if (!(error instanceof Problem) || !error.fields.size) throw error;
      fill(
        wrong,
        [...error.fields]
          .slice(0, mostErrors)
          .map(([field, message]) => h("li", {}, `${lineOf(field)} ${inWords(message)}`.trim())),
      );
    } finally {
      // The host can choose the same file again after correcting it.
      file.value = "";
    }
  }

  /** Returns the people on the roster with their ids, or null if there are too many to undo an import. */
  async function everybody() {
    const found = [];
    for await (const people of pages(`${path}/roster?archived=false`)) {
      found.push(...people);
      if (found.length > mostUndone) return null;
    }
    return found.map(({ id, name, email = "", number = "" }) => ({ id, name, email, number }));
  }

  /** Returns a button that puts the former roster back, with the ids of its people. */
  function undoing(people, { version }) {
    return actionButton(
      t("undo"),
      async () => {
        await call("PUT", `${path}/roster`, { body: { people }, etag: tagOf({ version }) });
        await load(true);
        announce(t("importUndone"));
      },
      { class: "plain", onChanged: () => load(true) },
    );
  }

  await load(true);
  return h(
    "section",
    {},
    h("h2", {}, t("roster")),
    h("div", { class: "tools" }, search, which),
    h(
      "table",
      { class: "people" },
      h("caption", { class: "unseen" }, t("roster")),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["name", "overTheSeries", "edit"].map((key) => h("th", { scope: "col" }, t(key))),
        ),
      ),
      body,
    ),
    empty,
    more,
    h(
      "details",
      {},
      h("summary", {}, t("addToRoster")),
      adding(path, () => load(true)),
    ),
    h(
      "details",
      {},
      h("summary", {}, t("importRoster")),
      h(
        "div",
        { class: "field" },
        h("label", { for: "f-roster" }, t("chooseFile")),
        h("span", { class: "hint", id: "f-roster-hint" }, t("importHint")),
        file,
        h("div", { role: "alert" }, wrong),
      ),
    ),
  );
}

/** Returns the line of a pointer: `/lines/3/name` is line 3. */
function lineOf(field) {
  const [, list, number] = field.split("/");
  return list === "lines" ? t("line", { number }) : "";
}

/** Returns a message of the server with lines in words instead of pointers. */
const inWords = (message) => message.replace(/\/lines\/(\d+)/g, (_, number) => t("lineNumber", { number }));

/** Shows what an import would change, by name. Returns whether the host agreed. */
function agreed({ changes, encoding, ...counts }) {
  const shown = ({ name, email, number }) => [name, email, number].filter(Boolean).join(" · ");
  const list = (kind, people, text = shown) =>
    counts[kind] > 0 &&
    h(
      "details",
      { class: `import-${kind}`, open: people.length <= 10 },
      h("summary", {}, t(`import_${kind}`, { count: counts[kind] })),
      h(
        "ul",
        {},
        people.map((one) => h("li", {}, text(one))),
        counts[kind] > people.length && h("li", {}, t("andMore", { count: counts[kind] - people.length })),
      ),
    );
  return ask({
    title: t("importAsk"),
    content: [
      h("p", {}, t("importWouldHave", { count: counts.people })),
      encoding === "cp949" && h("p", { class: "note" }, t("readAsKorean")),
      h(
        "div",
        { class: "changes" },
        list("added", changes.added),
        list("unarchived", changes.unarchived),
        list("updated", changes.updated, ({ before, after }) => `${shown(before)} → ${shown(after)}`),
        list("archived", changes.archived),
      ),
      changes.ambiguous.length > 0 &&
        h(
          "p",
          { class: "warning" },
          t("importAmbiguous", { names: changes.ambiguous.map(shown).join(", ") }),
        ),
      counts.unchanged > 0 && h("p", { class: "note" }, t("import_unchanged", { count: counts.unchanged })),
      counts.withoutKey > 0 &&
        h("p", { class: "warning" }, t("importWithoutKey", { count: counts.withoutKey })),
    ],
    button: t("importNow"),
    isDangerous: counts.archived > 0,
  });
}

function personFields(id, person = {}) {
  return [
    field("name", t("name"), {
      id: `${id}-name`,
      value: person.name ?? "",
      autocomplete: "off",
      maxlength: 100,
      check: (value) => (value.trim() ? null : t("nameMissing")),
    }),
    field("email", t("email"), {
      id: `${id}-email`,
      value: person.email ?? "",
      type: "email",
      autocomplete: "off",
    }),
    field("number", t("identify_number"), {
      id: `${id}-number`,
      value: person.number ?? "",
      autocomplete: "off",
      maxlength: 50,
    }),
  ];
}

function adding(path, reload) {
  const fields = personFields("f-new");
  return form({
    fields,
    button: t("addPerson"),
    send: async (values) => {
      const person = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim()));
      try {
        await post(`${path}/roster`, { ...person, allowSameName: false });
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== "name_on_roster") throw error;
        const title = t("sameName", { name: values.name.trim() });
        if (!(await ask({ title, content: [], button: t("addPerson") }))) return;
        await post(`${path}/roster`, person);
      }
      announce(t("added", { name: values.name.trim() }));
      for (const one of fields) one.input.value = "";
      fields[0].input.focus();
      await reload();
    },
  }).element;
}
