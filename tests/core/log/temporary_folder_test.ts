import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { TemporaryFolder } from "../../../lib/core/log/temporary_folder.ts";

Deno.test("a temporary folder is private, and removes those of killed processes", () => {
  const below = Deno.makeTempDirSync();
  for (const name of ["reprise-copy-killed", "reprise-sftp-starting", "reprise-own", "other"]) {
    Deno.mkdirSync(join(below, name));
  }
  Deno.writeTextFileSync(join(below, "reprise-copy-killed", "lock"), "");
  Deno.writeTextFileSync(join(below, "reprise-copy-killed", "copy.db"), "text of a session");
  const names = (): string[] => [...Deno.readDirSync(below)].map(({ name }) => name).sort();
  {
    using first = new TemporaryFolder("repair", below);
    using second = new TemporaryFolder("open", below);
    const made = [first, second].map(({ path }) => basename(path));
    assert.deepEqual(names(), ["other", ...made, "reprise-own", "reprise-sftp-starting"].sort());
    if (Deno.build.os !== "windows") assert.equal(Deno.statSync(first.path).mode! & 0o777, 0o700);
  }
  assert.deepEqual(names(), ["other", "reprise-own", "reprise-sftp-starting"]);
  Deno.removeSync(below, { recursive: true });
});
