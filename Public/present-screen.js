// The hall's screen as a device: full screen, dark and light, black, and controls that hide.

const scheme = "qring-hall-scheme";
/** How long the controls stay after the last movement of the pointer, in milliseconds. */
const idleAfter = 5000;

/** Returns the actions of the keys. `press(key, isPressed)` shows the state of a key's button. */
export function screenKeys(press) {
  const [root, page, black] = [document.documentElement, document.body, document.getElementById("black")];
  let idle = 0;

  function showControls() {
    page.classList.remove("idle");
    clearTimeout(idle);
    idle = setTimeout(() => page.classList.add("idle"), idleAfter);
  }
  // A clicker's keys do not show the controls, because the hall would see them at every step.
  for (const kind of ["pointermove", "pointerdown", "focusin"]) addEventListener(kind, showControls);
  showControls();

  function wear(name) {
    root.dataset.scheme = name;
    press("d", name === "dark");
  }
  try {
    wear(localStorage.getItem(scheme) === "light" ? "light" : "dark");
  } catch {
    // The browser forbids storage: the screen is dark.
  }

  function toggleScheme() {
    wear(root.dataset.scheme === "dark" ? "light" : "dark");
    try {
      localStorage.setItem(scheme, root.dataset.scheme);
    } catch {
      // The next visit is dark again.
    }
  }

  function toggleBlack() {
    black.hidden = !black.hidden;
    press("b", !black.hidden);
  }
  black.addEventListener("click", toggleBlack);

  function toggleFull() {
    // The browser refuses full screen if its user has forbidden it.
    (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()).catch(() => {});
  }
  document.addEventListener("fullscreenchange", () => press("f", document.fullscreenElement !== null));

  return { d: toggleScheme, f: toggleFull, b: toggleBlack, ".": toggleBlack };
}
