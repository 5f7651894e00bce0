// A client for the rooms of docs/protocol.md, with one connection for any number of rooms. The client
// reconnects automatically and resumes from its last position. If the network breaks websockets, it uses
// event streams. It depends on no page, so that other projects can copy it.
//
//   const rooms = new Rooms({ authorize: token, onState: ({ name, retryAt, reason }) => … });
//   const leave = rooms.join("session:01…", (update) => …);
//
// `onState` receives "connecting", "live", "waiting" (with `retryAt`, the time of the next attempt) and
// "over" (with `reason`; there are no more attempts). A listener receives `{ joined, now, … }` after each
// join and then every frame; `{ refused: problem }` if the server refuses the room; and `{ gone: true }` when
// the room is deleted.

const firstWait = 500;
const longestWait = 15_000;
// The server drops connections that are silent for 60 s. A phone that changes its network must notice
// earlier.
const silence = 30_000;
const patience = 10_000;
// The close codes after which the server would refuse a retry too: 1008 policy, 4001 not authorized, 4003
// room deleted.
const final = new Map([
  [1008, "policy"],
  [4001, "notAuthorized"],
  [4003, "gone"],
]);

/** One websocket for all rooms. */
class SocketLink {
  #socket;

  constructor(authorize, { opened, heard, ended }) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.#socket = new WebSocket(`${scheme}//${location.host}/rooms`, "qring.v1");
    this.#socket.onopen = () => {
      if (authorize) this.send({ authorize });
      opened();
    };
    this.#socket.onmessage = (event) => heard(JSON.parse(event.data));
    this.#socket.onclose = (event) => ended(event.code);
  }

  get isOpen() {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  send(message) {
    if (this.isOpen) this.#socket.send(JSON.stringify(message));
  }

  close() {
    this.#socket.close(1000);
  }
}

/** One event stream for each room. */
class StreamLink {
  #authorize;
  #hooks;
  // The streams by room; null while the ticket of a stream is on its way.
  #streams = new Map();
  isOpen = false;

  constructor(authorize, hooks) {
    this.#authorize = authorize;
    this.#hooks = hooks;
    queueMicrotask(() => {
      this.isOpen = true;
      hooks.opened();
    });
  }

  send(message) {
    if (message.join) this.#open(message);
    if (message.leave) this.#leave(message.leave);
  }

  close() {
    this.#end(1000);
  }

  async #open({ join, since, id }) {
    this.#streams.set(join, null);
    const ticket = await this.#ticket();
    if (!this.#streams.has(join)) return;
    if (!ticket.text) return this.#end(ticket.code);
    const query = new URLSearchParams({ ticket: ticket.text, room: join });
    if (since?.sequence !== undefined) query.set("since", `${since.epoch}:${since.sequence}`);
    const stream = new EventSource(`/rooms/events?${query}`);
    this.#streams.set(join, stream);
    stream.onmessage = (event) => {
      const message = JSON.parse(event.data);
      // The error of a stream answers its join.
      this.#hooks.heard(message.error ? { ...message, id } : message);
    };
    stream.addEventListener("ping", () => this.#hooks.heard({}));
    stream.addEventListener("closed", (event) => this.#closed(join, JSON.parse(event.data)));
    // The browser would open the same URL again, but its ticket is used up.
    stream.onerror = () => this.#end(1006);
  }

  /** Returns the text of a new ticket, or the code with which the link ends. */
  async #ticket() {
    const headers = this.#authorize ? { Authorization: `Bearer ${this.#authorize}` } : {};
    try {
      const answer = await fetch("/rooms/tickets", { method: "POST", headers });
      if (answer.ok) return { text: (await answer.json()).ticket };
      return { code: [401, 403].includes(answer.status) ? 4001 : 1006 };
    } catch {
      return { code: 1006 };
    }
  }

  #closed(room, { code, reason }) {
    this.#leave(room);
    // A refused or deleted room is no reason to leave the others.
    const isOfRoomOnly = reason === "refused" || (final.has(code) && this.#streams.size > 0);
    if (!isOfRoomOnly) this.#end(code);
  }

  #leave(room) {
    this.#streams.get(room)?.close();
    this.#streams.delete(room);
  }

