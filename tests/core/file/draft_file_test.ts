/** Holds the names of drafts, and what becomes of those that a kill left. */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { draftPath, isDraftInUse } from "../../../lib/core/file/draft_file.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/** No system gives a process this id. */
const NO_PROCESS = "4194308001";

inDirectory.test("the draft of an ended process is removed by the next writer of the folder", (folder) => {
  Deno.mkdirSync(join(folder, "elsewhere"));
  const own = basename(draftPath(join(folder, "elsewhere", "one.json")));
  const left = own.replace(/-\d+-/, `-${NO_PROCESS}-`);
  for (const name of [own, left, `${left}.unpacked`, "draft.tmp"]) {
    Deno.writeTextFileSync(join(folder, name), "half");
  }
  assert.deepEqual([own, left].map((name) => isDraftInUse(join(folder, name))), [true, false]);
  const next = draftPath(join(folder, "two.json"));
  assert.deepEqual(namesIn(folder), [own, "draft.tmp", "elsewhere"].sort());
  assert.ok(isDraftInUse(next) && next.startsWith(join(folder, ".two.json.reprise-")));
});

inDirectory.test("the draft of another host is removed an hour after its last change", (folder) => {
  const name = (host: string): string => join(folder, `.a.reprise-${host}-1-0123456789ab.tmp`);
  const paths = [name("0123abcd"), name("00000000")];
  for (const path of paths) Deno.mkdirSync(path);
  assert.deepEqual(paths.map(isDraftInUse), [true, true]);
  const before = new Date(Date.now() - 3_700_000);
  for (const path of paths) Deno.utimeSync(path, before, before);
  draftPath(join(folder, "a"));
  assert.deepEqual(namesIn(folder), []);
});
