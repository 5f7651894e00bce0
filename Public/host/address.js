// The address of a view: the part of the page's address behind `#`.

/** The address of a view, for a link: `hrefOf("sessions", id)`. */
export function hrefOf(...parts) {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

/** Opens a view: `go("sessions", id)`. */
export function go(...parts) {
  location.hash = hrefOf(...parts);
}

/** The view that the host wanted to open before the sign-in. */
let wanted = "";

/** Remembers the present view, for `goOn` after the sign-in. */
export function remember() {
  wanted = location.hash;
}

/** Opens the view that was remembered, or the first view. */
export function goOn() {
  location.hash = wanted || "/";
  wanted = "";
}
