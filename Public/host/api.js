// Calls the API for the host's page. Cookies that no script can read carry the sign-in.
import { newKey } from "/key.js";
import { announce, h } from "./dom.js";
import { language, t } from "./words.js";

/**
 * The error that the server refused a request. `message` explains the reason and what to do. `fields`
 * contains the message of each invalid field.
 */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || String(status));
    this.status = status;
    this.code = body.code;
    this.title = body.title;
    this.body = body;
    this.fields = new Map((body.errors || []).map((error) => [error.field, error.message]));
  }
}

/** The error that the network failed. It is unknown whether the server has handled the request. */
export class NotSent extends Error {}

/** A script could not be loaded, or does not run because the server was updated after the page was opened. */
export class NotLoaded extends NotSent {}

/** The idempotency keys of unanswered requests, by path and body. */
const unanswered = new Map();

/** The problems that end a sign-in for a reason that the page shows. */
const endings = ["sign_in_ended", "account_suspended", "account_withdrawn"];

let renewal = null;
let whenSignedOut = () => {};

/** Sets the function that is called when the sign-in has ended and cannot be renewed. */
export function onSignedOut(listener) {
  whenSignedOut = listener;
}

/** Returns the entity tag of an object with a version. */
export const tagOf = (seen) => `"v${seen.version}"`;

/** Returns the condition of an edit: the version that was read, or that there was none. */
const condition = (etag) => (etag ? { "If-Match": etag } : { "If-None-Match": "*" });

/**
 * Sends a request and returns the JSON of the response, or null if the response has none. For a PATCH or PUT,
 * `etag` is the entity tag of the version that the page has read. Throws `Problem` or `NotSent`.
 */
export async function call(method, path, { body, etag, raw, mayBeNobody, headers = {} } = {}) {
  const answer = await send(method, path, { body, etag, mayBeNobody, headers });
  if (raw) return answer;
  if (answer.status === 204) return null;
  const found = await answer.json();
  // The entity tag is stored with the object, for the next edit of the object.
  const tag = answer.headers.get("ETag");
  if (tag && found && typeof found === "object")
    Object.defineProperty(found, "etag", { value: tag, enumerable: false });
  return found;
}

/** Waits for a script. Throws `NotLoaded`. */
export async function loaded(script) {
  try {
    return await script;
  } catch {
    throw new NotLoaded();
  }
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, { body });

/** Yields the items of a list, page by page. */
export async function* pages(path) {
  const join = path.includes("?") ? "&" : "?";
  let cursor = null;
  do {
    const page = await get(`${path}${join}limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
    yield page.items;
    cursor = page.nextCursor;
  } while (cursor);
}

/**
 * Notes in the browser's storage that the host has signed in. Without this note, the page does not try to
 * renew.
 */
const mark = "qring-signed-in";
let isSignedIn = document.body.dataset.signedIn === "true";

/** Whether the server has found a sign-in, which may have ended meanwhile. */
export const mayBeSignedIn = () => isSignedIn;

function hadSignedIn() {
  try {
    return localStorage.getItem(mark) !== null;
  } catch {
    return false;
  }
}

function remember(isIn) {
  isSignedIn = isIn;
  try {
    if (isIn) localStorage.setItem(mark, "");
    else localStorage.removeItem(mark);
  } catch {
    // If the browser forbids storage, the host must sign in again after the sign-in has expired.
  }
}

export async function signIn(email, password) {
  await post("/host/sign-in", { email, password, client: "web" });
  remember(true);
}

/** Returns `isNewAccount`. */
export async function signInByPhone(phone, code, handle) {
  const answer = await post("/host/phone-sign-in", { phone, code, handle, client: "web" });
  remember(true);
  return answer;
}

export async function signOut() {
  try {
    await post("/host/sign-out");
  } catch (error) {
    // If the network failed, the host is still signed in. If the server refused, the sign-in has already
    // ended.
    if (!(error instanceof Problem)) throw error;
  }
  remember(false);
}

/** Returns the account, or null if nobody is signed in. Sends no request if there was no sign-in. */
export async function me() {
  if (!isSignedIn && !(hadSignedIn() && (await renewed()))) {
    remember(false);
    return null;
  }
  try {
    return await call("GET", "/api/v1/me", { mayBeNobody: true });
  } catch (error) {
    if (error instanceof Problem && (error.status === 401 || endings.includes(error.code))) return null;
    throw error;
  }
}

/** Shows or removes the line that says that the server's disk is full. The server also adds it to pages. */
function noteStorage(isFull) {
  const line = document.querySelector(".storage");
  if (!isFull) return line?.remove();
  if (!line)
    document.getElementById("main").before(h("p", { class: "storage", role: "status" }, t("storageFull")));
}

/** With `mayBeNobody`, a 401 does not open the sign-in, because the caller need not be signed in. */
async function send(method, path, { body, etag, mayBeNobody, headers }, isAgain = false) {
  const all = { Accept: "application/json", "Accept-Language": language, ...headers };
  if (body !== undefined && !all["Content-Type"]) all["Content-Type"] = "application/json";
  if (etag || ["PATCH", "PUT"].includes(method)) Object.assign(all, condition(etag));
  const sent = all["Content-Type"] === "application/json" ? JSON.stringify(body) : body;
  // The key stays the same until there is a response, so that a repeated POST never creates two meetings.
  const wish = method === "POST" && path.startsWith("/api/") ? `${path} ${sent}` : null;
  if (wish && !all["Idempotency-Key"]) all["Idempotency-Key"] = unanswered.get(wish) ?? newKey();
  let answer;
  try {
    answer = await fetch(path, { method, headers: all, body: sent });
  } catch {
    if (wish) unanswered.set(wish, all["Idempotency-Key"]);
    throw new NotSent();
  }
  unanswered.delete(wish);
  noteStorage(answer.headers.get("QRing-Storage") === "full");
  if (answer.ok) return answer;
  const problem = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : {};
  if (endings.includes(problem.code) && isSignedIn) {
    announce(problem.detail);
    remember(false);
    whenSignedOut();
  }
  // Do not repeat a wrong password: the server would count it twice.
  const mayRenew = ["not_signed_in", "token_expired"].includes(problem.code);
  if (mayRenew && !isAgain && path.startsWith("/api/")) {
    if (await renewed()) return send(method, path, { body, etag, mayBeNobody, headers: all }, true);
    remember(false);
    if (!mayBeNobody) whenSignedOut();
  }
  throw new Problem(answer.status, problem);
}

/**
 * Renews the sign-in. Only one renewal runs at a time. If the server has ended the sign-in for security
 * reasons, the page shows the reason.
 */
function renewed() {
  renewal ??= fetch("/host/renew", { method: "POST", headers: { "Accept-Language": language } })
    .then(async (answer) => {
      if (answer.status === 401 || answer.status === 403) {
        const problem = await answer.json();
        if (endings.includes(problem.code)) announce(problem.detail);
      }
      return answer.ok;
    })
    .catch(() => false)
    .then((isRenewed) => {
      if (isRenewed) remember(true);
      return isRenewed;
    })
    .finally(() => setTimeout(() => (renewal = null), 1000));
  return renewal;
}
