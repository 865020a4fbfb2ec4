import assert from "node:assert/strict";
import { testsAtHome } from "../_support/cli_home.ts";
import { UNIX } from "../_support/needing.ts";

testsAtHome(UNIX).test(
  "path prints each character of a path where no terminal reads it",
  async (home) => {
    const store = `${home.path}/o\x1bdd é`;
    const { stdout } = await home.run(["path"], { env: { REPRISE_HOME: store } });
    assert.equal(stdout, `${store}\n`);
  },
);
