/**
 * When Keen Code deletes sessions (internal/cleanup/cleanup.go, since 0.40.0): at its start, those
 * whose transcript was not changed for 14 days. It has no setting for it.
 */
import type { Expiry } from "../../source/expiry.ts";

/** The rule in force. */
export function keenExpiry(): Expiry {
  return { after_days: 14, measured_by: "mtime" };
}
