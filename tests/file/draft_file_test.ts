/** Holds the names of drafts, and what becomes of those that a kill left. */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { draftPath, isDraftInUse } from "../../lib/file/draft_file.ts";
import { inDirectory } from "../_support/temp_directory.ts";

const MODULE = new URL("../../lib/file/draft_file.ts", import.meta.url).href;

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/** Returns the name that a process gave a draft, which has ended. */
async function draftOfAnother(path: string): Promise<string> {
  const code = `import { draftPath } from ${JSON.stringify(MODULE)};
    Deno.writeTextFileSync(draftPath(Deno.args[0]), "half");`;
  const args = ["eval", "--no-check", code, path];
  const { success } = await new Deno.Command(Deno.execPath(), { args }).output();
  assert.ok(success);
  const [name = ""] = namesIn(join(path, "..")).filter((name) => name.includes(basename(path)));
  return name;
}

inDirectory.test("the draft of an ended process is removed by the next writer of the folder", async (folder) => {
  const left = await draftOfAnother(join(folder, "one.json"));
  const own = left.replace(/-\d+-/, `-${Deno.pid}-`);
  Deno.renameSync(join(folder, left), join(folder, own));
  assert.ok(isDraftInUse(join(folder, own)));
  Deno.writeTextFileSync(join(folder, left), "half");
  Deno.writeTextFileSync(join(folder, "draft.tmp"), "not ours");
  const next = draftPath(join(folder, "two.json"));
  assert.deepEqual(namesIn(folder), [own, "draft.tmp"].sort());
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
