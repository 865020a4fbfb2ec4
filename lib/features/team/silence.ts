/** Milliseconds after which a host that accepts a connection and says nothing is given up. */
export const SILENCE_MS = 20_000;
