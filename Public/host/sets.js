// The question sets of a session: feedback, check-in questions and polls; their titles, and a choice of them.
import { textIn } from "/tallies.js";
import { hrefOf } from "./address.js";
import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { draftOf, onDrafts } from "./drafts.js";
import { language, t } from "./words.js";

export const feedback = "feedback";
export const checkIn = "check-in";

/** Loads the sets, if the room has not sent them yet. */
export async function loadSets(model) {
  if (model.sets.size) return;
  const { items } = await get(`/api/v1/sessions/${model.session.id}/sets`);
  model.take({ sets: items });
}

/** Returns the title of a set. A poll without one is called by its only question, or by its number. */
export function titleOf(set, model = null) {
  const title = textIn(language, set.title, set.titles);
  if (title) return title;
  if (set.set === feedback) return t("set_feedback");
  if (set.set === checkIn) return t("set_checkIn");
  const [tally, another] = [...(model?.tallies.values() ?? [])].filter((one) => one.set === set.set);
  if (tally && !another) return textIn(language, tally.title, tally.titles);
  const number = /^poll-(\d+)$/.exec(set.set)?.[1];
  return number ? t("pollNumber", { number }) : set.set;
}

/** Returns the address of a page that shows a set as attendees see it. */
export const previewOf = (model, name) =>
  `/api/v1/sessions/${model.session.id}/preview.html?set=${encodeURIComponent(name)}&lang=${language}`;

/** Returns the first unused name of a poll. */
export function nextPollName(model) {
  let number = 1;
  while (model.sets.has(`poll-${number}`)) number += 1;
  return `poll-${number}`;
}

/** Returns the set as the list of sets has it. */
export const summaryOf = (set) => ({ ...set, questions: set.questions.length });

/**
 * Returns the sets in order: feedback, even if it is empty; then check-in; then polls by name. A poll without
 * questions was deleted.
 */
export function inOrder(model) {
  const rank = (name) => (name === feedback ? 0 : name === checkIn ? 1 : 2);
  const isThere = (one) => one.questions || one.responses || one.set === feedback;
  const all = [...model.sets.values()].filter(isThere);
  if (!model.sets.has(feedback))
    all.push({
      set: feedback,
      questions: 0,
      responses: 0,
      open: false,
      shared: false,
      anonymous: true,
      anonymityFixed: false,
    });
  return all.sort((one, other) => rank(one.set) - rank(other.set) || one.set.localeCompare(other.set));
}

/** Returns links to the sets in the open tab. */
export function chooser(model, tab, current) {
  const element = h("nav", { class: "sets", "aria-label": t("questionSets") });
  const show = () =>
    fill(
      element,
      inOrder(model).map((set) =>
        h(
          "a",
          {
            href: hrefOf("sessions", model.session.id, tab, set.set),
            "aria-current": set.set === current ? "true" : null,
          },
          titleOf(set, model),
          " ",
          h("span", { class: "note" }, t("answersCount", { count: set.responses })),
          draftOf(model.session.id, set.set) && [" ", h("span", { class: "unsaved" }, t("unsaved"))],
        ),
      ),
    );
  show();
  const stops = [model.on(["sets"], show), onDrafts(show)];
  return { element, end: () => stops.forEach((stop) => stop()) };
}
