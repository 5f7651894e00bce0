/**
 * Returns 128 random bits, for a request that must not be handled twice. `crypto.randomUUID` needs TLS, which
 * the network of a hall may not have.
 */
export const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
