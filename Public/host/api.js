// The API as the host's page uses it: who is signed in is told by a cookie that no script sees.
import { say } from "./dom.js";
import { language } from "./words.js";

/** What the server refused, with the fields that are wrong and what to do about them. */
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

/** The network failed, or the server is overloaded: nothing is known of what became of the request. */
export class NotSent extends Error {}

/** Keys of what was sent and not answered, by what it was. */
const unanswered = new Map();

/** 128 random bits. `crypto.randomUUID` is not there on a network without TLS, such as a hall's own. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

let renewal = null;
let whenSignedOut = () => {};

/** Called when a sign-in has ended and cannot be renewed. */
export function onSignedOut(listener) {
  whenSignedOut = listener;
}

/** The tag of what carries its version. */
export const tagOf = (seen) => `"v${seen.version}"`;

/** For an edit's headers: the tag of what was seen, or that nothing was there yet. */
const condition = (etag) => (etag ? { "If-Match": etag } : { "If-None-Match": "*" });

/** Gives the answer's JSON, null for an answer without one; throws `Problem` or `NotSent`. A PATCH or PUT says by `etag` what it saw. */
export async function call(method, path, { body, etag, raw, mayBeNobody, headers = {} } = {}) {
  const answer = await send(method, path, { body, etag, mayBeNobody, headers });
  if (raw) return answer;
  if (answer.status === 204) return null;
  const found = await answer.json();
  // The tag is kept beside what it is of, so that an edit says which version it saw.
  const tag = answer.headers.get("ETag");
  if (tag && found && typeof found === "object") Object.defineProperty(found, "etag", { value: tag, enumerable: false });
  return found;
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, { body });

/** Every item of a list, page by page, at most `most`. */
export async function* pages(path) {
  const join = path.includes("?") ? "&" : "?";
  let cursor = null;
  do {
    const page = await get(`${path}${join}limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
    yield page.items;
    cursor = page.nextCursor;
  } while (cursor);
}

/** What this browser remembers of a sign-in, whose cookies no script sees: without it nothing is there to renew. */
const mark = "qring-signed-in";
let isSignedIn = document.body.dataset.signedIn === "true";

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
    // Who keeps nothing signs in again when the sign-in has run out.
  }
}

export async function signIn(email, password) {
  await post("/host/sign-in", { email, password, client: "web" });
  remember(true);
}

export async function signOut() {
  try {
    await post("/host/sign-out");
  } catch (error) {
    // Where the network failed one is still signed in; a sign-in that the server knows no more is over.
    if (!(error instanceof Problem)) throw error;
  }
  remember(false);
}

/** Null where nobody is signed in; the server is not asked what is known. */
export async function me() {
  if (!isSignedIn && !(hadSignedIn() && (await renewed()))) {
    remember(false);
    return null;
  }
  try {
    return await call("GET", "/api/v1/me", { mayBeNobody: true });
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return null;
    throw error;
  }
}

/** `mayBeNobody` where nobody need be signed in: that is an answer then, and ends nothing. */
async function send(method, path, { body, etag, mayBeNobody, headers }, isAgain = false) {
  const all = { Accept: "application/json", "Accept-Language": language, ...headers };
  if (body !== undefined && !all["Content-Type"]) all["Content-Type"] = "application/json";
  if (etag || ["PATCH", "PUT"].includes(method)) Object.assign(all, condition(etag));
  const sent = all["Content-Type"] === "application/json" ? JSON.stringify(body) : body;
  // The same key until there is an answer: what is sent again after the network failed is never two meetings.
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
  if (answer.ok) return answer;
  const problem = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : {};
  // A wrong password is not retried: the server would count it twice.
  if (problem.code === "not_signed_in" && !isAgain && path.startsWith("/api/")) {
    if (await renewed()) return send(method, path, { body, etag, mayBeNobody, headers: all }, true);
    remember(false);
    if (!mayBeNobody) whenSignedOut();
  }
  throw new Problem(answer.status, problem);
}

/** Renews the sign-in, one renewal at a time. If the server ended the sign-in for safety, the page shows the reason. */
function renewed() {
  renewal ??= fetch("/host/renew", { method: "POST", headers: { "Accept-Language": language } })
    .then(async (answer) => {
      if (answer.status === 401) {
        const problem = await answer.json();
        if (problem.code === "sign_in_ended") say(problem.detail);
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
