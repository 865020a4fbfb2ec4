/** A copy of a Windows home is read here as on Windows, whose output `expected.txt` has. */
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { CliHome } from "../_support/cli_home.ts";
import { expectedOutputs, sameOutputs, WINDOWS_HOME } from "./daily_home.ts";
import { onUnix } from "../_support/tests_in.ts";

// Slow: a dozen commands, one after the other.
onUnix.test("a copied Windows home gives the lists, exports and blame of Windows", async () => {
  await using home = new CliHome();
  cpSync(WINDOWS_HOME, home.path, { recursive: true });
  const cwd = join(home.path, "src", "shop");
  const said = await sameOutputs((words) => home.run(words, { cwd }), home.path);
  assert.equal(said, expectedOutputs());
  const { stdout, stderr } = await home.run(["blame", "price.ts"], { cwd });
  assert.match(stdout, /^1 likely /);
  assert.match(stderr, /^Lines from C:\\Users\\ada\\src\\shop are only likely/m);
  const [, hint = ""] = /(reprise relink .*)$/m.exec(stderr) ?? [];
  assert.equal(hint, `reprise relink 'C:\\Users\\ada\\src\\shop' ${cwd}`);
  await home.succeed(["relink", "C:\\Users\\ada", home.path], { cwd });
  const { stdout: proven } = await home.succeed(["blame", "price.ts"], { cwd });
  assert.match(proven, /^1 proven .*#4 .*\n2 proven .*#8 .*\n3 proven .*#4 .*\n$/);
});
