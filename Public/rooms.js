// A client for the rooms of docs/protocol.md, with one connection for any number of rooms. The client
// reconnects automatically and resumes from its last position. It depends on no page, so that other projects
// can copy it.
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

export class Rooms {
  #authorize;
  #onState;
  #rooms = new Map();
  #lastID = 0;
  #socket = null;
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
    if (this.#socket?.readyState === WebSocket.OPEN) this.#askFor(name);
    return () => {
      this.#rooms.delete(name);
      this.#send({ leave: name });
    };
  }

  /** Closes the connection. The client does not reconnect. */
  close() {
    this.#end("closed");
    this.#socket?.close(1000);
  }

  #connect() {
    this.#onState({ name: "connecting" });
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/rooms`, "qring.v1");
    this.#socket = socket;
    socket.onopen = () => {
      if (this.#authorize) this.#send({ authorize: this.#authorize });
      for (const name of this.#rooms.keys()) this.#askFor(name);
      this.#listenForSilence();
    };
    socket.onmessage = (event) => {
      this.#listenForSilence();
      this.#take(JSON.parse(event.data));
    };
    socket.onclose = (event) => {
      clearTimeout(this.#watch);
      if (this.#over || this.#socket !== socket) return;
      if (final.has(event.code)) return this.#end(final.get(event.code));
      this.#wait();
    };
  }

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
    this.#send({ join: name, ...(since && { since }), id });
  }

  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #listenForSilence() {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      this.#send({ ping: Date.now() });
      this.#watch = setTimeout(() => this.#drop(), patience);
    }, silence);
  }

  /** Reconnects without waiting for the silent socket, which may take a minute to close. */
  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#wait();
  }

  #wait() {
    // All clients lost the server at the same moment. A random delay spreads their new connections.
    const wait = Math.min(firstWait * 2 ** this.#attempt++, longestWait) * (0.5 + Math.random());
    this.#onState({ name: "waiting", retryAt: Date.now() + wait });
    this.#retry = setTimeout(() => this.#connect(), wait);
  }

  #retryNow() {
    if (this.#over || this.#socket?.readyState <= WebSocket.OPEN) return;
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
