// A press lasts from the moment when a finger, a mouse button or the space bar is down on a control until the
// click. A browser gives the click to nobody, or to another control, if the pressed control has left the
// document or moved meanwhile. So everything that redraws a page by itself waits for the end of a press.

const pressable = "a, button, summary, label, input, textarea, [tabindex]";
// The controls that the space bar presses. In a field it is a letter.
const pressedBySpace = "button, summary, [type=checkbox], [type=radio]";
// A browser may forget to report the end of a press, so the page waits no longer than this, in milliseconds.
const longestPress = 5000;
// A browser reports a touch as a click up to this time after the finger has left, in milliseconds.
const tapDelay = 1000;
const heldDraws = new Map();
let isPressed = false;
let pressTimer = 0;

/**
 * Runs `draw`, or if a control is pressed, runs it after the click. Of several with the same `key`, only the
 * last one runs.
 */
export function afterPress(key, draw) {
  heldDraws.delete(key);
  if (isPressed) heldDraws.set(key, draw);
  else draw();
}

function beginPress({ target, key }) {
  if (!target.closest?.(key ? pressedBySpace : pressable)) return;
  isPressed = true;
  endPressIn(longestPress);
}

function endPressIn(time) {
  clearTimeout(pressTimer);
  pressTimer = setTimeout(endPress, time);
}

function endPress() {
  clearTimeout(pressTimer);
  isPressed = false;
  const draws = [...heldDraws.values()];
  heldDraws.clear();
  for (const draw of draws) {
    try {
      draw();
    } catch (error) {
      reportError(error);
    }
  }
}

const isSpace = (event) => event.key === " ";
addEventListener("pointerdown", beginPress, true);
addEventListener("keydown", (event) => isSpace(event) && beginPress(event), true);
// The click of a mouse or of the space bar comes in the same task as the release.
addEventListener("keyup", (event) => isPressed && isSpace(event) && endPressIn(0), true);
addEventListener(
  "pointerup",
  ({ pointerType }) => isPressed && endPressIn(pointerType === "mouse" ? 0 : tapDelay),
  true,
);
// What the click itself draws does not wait; it replaces what has waited for the same key.
addEventListener(
  "click",
  () => {
    if (!isPressed) return;
    isPressed = false;
    endPressIn(0);
  },
  true,
);
addEventListener("pointercancel", () => isPressed && endPress(), true);
addEventListener("blur", ({ target }) => target === window && isPressed && endPress());
