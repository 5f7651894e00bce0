// The token of a link that opens a screen without a sign-in. It is in the fragment, which no server sees.

/**
 * Moves the token from the address bar to the tab's storage, so that a photo of the screen does not contain
 * it. Returns the token, also after a reload; null if the page was opened without one.
 */
export function tokenOfLink(key) {
  if (location.hash.length > 1) {
    sessionStorage.setItem(key, location.hash.slice(1));
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(key);
}
