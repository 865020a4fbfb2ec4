import assert from "node:assert/strict";
import { join } from "node:path";
import { sessionId, testsAtHome } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { UNIX } from "../_support/needing.ts";

testsAtHome(UNIX).test(
  "a link that was left in the old place leads to the same sessions",
  async (home) => {
    const now = join(home.path, "now");
    home.keep(sessionId("aaaa"), [user("behind the link")], { cwd: home.work });
    Deno.renameSync(home.work, now);
    Deno.symlinkSync(now, home.work);
    await home.succeed(["relink", home.work, now]);
    for (const cwd of [now, home.work]) {
      const { stdout } = await home.succeed(["list", "--json", "--cwd", cwd]);
      assert.equal(JSON.parse(stdout).title, "behind the link");
    }
  },
);
