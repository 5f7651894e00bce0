// The addresses of views: the part of the page's address after `#`.

/** Returns the address of a view: `hrefOf("sessions", id)`. */
export function hrefOf(...parts) {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

/** Opens a view: `go("sessions", id)`. */
export function go(...parts) {
  location.hash = hrefOf(...parts);
}

/** The view that the host wanted to open before the sign-in. */
let wanted = "";

/** Stores the current view for `openRememberedView`. */
export function rememberView() {
  // Two requests may find at the same time that the sign-in has ended.
  if (!location.hash.startsWith("#/sign-in")) wanted = location.hash;
}

/** Opens the stored view, or the first view if none is stored. */
export function openRememberedView() {
  location.hash = wanted || "/";
  wanted = "";
}
