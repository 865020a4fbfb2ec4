/** Whether the tests of hard treatment take every case, or those that the usual run has time for. */
import type { Requirement } from "./needing.ts";

/** True in `deno task test:torture`. */
export const ALL_TORTURE = Deno.env.get("REPRISE_TORTURE") === "all";

/** Time for every round. */
export const EVERY_ROUND: Requirement = {
  what: "time for every round",
  get: "deno task test:torture",
  met: ALL_TORTURE,
};
