/** What a test needs that a machine may not have. */

/** Something that is there or missing. */
export interface Requirement {
  /** Its name, behind "needs". */
  what: string;
  /** How to get it. */
  get: string;
  /** True where it is there. */
  met: boolean;
}

/** The name of a test, and whether it is left out: then its name says what is missing and how to get it. */
export function needing(
  name: string,
  ...requirements: readonly Requirement[]
): { name: string; ignore: boolean } {
  const missing = requirements.find(({ met }) => !met);
  if (missing === undefined) return { name, ignore: false };
  return { name: `${name} (needs ${missing.what}: ${missing.get})`, ignore: true };
}
