/** Whether the tests of hard treatment take every case, or those that the usual run has time for. */

/** True in `deno task test:torture`. */
export const ALL_TORTURE = Deno.env.get("REPRISE_TORTURE") === "all";
