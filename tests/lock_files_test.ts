import assert from "node:assert/strict";
import { sourcesIn } from "./_support/source_code.ts";

interface Lock {
  specifiers: Record<string, string>;
  npm: Record<string, { dependencies?: string[] }>;
}

/** Returns a package's entry with its dependencies' versions, which are left out of unique names. */
function entryIn({ npm }: Lock, name: string): unknown {
  const entry = npm[name];
  const dependencies = entry?.dependencies?.map((wanted) =>
    Object.keys(npm).filter((id) => id === wanted || id.startsWith(`${wanted}@`))
  );
  return { ...entry, dependencies };
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
  for (const name of Object.keys(program.npm)) {
    assert.deepEqual(entryIn(program, name), entryIn(tests, name), name);
  }
  const { length } = Object.keys(program.npm);
  assert.ok(length > 20 && length < Object.keys(tests.npm).length / 2, `${length} packages`);
});
