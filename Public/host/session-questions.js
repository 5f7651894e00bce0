// The editor of a set's questions, saved as a whole with the version that was read; new polls; and copies
// from another session.
import { go } from "./address.js";
import { attempt, field, form } from "./fields.js";
import { call, get, NotSent, post, Problem } from "./api.js";
import { checkIn, chooser, feedback, inOrder, loadSets, summaryOf, switches, titleOf } from "./sets.js";
import { announce, fill, h } from "./dom.js";
import { isBilingual, kinds, newQuestion, questionEditor } from "./question-editor.js";
import { hasTranslation, textFields } from "./localized.js";
import { setChoice } from "./rule-editor.js";
import { t } from "./words.js";

export async function tab(model, [chosen = feedback]) {
  await loadSets(model);
  const choosing = chooser(model, "questions", chosen);
  const area = h("div", {});
  const state = h("div", { class: "tools" });
  const editor = await setEditor(model, chosen);
  const showState = () => {
    const set = model.sets.get(chosen) ?? inOrder(model).find((one) => one.set === chosen);
    if (!set) return fill(state);
    const shown = [
      h("strong", {}, titleOf(set)),
      h("span", { class: "note" }, t(set.anonymous ? "answersAnonymous" : "answersNamed")),
    ];
    fill(
      state,
      shown,
      model.isHost && editor.isSaved() && switches(model, set, { withAnonymous: set.questions > 0 }),
    );
  };
  editor.onSaved(showState);
  showState();
  const stop = model.on(["sets"], showState);
  fill(area, state, editor.element);
  return {
    end: () => {
      stop();
      choosing.end();
    },
    content: [choosing.element, model.isHost && newPoll(model), area, model.isHost && copying(model)],
  };
}

async function setEditor(model, name) {
  const path = `/api/v1/sessions/${model.session.id}/questions?set=${encodeURIComponent(name)}`;
  // A set that was never saved has no version.
  let set = { questions: [], responses: 0 };
  let isSaved = false;
  let whenSaved = () => {};
  let questions = [];
  const list = h("div", {});
  const locked = h("p", { class: "note" }, t("questionsLocked"));
  const problem = h("p", { class: "error", role: "alert", hidden: true });
  const save = h("button", { type: "submit" }, t("save"));
  const adding = h(
    "div",
    { class: "tools", role: "group", "aria-label": t("addQuestion") },
    kinds.map((kind) =>
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          onclick: () => {
            questions.push(newQuestion(kind));
            draw();
            list.lastElementChild.querySelector("input").focus();
          },
        },
        `+ ${t(`add_${kind}`)}`,
      ),
    ),
  );
  // The texts of the set. Feedback and check-in have titles in both languages; the host writes the title of a
  // poll.
  let about = {};
  let isBoth = false;
  const isNamed = ![feedback, checkIn].includes(name);
  const both = h("input", {
    type: "checkbox",
    onchange: () => {
      isBoth = both.checked;
      draw();
    },
  });
  const words = h("div", {});
  // If the clock has already opened the set, saving its first questions fixes `anonymous`, so the host
  // chooses before that.
  const withNames = h("input", { type: "checkbox", onchange: () => draw() });
  const naming = h("label", { class: "choice", hidden: true }, withNames, t("setWithNames"));
  const element = h(
    "form",
    { class: "set", novalidate: true, onsubmit: send },
    h("label", { class: "choice" }, both, t("bothLanguages")),
    naming,
    h("fieldset", { class: "bare", disabled: !model.isHost }, words),
    locked,
    list,
    model.isHost && [adding, problem, h("div", { class: "buttons" }, save)],
  );

  async function load() {
    // Requesting a set that was never saved would log an error in the console.
    const { items } = await get(`/api/v1/sessions/${model.session.id}/sets`);
    if (items.some((one) => one.set === name)) {
      set = await get(path);
      isSaved = true;
    }
    questions = structuredClone(set.questions);
    withNames.checked = set.anonymous === false;
    about = {};
    for (const field of ["title", "titles", "description", "descriptions", "next"])
      if (set[field] !== undefined) about[field] = structuredClone(set[field]);
    both.checked = isBoth ||= hasTranslation(about, "title", "description") || questions.some(isBilingual);
    draw();
  }

  /** Returns the sets that can follow this one. */
  const followers = () =>
    inOrder(model)
      .filter((one) => ![name, checkIn].includes(one.set))
      .map((one) => [one.set, titleOf(one)]);

  function drawWords(errors) {
    const errorOf = (field) =>
      errors.has(`/${field}`) &&
      h("span", { class: "error", id: `set-${field}-error` }, errors.get(`/${field}`));
    const others = followers();
    fill(
      words,
      isNamed &&
        textFields(about, "title", {
          id: "set-title",
          label: t("setTitle"),
          isBoth,
          maxlength: 200,
          autocomplete: "off",
          error: errorOf("title") || null,
        }),
      textFields(about, "description", {
        id: "set-description",
        label: t("setDescription"),
        isBoth,
        as: "textarea",
        rows: 2,
        maxlength: 2000,
        isOptional: true,
        error: errorOf("description") || null,
      }),
      (others.length > 0 || about.next) &&
        h(
          "div",
          { class: "field" },
          h("label", { for: "set-next" }, t("setNext")),
          setChoice({
            id: "set-next",
            sets: others,
            chosen: about.next,
            none: t("setNextNone"),
            onchange: (next) => (about.next = next),
          }),
          errorOf("next"),
        ),
    );
  }

  function draw(errors = new Map(), focused = -1) {
    locked.hidden = !set.responses;
    naming.hidden =
      !model.isHost || name === checkIn || set.questions.length > 0 || Boolean(set.anonymityFixed);
    drawWords(errors);
    fill(
      list,
      questions.length
        ? questions.map((question, index) => editor(question, index, errors))
        : h("p", { class: "empty" }, t("noQuestions")),
    );
    if (focused >= 0) list.children[focused]?.querySelector("input")?.focus();
  }

  function editor(question, index, errors) {
    const isLocked = set.responses > 0;
    const move = (by) => {
      const [one] = questions.splice(index, 1);
      questions.splice(index + by, 0, one);
      draw(errors.size ? new Map() : errors);
      const buttons = list.children[index + by].querySelectorAll(":scope > .tools button:not([disabled])");
      (buttons[by < 0 ? 0 : 1] ?? buttons[0]).focus();
    };
    const button = (text, onclick, disabled = false) =>
      h(
        "button",
        {
          type: "button",
          class: "plain",
          disabled,
          "aria-label": `${text}: ${question.title || index + 1}`,
          onclick,
        },
        text,
      );
    return questionEditor({
      question,
      index,
      isHost: model.isHost,
      isLocked,
      isBoth,
      errors,
      isAnonymous: naming.hidden ? set.anonymous ?? name !== checkIn : !withNames.checked,
      others: questions.filter((one) => one.id && one.id !== question.id),
      sets: followers(),
      redraw: (focused) => draw(errors, focused),
      tools: [
        button(t("up"), () => move(-1), index === 0 || isLocked),
        button(t("down"), () => move(1), index === questions.length - 1 || isLocked),
        button(
          t("remove"),
          () => {
            questions.splice(index, 1);
            draw(new Map(), Math.min(index, questions.length - 1));
          },
          isLocked && Boolean(question.id),
        ),
      ],
    });
  }

  async function send(event) {
    event.preventDefault();
    problem.hidden = true;
    await attempt(
      save,
      async () => {
        try {
          const promise = naming.hidden ? {} : { anonymous: !withNames.checked };
          set = await call("PUT", path, { body: { ...about, ...promise, questions }, etag: set.etag });
          isSaved = true;
          questions = structuredClone(set.questions);
          draw();
          // The switches must send the version that they show.
          model.take({ sets: [summaryOf(set)] });
          whenSaved();
          announce(t("saved"));
        } catch (error) {
          if (error instanceof NotSent || !(error instanceof Problem) || error.status === 412) throw error;
          draw(error.fields);
          const indices = new Set([...error.fields.keys()].map((pointer) => pointer.split("/")[2]));
          list.children[[...indices][0] ?? -1]?.querySelector("[aria-invalid], input")?.focus();
          problem.textContent = error.message;
          problem.hidden = false;
        }
      },
      { onChanged: load },
    );
  }

  await load();
  return { element, isSaved: () => isSaved, onSaved: (listener) => (whenSaved = listener) };
}

