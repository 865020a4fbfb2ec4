/** Colours at a terminal of the test's own process, which the executable cannot have. */
import assert from "node:assert/strict";
import { inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";

inHome.test("NO_COLOR, --no-color and a dumb terminal take the colours away, an empty NO_COLOR does not", async (home) => {
  home.keep(sessionId("aaaa"), [user("**bold** words"), assistant("and `code`")]);
  const cases: [Record<string, string>, string[], boolean][] = [
    [{}, [], true],
    [{ NO_COLOR: "1" }, [], false],
    [{ TERM: "dumb" }, [], false],
    [{}, ["--no-color"], false],
    [{ NO_COLOR: "" }, [], true],
  ];
  for (const [env, flags, coloured] of cases) {
    // A pager would write to the terminal of the tests.
    const lines = [["show", "aaaa", ...flags], [...flags, "list"], ["stats", ...flags]];
    for (
      const { status, stdout } of await home.runAll(lines, {
        columns: 80,
        env: { PAGER: "", ...env },
      })
    ) {
      assert.equal(status, 0);
      assert.equal(stdout.includes("\x1b["), coloured, JSON.stringify([env, flags, stdout]));
    }
  }
});
