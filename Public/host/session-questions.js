// The questions of a session: the editor of one set, new polls, and copies from another session.
import { go } from "./address.js";
import { switches } from "./set-buttons.js";
import { checkIn, chooser, feedback, inOrder, loadSets, nextPollName, previewOf, titleOf } from "./sets.js";
import { field, form } from "./fields.js";
import { get, post } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { setEditor } from "./set-editor.js";
import { publishing } from "./set-publish.js";
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
      set.promise && h("span", { class: "note" }, t(`promise_${set.promise}`)),
    ];
    fill(
      state,
      shown,
      model.isHost && editor.isSaved() && switches(model, set),
      editor.isSaved() &&
        h("a", { key: "preview", href: previewOf(model, chosen), target: "_blank" }, t("preview")),
    );
  };
  const publish = h("div", { hidden: !model.isHost || !editor.isSaved() }, publishing(model, chosen));
  editor.onSaved(() => {
    showState();
    publish.hidden = !model.isHost;
  });
  showState();
  const stop = model.on(["sets"], () => {
    // Another host, or this one in another tab, has deleted the poll.
    if (editor.isSaved() && !model.sets.has(chosen)) return editor.discard();
    showState();
    editor.showPromise();
  });
  fill(area, state, editor.element);
  return {
    end: () => {
      stop();
      editor.end();
      choosing.end();
    },
    content: [
      choosing.element,
      model.isHost && newPoll(model),
      area,
      publish,
      model.isHost && copying(model),
    ],
  };
}

/** Creates a poll, named by a number. It stays closed until a host opens it. */
function newPoll(model) {
  const next = () => go("sessions", model.session.id, "questions", nextPollName(model));
  const atCheckIn =
    !model.sets.has(checkIn) &&
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        onclick: () => go("sessions", model.session.id, "questions", checkIn),
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
      const request = post(`/api/v1/sessions/${model.session.id}/questions/copy`, { from: values.from });
      await model.takeAnswer(request, ({ items }) => ({ sets: items }));
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
