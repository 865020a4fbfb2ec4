import { counted } from "../../core/event/counted.ts";

/** Tells how many sessions a date filter leaves out because they have no date. */
export function leftOutUndated(count: number): string {
  return count === 1
    ? "1 session is left out, because it has no date"
    : `${counted(count, "session")} are left out, because they have no date`;
}
