import assert from "node:assert/strict";
import { CliHome } from "../_support/cli_home.ts";
import { needing, UNIX } from "../_support/needing.ts";

Deno.test(
  needing(
    "path prints a path exactly, whatever characters it has, where no terminal reads it",
    UNIX,
  ),
  async () => {
    await using home = new CliHome();
    const { stdout } = await home.run(["path"], {
      env: { REPRISE_HOME: `${home.path}/o\x1bdd é` },
    });
    assert.equal(stdout, `${home.path}/o\x1bdd é\n`);
  },
);
