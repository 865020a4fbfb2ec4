/** The codes of errors that stop the push of all sessions. */
export const FATAL: ReadonlySet<string> = new Set([
  "unreachable",
  "disk-full",
  "unsupported-version",
]);
