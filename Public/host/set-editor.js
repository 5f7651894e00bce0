// The editor of a set's questions, saved as a whole with the version that was read. Unsaved edits stay while
// the host opens other tabs. A closed set without answers is saved by itself.
import { go } from "./address.js";
import { ask } from "./dialog.js";
import { attempt } from "./fields.js";
import { call, get, NotSent, Problem } from "./api.js";
import { checkIn, feedback, inOrder, summaryOf, titleOf } from "./sets.js";
import { draftOf, storeDraft } from "./drafts.js";
import { announce, fill, h, setText } from "./dom.js";
import { isBilingual, newQuestion, questionEditor } from "./question-editor.js";
import { kinds } from "./question-kinds.js";
import { hasTranslation, textFields } from "./localized.js";
import { create } from "./polls.js";
import { promiseChoice } from "./promise.js";
import { setChoice } from "./rule-editor.js";
import { t } from "./words.js";

/** The pause after the last edit before a set is saved by itself, in milliseconds. */
const autosavePause = 1500;
/** The saves that are still on their way when the host leaves an editor, by session and set. */
const leftBehind = new Map();
/** Returns edits in a form in which they can be compared. An empty text is the same as none. */
const snapshot = (edits) => JSON.stringify(edits, (_, value) => (value === "" ? undefined : value));
const textsOfSet = ["title", "titles", "description", "descriptions", "next"];