/** Creates a poll, named by a number. It stays closed until a host opens it. */
function newPoll(model) {
  const next = () => {
    let number = 1;
    while (model.sets.has(`poll-${number}`)) number += 1;
    go("sessions", model.session.id, "questions", `poll-${number}`);
  };
  const atCheckIn =
    !model.sets.has("check-in") &&
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        onclick: () => go("sessions", model.session.id, "questions", "check-in"),
      },
      t("askAtCheckIn"),
    );
  return h(
    "div",
    { class: "tools" },
    h("button", { type: "button", class: "quiet", onclick: next }, t("newPoll")),
    atCheckIn,
  );
}

/** Copies questions from an earlier session of this meeting, or from another meeting. */
function copying(model) {
  const from = field("from", t("copyFrom"), { as: "select", options: [] });
  const made = form({
    fields: [from],
    button: t("copy"),
    send: async (values) => {
      const { items } = await post(`/api/v1/sessions/${model.session.id}/questions/copy`, {
        from: values.from,
      });
      model.take({ sets: items });
      announce(t("copied"));
      dispatchEvent(new HashChangeEvent("hashchange"));
    },
  });
  const element = h(
    "details",
    { ontoggle: fillIn },
    h("summary", {}, t("copyQuestions")),
    h("p", { class: "note" }, t("copyHint")),
    made.element,
  );
  async function fillIn() {
    if (!element.open || from.input.options.length) return;
    const [rounds, meetings] = await Promise.all([
      get(`/api/v1/meetings/${model.meeting.id}/sessions?limit=50`),
      get("/api/v1/meetings?limit=50"),
    ]);
    const sessions = new Map(rounds.items.map((one) => [one.id, one]));
    for (const meeting of meetings.items) sessions.set(meeting.latestSession.id, meeting.latestSession);
    sessions.delete(model.session.id);
    fill(
      from.input,
      [...sessions.values()].map((one) =>
        h("option", { value: one.id }, `${one.meetingName} · ${t("round", { round: one.round })}`),
      ),
    );
    made.submit.disabled = sessions.size === 0;
  }
  return element;
}
