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

/** Remembers the present view, for `openRememberedView`. */
export function rememberView() {
  wanted = location.hash;
}

/** Opens the view that was remembered, or the first view. */
export function openRememberedView() {
  location.hash = wanted || "/";
  wanted = "";
}
