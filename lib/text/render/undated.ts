import { counted } from "../../core/event/counted.ts";

/** Tells how many sessions a date filter leaves out because they have no date. */
export function leftOutUndated(count: number): string {
  return `left out: ${counted(count, "session")} that ${count === 1 ? "has" : "have"} no date`;
}
