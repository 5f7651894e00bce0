// The state of a session: folds the frames of its room, and notifies the listeners of the changed parts.
import { boardAfter, emptyBoard } from "/audience.js";

/** Returns the texts of a question after a part of a frame, the newest first. */
function textsAfter(known, { questionId, set, moderation, complete, items, removed }) {
  const gone = new Set([...removed, ...items.map(({ id }) => id)]);
  const kept = complete ? [] : (known.get(questionId)?.texts ?? []).filter(({ id }) => !gone.has(id));
  const rank = ({ at, id }) => `${at} ${id}`;
  const texts = [...items, ...kept].sort((one, other) => (rank(one) < rank(other) ? 1 : -1));
  return { questionId, set, moderation, texts };
}

/** Returns the address of the code's picture: with each call a new one, so that the browser loads it. */
export const pictureOf = (id) => `/api/v1/sessions/${id}/qr.svg?of=${Date.now()}`;

export class SessionModel {
  #listeners = [];
  // The number of updates that the room has sent, and for each part the number of the last update that
  // changed it.
  #updates = 0;
  #changedBy = new Map();

  constructor(session, picture) {
    this.session = session;
    // The session's meeting, which is read later, so that the code is shown first.
    this.meeting = null;
    // The element with the picture of the code.
    this.picture = picture;
    this.attendance = session.attendance;
    // The URL of the code that the picture shows.
    this.pictured = session.checkInUrl;
    this.code = session.checkInUrl ? { url: session.checkInUrl, joinCode: session.joinCode } : null;
    this.tallies = new Map();
    this.sets = new Map();
    this.arrivals = [];
    this.board = emptyBoard;
    // For each question that takes texts: its set, when texts are checked, and its newest texts.
    this.texts = new Map();
    this.sequence = 0;
  }

  get isHost() {
    return ["owner", "host"].includes(this.meeting?.role);
  }

  /** Whether this host can ask everybody a question now. */
  get canAsk() {
    return this.isHost && ["doors", "running"].includes(this.session.phase);
  }

  /** Sets the meeting, which decides what the host may do. */
  setMeeting(meeting) {
    this.meeting = meeting;
    this.#notify({}, new Set(["session"]));
  }

