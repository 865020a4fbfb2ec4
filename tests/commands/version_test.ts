import assert from "node:assert/strict";
import { inHome } from "../_support/cli_home.ts";
import configuration from "../../deno.json" with { type: "json" };

inHome.test("version tells how old the program and its prices are", async (home) => {
  const { status, stdout, stderr } = await home.run(["version"]);
  assert.deepEqual([status, stderr], [0, ""]);
  const [version, built = "", prices = ""] = stdout.split("\n");
  assert.equal(version, `reprise ${configuration.version}`);
  assert.match(
    built,
    /^(?:running from source|built from the source of \d{4}-\d\d-\d\d \((?:today|\d+ days? old)\))$/,
  );
  assert.match(prices, /^prices of \d{4}-\d\d-\d\d \((?:today|\d+ days? old)\)$/);
});
