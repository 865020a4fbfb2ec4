/** A copy of a Windows home is read here as on Windows, whose output `expected.txt` has. */
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { CliHome } from "../_support/cli_home.ts";
import { expectedOutputs, sameOutputs, WINDOWS_HOME } from "./daily_home.ts";
import { onUnix } from "../_support/tests_in.ts";

// Slow: ten commands, one after the other.
onUnix.test("a copied Windows home gives the lists and exports of Windows", async () => {
  await using home = new CliHome();
  cpSync(WINDOWS_HOME, home.path, { recursive: true });
  const cwd = join(home.path, "src", "shop");
  const said = await sameOutputs((words) => home.run(words, { cwd }), home.path);
  assert.equal(said, expectedOutputs());
});
