/** Tests that prove something only at their size: thousands of sessions, hundreds of megabytes. */
import { needing, type Requirement } from "./needing.ts";
import { ALL_TORTURE } from "./torture.ts";

/** True in `deno task test:all` and `deno task test:torture`. */
export const FULL_SIZE: boolean = ALL_TORTURE || Deno.env.get("REPRISE_SIZES") === "full";

/** Ends the names of these tests; `test:all` runs what has it. */
export const FULL_SIZE_MARK = "(full size)";

const SIZE: Requirement = {
  what: "its full size",
  get: "deno task test:all",
  met: FULL_SIZE,
};

/** The name of a test that `deno task test` leaves out. Say above it why it needs its size. */
export function atFullSize(
  name: string,
  ...requirements: readonly Requirement[]
): { name: string; ignore: boolean } {
  return needing(`${name} ${FULL_SIZE_MARK}`, SIZE, ...requirements);
}
