import assert from "node:assert/strict";
import { lockCatalogue } from "../../../lib/library/catalogue/replace_file.ts";
import { FaultyFiles } from "../../_support/faulty_files.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

/** Takes the lock and lets it go, while one call fails; gives the calls. */
function lockOnce(root: string, failing = 0): string[] {
  using files = new FaultyFiles(root, failing);
  lockCatalogue(root)[Symbol.dispose]();
  return files.calls.map(({ name }) => name);
}

// The test's own runtime tells of a file that is left open.
inDirectory.test("a lock that the system refuses leaves no file open", (root) => {
  lockOnce(root);
  const at = 1 + lockOnce(root).indexOf("file.tryLockSync");
  assert.ok(at > 0);
  assert.throws(() => lockOnce(root, at), /No locks available/);
  lockOnce(root);
});
