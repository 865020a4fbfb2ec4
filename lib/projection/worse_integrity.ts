import type { Integrity } from "../event/envelope.ts";

const TRUST: readonly Integrity[] = ["verified", "unverified", "salvaged", "mismatch"];

/** What can be said of two events together: that of the one that is to be trusted less. */
export function worseIntegrity(one: Integrity, other: Integrity): Integrity {
  return TRUST.indexOf(one) > TRUST.indexOf(other) ? one : other;
}