  /**
   * Calls `listener` when one of `parts` changes: "session", "attendance", "tallies", "sets", "arrivals",
   * "changed", "code", "board", "texts", "matching",
   * "reload" or "joined". Returns a function that stops it.
   */
  on(parts, listener) {
    const entry = { parts: new Set(parts), listener };
    this.#listeners.push(entry);
    return () => (this.#listeners = this.#listeners.filter((one) => one !== entry));
  }

  /** Takes an update of the room. */
  take(update) {
    this.#updates += 1;
    const { snapshot = {}, session, attendance, feedback, sets = [], removedSets = [] } = update;
    const parts = {
      session: session ?? snapshot.session,
      attendance: attendance ?? session ?? snapshot.session,
      feedback: feedback ?? session ?? snapshot.session,
    };
    // A set that a snapshot lacks was deleted.
    const gone = snapshot.sets ? [...this.sets.keys()] : removedSets;
    const names = [...gone, ...[...sets, ...(snapshot.sets ?? [])].map(({ set }) => set)];
    for (const [part, value] of Object.entries(parts)) if (value) this.#changedBy.set(part, this.#updates);
    for (const name of names) this.#changedBy.set(`set ${name}`, this.#updates);
    this.#apply(update);
  }

  /**
   * Takes the answer to a request, as `updateOf` returns it: with a `session`, `sets` or `removedSets`. The
   * answer may be older than what the room has sent meanwhile: of two states of the same version, the room's
   * stays. Returns the answer.
   */
  async takeAnswer(request, updateOf) {
    const since = this.#updates;
    const answer = await request;
    const isNewer = (part, one, known) => {
      if (known && one.version !== known.version) return one.version > known.version;
      return (this.#changedBy.get(part) ?? 0) <= since;
    };
    const { session, sets, removedSets } = updateOf(answer);
    const update = { removedSets };
    if (session && isNewer("session", session, this.session)) {
      const { attendance, feedback } = this.session;
      update.session = {
        ...session,
        ...(!isNewer("attendance", session, this.session) && { attendance }),
        ...(!isNewer("feedback", session, this.session) && { feedback }),
      };
    }
    update.sets = sets?.filter((one) => isNewer(`set ${one.set}`, one, this.sets.get(one.set)));
    this.#apply(update);
    return answer;
  }

  #apply(update) {
    const changed = new Set();
    this.sequence = Math.max(this.sequence, update.sequence ?? 0);
    const { snapshot } = update;
    if (snapshot) {
      this.#setSession(snapshot.session);
      this.tallies = new Map((snapshot.tallies ?? []).map((tally) => [tally.questionId, tally]));
      this.arrivals = snapshot.arrivals ?? [];
      if (snapshot.code) this.code = snapshot.code;
      if (snapshot.sets) this.sets = new Map();
      this.texts = new Map();
      this.#takeSets(snapshot.sets);
      for (const part of ["session", "attendance", "tallies", "sets", "arrivals", "code", "reload"])
        changed.add(part);
    }
    if (update.joined) changed.add("joined");
    if (update.session) {
      // A new phase changes everybody's status (awaited to absent), as an edit can; frames do not list these
      // changes.
      if (update.session.phase !== this.session.phase || update.session.version !== this.session.version)
        changed.add("reload");
      this.#setSession(update.session);
      changed.add("session").add("attendance");
    }
    if (update.removedSets) {
      for (const name of update.removedSets) this.sets.delete(name);
      for (const [id, { set }] of this.tallies)
        if (update.removedSets.includes(set)) {
          this.tallies.delete(id);
          this.texts.delete(id);
        }
      changed.add("sets").add("tallies").add("texts");
    }
    if (update.sets) {
      this.#takeSets(update.sets);
      changed.add("sets");
    }
    if (update.attendance) {
      this.attendance = update.attendance;
      changed.add("attendance");
    }
    if (update.feedback) {
      this.session = { ...this.session, feedback: update.feedback };
      changed.add("session");
    }
    if (update.arrivals) {
      // The arrivals are in order, and only the newest 50 are stored.
      this.arrivals = [...this.arrivals, ...update.arrivals].slice(-50);
      changed.add("arrivals");
    }
    if (update.changed || update.removed) {
      const now = new Map((update.changed ?? []).map((attendee) => [attendee.id, attendee]));
      const gone = new Set(update.removed ?? []);
      this.arrivals = this.arrivals.filter((one) => !gone.has(one.id)).map((one) => now.get(one.id) ?? one);
      changed.add("arrivals").add("changed");
    }
    if (update.arrivalsOmitted) changed.add("reload");
    if (update.tally) {
      this.tallies.set(update.tally.questionId, update.tally);
      changed.add("tallies");
    }
    const part = snapshot?.audienceQuestions ?? update.audienceQuestions;
    if (part) {
      this.board = boardAfter(this.board, part);
      changed.add("board");
    }
    const moderated = snapshot?.moderated ?? update.moderated;
    if (moderated) {
      for (const one of moderated) this.texts.set(one.questionId, textsAfter(this.texts, one));
      changed.add("texts");
    }
    if (update.matching) changed.add("matching");
    if (update.code) {
      this.code = update.code;
      changed.add("code");
    }
    this.#notify(update, changed);
  }

  #notify(update, changed) {
    for (const { parts, listener } of [...this.#listeners]) {
      if ([...changed].some((part) => parts.has(part))) listener(update, changed);
    }
  }

  #takeSets(sets) {
    for (const set of sets ?? []) this.sets.set(set.set, set);
  }

  #setSession(session) {
    this.session = session;
    this.attendance = session.attendance;
  }
}
