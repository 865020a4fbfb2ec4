import assert from "node:assert/strict";
import { sourcesIn } from "./_support/source_code.ts";

interface Lock {
  specifiers: Record<string, string>;
  npm: Record<string, unknown>;
}

async function lockFile(path: string): Promise<Lock> {
  return JSON.parse(await Deno.readTextFile(new URL(`../${path}`, import.meta.url)));
}

/** The packages that files import, as a lock file names them. */
function packagesOf(...folders: string[]): string[] {
  const found = folders.flatMap((folder) => sourcesIn(folder)).flatMap(([, text]) =>
    [...text.matchAll(/"(npm:(?:@[^/"]+\/)?[^@/"]+@[\d.]+)[/"]/g)].map(([, name = ""]) => name)
  );
  return [...new Set(found)].sort();
}

Deno.test("deno.lock has the packages of the program alone, each as the tests have it", async () => {
  const [program, tests] = await Promise.all(["deno.lock", "tests/deno.lock"].map(lockFile));
  assert.ok(program !== undefined && tests !== undefined);
  assert.deepEqual(Object.keys(program.specifiers).sort(), packagesOf("lib/", "commands/"));
  for (const [name, entry] of Object.entries(program.npm)) {
    assert.deepEqual(entry, tests.npm[name], name);
  }
  const { length } = Object.keys(program.npm);
  assert.ok(length > 20 && length < Object.keys(tests.npm).length / 2, `${length} packages`);
});
