// The fields for a code that the server sent by mail or to a phone.
import { call, Problem } from "./api.js";
import { announce, h } from "./dom.js";
import { attempt, field } from "./fields.js";
import { moment, ownZone, serverNow } from "./time.js";
import { t } from "./words.js";

export function emailField(value) {
  return field("email", t("email"), { type: "email", autocomplete: "username", required: true, value });
}

export function codeField(label = "mailCode") {
  return field("code", t(label), {
    inputmode: "numeric",
    autocomplete: "one-time-code",
    maxlength: 100,
    required: true,
    check: (value) => (value.trim() ? null : t("codeMissing")),
  });
}

/** The handles of the codes in the mails of sign-ups on this page, by the addresses. */
const ofSignUps = new Map();

/** Remembers the handle in the answer to a sign-up, which has none if no mail was sent. */
export function rememberSignUp(email, { codeHandle }) {
  if (codeHandle) ofSignUps.set(email, codeHandle);
}

/** Returns the handle that this page knows from a sign-up with the address. */
export const handleOfSignUp = (email) => ofSignUps.get(email);

/**
 * The codes that this page requests for one address. Each message has its own handle, so that strangers
 * cannot use up the tries of its code. `earlier` is the handle of a message that the page did not request.
 */
export function codesOf(path, body, earlier) {
  // The newest first. A person may type the code of an older message.
  const handles = earlier ? [earlier] : [];
  return {
    /** Requests a code. Returns the server's answer, which has no handle if nothing was sent. */
    async request() {
      const sent = await call("POST", path, { body });
      if (sent.handle) handles.unshift(sent.handle);
      return sent;
    },
    /** Calls `send` with each handle until a code is right, and at last without a handle. */
    async show(send) {
      for (const handle of handles) {
        try {
          return await send(handle);
        } catch (error) {
          if (!(error instanceof Problem) || error.code !== "confirmation_code_not_valid") throw error;
        }
      }
      return send(undefined);
    },
  };
}

/** Returns the sentence about a requested code, the same for every address. */
export function sentText(sent, text) {
  return sent.handle ? text : t("codeNotSent", { time: moment(sent.nextMessageAt, ownZone) });
}

/** Returns the button that sends another code. It is disabled until the server would send one. */
export function sendAgain(codes, sent, text) {
  const button = h(
    "button",
    { type: "button", class: "quiet", disabled: true, onclick: () => attempt(button, send) },
    t("sendAgain"),
  );
  const wait = ({ nextMessageAt }) => {
    button.disabled = true;
    setTimeout(() => (button.disabled = false), Math.max(0, Date.parse(nextMessageAt) - serverNow()));
  };
  async function send() {
    const sent = await codes.request();
    announce(sentText(sent, text));
    wait(sent);
  }
  wait(sent);
  return button;
}
