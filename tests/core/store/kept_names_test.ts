import assert from "node:assert/strict";
import { join } from "node:path";
import { folderNames } from "../../../lib/core/store/session_folder.ts";
import { keptNames } from "../../../lib/core/store/kept_names.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

inDirectory.test("names of folders are listed again until a change would show", (root) => {
  let [now, lists] = [0, 0];
  const list = (path: string): string[] => {
    lists++;
    return folderNames(path);
  };
  const namesAt = (time: number): readonly string[] => {
    now = time;
    return [...keptNames(root, list, () => now)].sort();
  };
  // A whole second, which no runtime rounds.
  const changed = new Date("2026-11-20T10:00:00Z");
  Deno.mkdirSync(join(root, "a"));
  Deno.utimeSync(root, changed, changed);
  assert.deepEqual(namesAt(0), ["a"]);
  // A folder that is made now may leave the time of its parent as it is.
  Deno.mkdirSync(join(root, "b"));
  Deno.utimeSync(root, changed, changed);
  assert.deepEqual(namesAt(1000), ["a", "b"]);
  assert.deepEqual(namesAt(2200), ["a", "b"]);
  assert.equal(lists, 3);
  assert.deepEqual(namesAt(9000), ["a", "b"]);
  assert.equal(lists, Deno.build.os === "linux" ? 3 : 4);

  Deno.mkdirSync(join(root, "c"));
  assert.deepEqual(namesAt(9001), ["a", "b", "c"]);
  Deno.removeSync(join(root, "a"));
  assert.deepEqual(namesAt(9002), ["b", "c"]);
});

inDirectory.test("a folder that is made anew has none of the names before", (root) => {
  const path = join(root, "sessions");
  Deno.mkdirSync(join(path, "a"), { recursive: true });
  for (const time of [0, 3000]) keptNames(path, folderNames, () => time);
  Deno.removeSync(path, { recursive: true });
  assert.deepEqual(keptNames(path, folderNames, () => 3001), []);
  Deno.mkdirSync(join(path, "b"), { recursive: true });
  assert.deepEqual(keptNames(path, folderNames, () => 9000), ["b"]);
});
