// Parts that the pages of doors and kiosks have in common.
import { watchCamera } from "./door-camera.js";
import { h, setText } from "./host/dom.js";
import { t } from "./words.js";

/** What has its own use for keys. */
const typing = "input:not([type=checkbox]):not([type=file]), select, textarea";

export const button = (text, onclick, name = null) =>
  h("button", { type: "button", class: name, onclick }, text);
export const line = (text, name = null) => text && h("p", { class: name }, text);

/** A moment in the time zone of a session's meeting, in the page's language. */
export const timeOf = (moment, { timeZone }) =>
  new Intl.DateTimeFormat(document.documentElement.lang, {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(new Date(moment));

/** Whether the text is that of a pass, and no name. */
export const isPassText = (text) => text.includes("/") || /^[0-9A-Z]{100,}$/i.test(text);

/**
 * Returns the button that switches the camera on and off, with a function that draws its text, and one that
 * ends the camera. While the camera starts, the button does nothing. Calls `tell` with false at each press,
 * and with true if the camera cannot be used, or if the device has ended it.
 */
export function cameraButtonOf(box, found, tell, facing) {
  let [stop, isWanted] = [null, false];
  const draw = () => setText(own, t(stop ? "stopCamera" : "startCamera"));
  function end() {
    isWanted = false;
    stop?.();
    stop = null;
    draw();
  }
  function ended() {
    end();
    tell(true);
  }
  async function toggle() {
    if (own.disabled) return;
    tell(false);
    if (stop) return end();
    own.disabled = isWanted = true;
    try {
      stop = await watchCamera(box, found, ended, facing);
    } catch {
      tell(true);
    }
    own.disabled = false;
    if (isWanted) draw();
    else end();
  }
  const own = button("", toggle);
  draw();
  return { own, draw, end };
}

/** Makes the line ready for a scanner. A tablet opens its keyboard only when somebody touches the line. */
export function focusLine(input) {
  if (matchMedia("(pointer: fine)").matches) input.focus({ preventScroll: true });
}

/** Lets letters that nothing else uses begin in this line. */
export function takeKeys(input) {
  addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
    const isLetter = key === "Process" || ([...key].length === 1 && key !== " ");
    if (isLetter && !ctrlKey && !metaKey && !altKey && !target.closest?.(typing)) input.focus();
  });
}
