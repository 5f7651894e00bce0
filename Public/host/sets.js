// The question sets of a session: feedback, check-in questions and polls; their titles, and a choice of them.
import { textIn } from "/phrase.js";
import { byPlace, feedback } from "/tallies.js";
import { hrefOf } from "./address.js";
import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { draftOf, onDrafts } from "./drafts.js";
import { language, t } from "./words.js";

export { feedback } from "/tallies.js";
export const checkIn = "check-in";

/** Loads the sets, if the room has not sent them yet. */
export async function loadSets(model) {
  if (model.sets.size) return;
  await readSets(model);
}

/** Reads the sets again, after another host was faster. */
export const readSets = (model) =>
  model.takeAnswer(get(`/api/v1/sessions/${model.session.id}/sets`), ({ items }) => ({ sets: items }));

/** Returns the title of a set. A poll without one is called by its first question, or by its number. */
export function titleOf(set) {
  const title = textIn(language, set.title, set.titles);
  if (title) return title;
  if (set.set === feedback) return t("set_feedback");
  if (set.set === checkIn) return t("set_checkIn");
  const heading = textIn(language, set.heading, set.headings);
  if (heading) return heading;
  const number = numberOf(set.set);
  return number ? t("pollNumber", { number }) : set.set;
}

const numberOf = (name) => Number(/^poll-(\d+)$/.exec(name)?.[1] ?? 0);
export const isPoll = ({ set }) => ![feedback, checkIn].includes(set);

/** Returns the address of a page that shows a set as attendees see it. */
export const previewOf = (model, name) =>
  `/api/v1/sessions/${model.session.id}/preview.html?set=${encodeURIComponent(name)}&lang=${language}`;

/** Returns the name that the server gives to the next poll. */
export const nextPollName = (model) => `poll-${Math.max(0, ...[...model.sets.keys()].map(numberOf)) + 1}`;

/** Returns the set as the list of sets has it. */
export function summaryOf(set) {
  const [first] = set.questions;
  const heading = set.title
    ? { heading: set.title, headings: set.titles }
    : { heading: first?.title, headings: first?.titles };
  return { ...set, ...heading, questions: set.questions.length };
}

/** Returns the sets in order. Feedback is there even if it is empty; other sets need questions. */
export function inOrder(model) {
  const isThere = (one) => one.questions || one.responses || one.set === feedback;
  const all = [...model.sets.values()].filter(isThere);
  if (!model.sets.has(feedback))
    all.push({
      set: feedback,
      questions: 0,
      responses: 0,
      open: false,
      shared: false,
      promise: "anonymous",
      anonymous: true,
      anonymityFixed: false,
      position: 0,
    });
  return all.sort(byPlace);
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
            key: set.set,
            href: hrefOf("sessions", model.session.id, tab, set.set),
            "aria-current": set.set === current ? "true" : null,
          },
          titleOf(set),
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