  #end(code) {
    if (!this.isOpen) return;
    this.isOpen = false;
    for (const room of [...this.#streams.keys()]) this.#leave(room);
    this.#hooks.ended(code);
  }
}

export class Rooms {
  #authorize;
  #onState;
  #rooms = new Map();
  #lastID = 0;
  #link = null;
  #usesStreams = false;
  #attempt = 0;
  #retry = 0;
  #watch = 0;
  #over = false;

  constructor({ authorize = null, onState = () => {} } = {}) {
    this.#authorize = authorize;
    this.#onState = onState;
    // Retry at once when the network is back.
    addEventListener("online", () => this.#retryNow());
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && this.#retryNow(),
    );
    this.#connect();
  }

  /** Joins a room. Returns a function that leaves it. */
  join(name, listener) {
    this.#rooms.set(name, { listener, since: null, id: ++this.#lastID });
    if (this.#link?.isOpen) this.#askFor(name);
    return () => {
      this.#rooms.delete(name);
      this.#link?.send({ leave: name });
    };
  }

  /** Closes the connection. The client does not reconnect. */
  close() {
    this.#end("closed");
    this.#link?.close();
  }

  #connect() {
    this.#onState({ name: "connecting" });
    let heardOnce = false;
    const Link = this.#usesStreams ? StreamLink : SocketLink;
    const link = new Link(this.#authorize, {
      opened: () => {
        for (const name of this.#rooms.keys()) this.#askFor(name);
        this.#listenForSilence(this.#rooms.size > 0 ? patience : silence);
      },
      heard: (message) => {
        if (this.#link !== link) return;
        heardOnce = true;
        this.#listenForSilence(silence);
        this.#take(message);
      },
      ended: (code) => {
        if (this.#over || this.#link !== link) return;
        this.#link = null;
        clearTimeout(this.#watch);
        if (final.has(code)) return this.#end(final.get(code));
        // This network may break one kind of connection, so the next attempt uses the other.
        if (!heardOnce) this.#usesStreams = !this.#usesStreams;
        this.#wait();
      },
    });
    this.#link = link;
    this.#drop = () => {
      if (!heardOnce) this.#usesStreams = !this.#usesStreams;
      this.#link = null;
      link.close();
      this.#wait();
    };
  }

  /** Reconnects without waiting for the silent connection, which may take a minute to close. */
  #drop = () => {};

  #take(message) {
    if (message.joined) {
      this.#attempt = 0;
      const room = this.#rooms.get(message.joined);
      if (room) room.since = { epoch: message.epoch, sequence: message.sequence };
      this.#onState({ name: "live", recovered: message.recovered === true });
      // `now` is the server's time, for countdowns.
      room?.listener(message);
      return;
    }
    // An error without an id answers no request, and means that the room was deleted.
    if (message.left && message.id === undefined) {
      const room = this.#rooms.get(message.left);
      this.#rooms.delete(message.left);
      return room?.listener({ gone: true });
    }
    if (message.error) {
      const refused = [...this.#rooms.values()].find((room) => room.id === message.id);
      refused?.listener({ refused: message.error });
      return;
    }
    const room = this.#rooms.get(message.room);
    if (!room) return;
    if (room.since && message.sequence !== undefined) room.since.sequence = message.sequence;
    room.listener(message);
  }

  #askFor(name) {
    const { since, id } = this.#rooms.get(name);
    this.#link.send({ join: name, ...(since && { since }), id });
  }

  #listenForSilence(time) {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      this.#link?.send({ ping: Date.now() });
      this.#watch = setTimeout(() => this.#drop(), patience);
    }, time);
  }

  #wait() {
    // All clients lost the server at the same moment. A random delay spreads their new connections.
    const wait = Math.min(firstWait * 2 ** this.#attempt++, longestWait) * (0.5 + Math.random());
    this.#onState({ name: "waiting", retryAt: Date.now() + wait });
    this.#retry = setTimeout(() => this.#connect(), wait);
  }

  #retryNow() {
    if (this.#over || this.#link) return;
    clearTimeout(this.#retry);
    this.#connect();
  }

  #end(reason) {
    this.#over = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#watch);
    this.#onState({ name: "over", reason });
  }
}
