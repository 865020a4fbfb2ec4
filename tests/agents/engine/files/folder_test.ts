import assert from "node:assert/strict";
import { join } from "node:path";
import { listFolder, readJsonObject } from "../../../../lib/agents/engine/files/folder.ts";

Deno.test("a folder lists files and folders by name, through links; one that is not there is empty", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(join(folder, "b.txt"), "x");
  await Deno.mkdir(join(folder, "a"));
  await Deno.symlink(join(folder, "b.txt"), join(folder, "link"));
  await Deno.symlink(join(folder, "gone"), join(folder, "nowhere"));
  assert.deepEqual(
    listFolder(folder).map(({ name, isFile, isDirectory }) => [name, isFile, isDirectory]),
    [["a", false, true], ["b.txt", true, false], ["link", true, false], ["nowhere", false, false]],
  );
  assert.deepEqual(listFolder(join(folder, "none")), []);
  for (const name of ["b.txt", "\0", "x".repeat(10_000)]) {
    assert.deepEqual(listFolder(join(folder, name)), []);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a file that is no JSON object says nothing", async () => {
  const path = await Deno.makeTempFile();
  for (const [content, expected] of [['{"a":1}', { a: 1 }], ["[1]", {}], ["{", {}]] as const) {
    await Deno.writeTextFile(path, content);
    assert.deepEqual(readJsonObject(path), expected);
  }
  await Deno.remove(path);
  assert.deepEqual(readJsonObject(path), {});
});