export async function setEditor(model, name) {
  const { id } = model.session;
  const path = `/api/v1/sessions/${id}/questions?set=${encodeURIComponent(name)}`;
  // A set that was never saved has no version.
  let set = { questions: [], responses: 0 };
  let etag = null;
  let isSaved = false;
  let whenSaved = () => {};
  let questions = [];
  // The texts of the set. Feedback and check-in have titles in both languages; the host writes the title of a
  // poll.
  let about = {};
  // The promise, and whether answers can change. A new poll hides names, and its answers can change.
  let settings = {};
  let isBoth = false;
  /** The edits as they were read or saved, to find out whether there are unsaved ones. */
  let stored = "";
  let timer = 0;
  let saving = null;
  let isOver = false;
  const isNamed = ![feedback, checkIn].includes(name);
  const list = h("div", {});
  const locked = h("p", { class: "note" }, t("questionsLocked"));
  const problem = h("p", { class: "error", role: "alert", hidden: true });
  const save = h("button", { type: "submit" }, t("save"));
  const discard = h("button", { type: "button", class: "quiet", onclick: discardEdits }, t("discardEdits"));
  const state = h("p", { class: "saving", role: "status" });
  const adding = h(
    "div",
    { class: "tools", role: "group", "aria-label": t("addQuestion") },
    Object.keys(kinds).map((kind) =>
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
  const both = h("input", {
    type: "checkbox",
    onchange: () => {
      isBoth = both.checked;
      draw();
    },
  });
  const words = h("div", {});
  // If the clock has already opened the set, saving its first questions fixes the promise, so the host
  // chooses before that.
  const promising = h("div", {});
  const element = h(
    "form",
    {
      class: "set",
      novalidate: true,
      onsubmit: send,
      oninput: noteEdit,
      onchange: noteEdit,
      onkeydown: onKey,
    },
    h("label", { class: "choice" }, both, t("bothLanguages")),
    h("fieldset", { class: "bare", disabled: !model.isHost }, promising, words),
    locked,
    list,
    model.isHost && [adding, problem, state, h("div", { class: "buttons" }, save, discard)],
  );

  async function load() {
    // Requesting a set that was never saved would log an error in the console.
    const { items } = await get(`/api/v1/sessions/${id}/sets`);
    if (items.some((one) => one.set === name)) {
      set = await get(path);
      isSaved = true;
    }
    show();
  }

  /** Shows the stored set, or the unsaved edits of it. */
  function show() {
    takeStored();
    const draft = draftOf(id, name);
    if (draft) ({ questions, about, settings, isBoth } = draft);
    // With the version that the edits began with, the server notices what others have changed since.
    etag = draft ? draft.etag : set.etag;
    both.checked = isBoth ||= hasTranslation(about, "title", "description") || questions.some(isBilingual);
    draw();
  }

  function takeStored() {
    questions = structuredClone(set.questions);
    about = {};
    for (const field of textsOfSet) if (set[field] !== undefined) about[field] = structuredClone(set[field]);
    const promise = set.promise ?? (name === checkIn ? "named" : isNamed ? "hidden" : "anonymous");
    settings = { promise, changeable: set.changeable ?? isNamed };
    stored = snapshot({ about, questions, settings });
  }

  // MARK: Unsaved edits

  const isEdited = () => snapshot({ about, questions, settings }) !== stored;

  /** Stores the edits for the other tabs, and saves them soon if nobody can see a half-written question. */
  function noteEdit() {
    if (!model.isHost) return;
    const edited = isEdited();
    storeDraft(id, name, edited ? { questions, about, settings, isBoth, etag } : null);
    if (isOver) return;
    discard.hidden = !edited;
    if (edited) setText(state, t("unsavedEdits"));
    else if (state.textContent === t("unsavedEdits")) setText(state, "");
    clearTimeout(timer);
    if (edited && canSaveItself()) timer = setTimeout(saveItself, autosavePause);
  }

  /** Attendees see an open set, answers lock it, and its first questions fix whether it has names. */
  function canSaveItself() {
    const now = model.sets.get(name) ?? set;
    const isVisible = now.open || (name === checkIn && model.session.checkInOpen);
    return isSaved && set.questions.length > 0 && !isVisible && !now.responses && !set.responses;
  }

  async function saveItself() {
    if (saving || !canSaveItself()) return;
    try {
      await store();
      setText(state, t("savedItself"));
      // The reasons why an earlier attempt failed no longer apply.
      problem.hidden = true;
      for (const error of list.querySelectorAll(".error")) error.remove();
      for (const input of list.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
    } catch (error) {
      // An unfinished question cannot be saved yet. The edits stay unsaved until the host saves.
      if (!(error instanceof Problem) && !(error instanceof NotSent)) throw error;
    }
  }

  /** Sends the edits. The host may go on typing meanwhile: only new ids come back into the edits. */
  async function store() {
    clearTimeout(timer);
    await saving?.catch(() => {});
    const live = [...questions];
    const sent = structuredClone({ about, questions, settings });
    const body = { ...sent.about, ...chosen(sent.settings), questions: sent.questions };
    // The server puts a new poll behind the others, and names it.
    const isNewPoll = !isSaved && isNamed && questions.length > 0;
    // The switches must send the version that they show.
    const asUpdate = (edited) => ({ sets: [summaryOf(edited)] });
    saving = isNewPoll
      ? create(model, body)
      : model.takeAnswer(call("PUT", path, { body, etag }), asUpdate);
    leftBehind.set(path, saving);
    try {
      set = await saving;
    } finally {
      saving = null;
      leftBehind.delete(path);
    }
    if (set.set !== name) {
      storeDraft(id, name, null);
      return go("sessions", id, "questions", set.set);
    }
    etag = set.etag;
    isSaved = true;
    set.questions.forEach((question, index) => {
      live[index].id ??= question.id;
      sent.questions[index].id ??= question.id;
    });
    stored = snapshot(sent);
    noteEdit();
    whenSaved();
  }

  const isFixed = () => Boolean((model.sets.get(name) ?? set).anonymityFixed);

  /** Returns the settings that can be saved. The answers at the check-in always have names. */
  function chosen({ promise, changeable }) {
    if (name === checkIn) return {};
    return { ...(!isFixed() && { promise }), ...(promise !== "anonymous" && { changeable }) };
  }

  async function discardEdits() {
    const isSure = await ask({
      title: t("discardEdits"),
      content: [h("p", {}, t("discardAbout"))],
      button: t("discard"),
      isDangerous: true,
    });
    if (!isSure) return;
    clearTimeout(timer);
    storeDraft(id, name, null);
    problem.hidden = true;
    await load();
    noteEdit();
  }

  /** Enter in a choice leads to the next choice, as in a list. It never saves. */
  function onKey(event) {
    if (event.key !== "Enter" || event.isComposing || !event.target.matches("[data-choice]")) return;
    event.preventDefault();
    const group = event.target.closest("[role=group]");
    const all = [...group.querySelectorAll("[data-choice]")].filter(({ lang }) => lang === event.target.lang);
    const following = all[all.indexOf(event.target) + 1];
    if (following) following.focus();
    else if (event.target.value.trim()) group.querySelector(".add-choice")?.click();
  }

  // MARK: Drawing

  /** Returns the sets that can follow this one. */
  const followers = () =>
    inOrder(model)
      .filter((one) => ![name, checkIn].includes(one.set))
      .map((one) => [one.set, titleOf(one)]);

  function drawPromise() {
    if (name === checkIn) return fill(promising, h("p", { class: "note" }, t("promiseAbout_named")));
    const change = (changed) => {
      settings = { ...settings, ...changed };
      draw();
      noteEdit();
    };
    const choice = promiseChoice({
      id: "set-promise",
      chosen: settings.promise,
      isFixed: isFixed(),
      onchange: (promise) => {
        change({ promise, changeable: promise !== "anonymous" && isNamed });
        document.getElementById("set-promise").focus();
      },
    });
    const changeable = h("input", {
      type: "checkbox",
      checked: settings.changeable,
      disabled: settings.promise === "anonymous",
      onchange: ({ target: { checked } }) => (settings = { ...settings, changeable: checked }),
    });
    const box = h("label", { class: "choice" }, changeable, t("setChangeable"));
    fill(promising, choice.element, settings.promise !== "anonymous" && box);
  }

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
    drawPromise();
    drawWords(errors);
    fill(
      list,
      questions.length
        ? questions.map((question, index) => editor(question, index, errors))
        : h("p", { class: "empty" }, t("noQuestionsHere")),
    );
    if (focused >= 0) list.children[focused]?.querySelector("input")?.focus();
    noteEdit();
  }

  function editor(question, index, errors) {
    const isLocked = set.responses > 0;
    const moveTo = (place, focus) => {
      if (isLocked || place < 0 || place >= questions.length || place === index) return;
      const [one] = questions.splice(index, 1);
      questions.splice(place, 0, one);
      draw();
      focus(list.children[place]);
    };
    const move = (by) =>
      moveTo(index + by, (moved) => {
        const buttons = moved.querySelectorAll(":scope > .tools button:not([disabled])");
        (buttons[by < 0 ? 0 : 1] ?? buttons[0]).focus();
      });
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
      promise: settings.promise,
      others: questions.filter((one) => one.id && one.id !== question.id),
      sets: followers(),
      redraw: (focused) => draw(errors, focused),
      grip: !isLocked && questions.length > 1 && { list, moveTo },
      tools: [
        button(t("up"), () => move(-1), index === 0 || isLocked),
        button(t("down"), () => move(1), index === questions.length - 1 || isLocked),
        button(t("duplicate"), () => {
          const { id: _, name: __, ...copy } = structuredClone(question);
          // Answers that are already there have none for a new question, so it is optional and the last one.
          if (isLocked) copy.required = false;
          const place = isLocked ? questions.length : index + 1;
          questions.splice(place, 0, copy);
          draw(new Map(), place);
        }),
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
    await attempt(save, async () => {
      try {
        await store();
        // The server may have written some texts in another form.
        if (!isEdited()) takeStored();
        draw();
        setText(state, "");
        announce(t("saved"));
      } catch (error) {
        if (error instanceof Problem && error.status === 412) return showConflict();
        if (error instanceof NotSent || !(error instanceof Problem)) throw error;
        draw(error.fields);
        const indices = new Set([...error.fields.keys()].map((pointer) => pointer.split("/")[2]));
        list.children[[...indices][0] ?? -1]?.querySelector("[aria-invalid], input")?.focus();
        problem.textContent = error.message;
        problem.hidden = false;
      }
    });
  }

  /** Another host was faster. The edits stay; saving again replaces the other version. */
  async function showConflict() {
    set = await get(path);
    etag = set.etag;
    problem.textContent = t("editedMeanwhile");
    problem.hidden = false;
    noteEdit();
  }

  await leftBehind.get(path)?.catch(() => {});
  await load();
  return {
    element,
    isSaved: () => isSaved,
    /** Leaves a set that was deleted. */
    discard: () => {
      isSaved = false;
      takeStored();
      storeDraft(id, name, null);
      go("sessions", id, "questions");
    },
    /** Shows whether the promise has become fixed meanwhile. */
    showPromise: () => promising.querySelector("select")?.disabled === isFixed() || drawPromise(),
    onSaved: (listener) => (whenSaved = listener),
    end: () => {
      isOver = true;
      clearTimeout(timer);
      if (isEdited()) saveItself();
    },
  };
}
