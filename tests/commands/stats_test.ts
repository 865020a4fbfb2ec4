import assert from "node:assert/strict";
import { inHome, sessionId } from "../_support/cli_home.ts";

// Slow: a time zone needs a process of its own.
inHome.test("a day is the reader's own where it is given to stats, and where stats counts", async (home) => {
  const payload = { content: "It is morning in Tokyo", usage: { input: 1, output: 1 } };
  home.keep(sessionId("aaaa"), [{ kind: "assistant_message", payload }]);
  const { stdout } = await home.run(["stats", "--json", "--since", "2026-11-22"], {
    env: { TZ: "Asia/Tokyo" },
  });
  assert.match(stdout, /^\{"group":"2026-11-22","sessions":1,/);
});
