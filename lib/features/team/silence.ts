/** Milliseconds to wait for a host that accepts a connection and then sends nothing. */
export const SILENCE_MS = 20_000;
