/**
 * Tells when Keen Code will delete a session (internal/cleanup/cleanup.go, since 0.40.0). At its
 * start it deletes sessions whose transcript is unchanged for 14 days. No setting changes that.
 */
import type { Expiry } from "../../source/expiry.ts";

/** The rule in force. */
export function keenExpiry(): Expiry {
  return { after_days: 14, measured_by: "mtime" };
}
