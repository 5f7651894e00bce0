// The fields for a code that the server sent by mail or to a phone.
import { call } from "./api.js";
import { announce, h } from "./dom.js";
import { field } from "./fields.js";
import { t } from "./words.js";

/** The time after which the server sends another code, in milliseconds. */
const pause = 60_000;

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

/** Returns the button that sends another code. It is disabled until the server would send one. */
export function sendAgain(path, body, sent = "codeSent") {
  const button = h(
    "button",
    { type: "button", class: "quiet", disabled: true, onclick: send },
    t("sendAgain"),
  );
  const wait = () => {
    button.disabled = true;
    setTimeout(() => (button.disabled = false), pause);
  };
  async function send() {
    wait();
    await call("POST", path, { body });
    announce(t(sent));
  }
  wait();
  return button;
}
