import { counted } from "../../core/event/counted.ts";

export function leftOutUndated(count: number): string {
  return count === 1
    ? "1 session is left out, because it has no date"
    : `${counted(count, "session")} are left out, because they have no date`;
}
