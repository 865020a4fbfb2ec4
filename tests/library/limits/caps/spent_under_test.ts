/** The time from which the costs under a cap count. */
import assert from "node:assert/strict";
import { spentUnder } from "../../../../lib/library/limits/caps/spent_under.ts";
import { openLibrary } from "../../../../lib/library/library.ts";
import { inHome, sessionId } from "../../../_support/cli_home.ts";

inHome.test("costs count from midnight under a cap of a day, and since it was set under one of a project", async (home) => {
  const set_at = "2026-11-21T09:00:01Z";
  for (
    const [at, clock] of ["20T23:59:58", "21T00:00:00", "21T08:59:58", "21T09:00:00"].entries()
  ) {
    const answer = { content: "Done", model: "m", usage: { input: 1 }, cost_usd: 10 ** at };
    home.keep(sessionId(`aaa${at}`), [{ kind: "assistant_message", payload: answer }], {
      created: new Date(`2026-11-${clock}Z`),
    });
  }
  const library = openLibrary({ root: home.store, variable: () => undefined });
  const options = { estimate: () => undefined, now: new Date("2026-11-21T12:00:00Z") };
  const usd = 1;
  for (
    const [cap, known] of [
      [{ scope: "day", usd, set_at }, 1110],
      [{ scope: "project", usd, set_at, project: home.work }, 1000],
    ] as const
  ) assert.equal((await spentUnder(library, cap, options)).cost_usd, known, cap.scope);
});
