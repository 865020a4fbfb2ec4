import assert from "node:assert/strict";
import { inHome } from "../../_support/cli_home.ts";
import { leaksBelow, PLANTED_REFS, plantSecrets } from "../../_support/planted_secrets.ts";

// Slow: 40 secrets are looked for in ten forms in every file.
inHome.test("scrub of sessions of five agents leaves no secret in any form in any file", async (home) => {
  const planted = plantSecrets(home);
  assert.equal(new Set(planted.map(({ kind }) => kind)).size, 12);
  await home.runInOrder([["list", "--all"], ["stats", "--all"], ["search", "--all", "deploy"]]);
  assert.ok(leaksBelow(home.path, planted).length > 100);
  for (const ref of PLANTED_REFS) {
    await home.succeed(["secrets", ref, "--scrub", "--write", "--no-original"]);
  }
  assert.deepEqual(leaksBelow(home.path, planted), []);
});
