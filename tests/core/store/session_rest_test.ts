import assert from "node:assert/strict";
import { openFiles } from "../../_support/open_files.ts";
import { user } from "../../_support/log_bytes.ts";
import { LINUX, needing } from "../../_support/needing.ts";
import { withStore } from "../../_support/temp_directory.ts";

Deno.test(needing("a hundred sessions at rest have no descriptor open", LINUX), async () => {
  await withStore(async (store, directory) => {
    const sessions = Array.from({ length: 100 }, () => store.create({ cwd: directory }));
    const open = (): number => openFiles(store.root).length;
    await Promise.all(sessions.map((session) => session.append(user("p"))));
    // A lock each, and the logs that were written last.
    assert.equal(open(), 164);
    await Promise.all(sessions.map((session) => session.rest()));
    assert.equal(open(), 0);
  });
});
