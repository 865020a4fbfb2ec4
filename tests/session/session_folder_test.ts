import assert from "node:assert/strict";
import { join } from "node:path";
import { SessionError } from "../../lib/event/session_error.ts";
import { LOG_FILE, sessionFolders, sessionsDirectory } from "../../lib/session/session_folder.ts";
import { folderName } from "../../lib/session/session_id.ts";
import { namespaceOf } from "../../lib/workspace/namespace.ts";
import { withDirectory } from "../_support/temp_directory.ts";
import { needing, UNIX } from "../_support/needing.ts";

const ID = "0f8e6a52-7c1d-4b39-9e40-d5a2c7b81f63";
const CREATED = new Date("2026-11-21T20:21:50.004Z");

Deno.test("folders are found by the digest of the directory, never by the slug", async () => {
  await withDirectory((root) => {
    assert.deepEqual(sessionFolders(root), []);
    const digest = namespaceOf("/home/ada").slice(-11);
    for (const namespace of ["home-ada" + digest, "renamed-rule" + digest, "home-ada-0000000000"]) {
      Deno.mkdirSync(join(sessionsDirectory(root), namespace, folderName(CREATED, ID)), {
        recursive: true,
      });
    }
    const found = sessionFolders(root, "/home/ada");
    assert.equal(found.length, 2);
    assert.equal(sessionFolders(root).length, 3);
    const [folder] = found;
    assert.deepEqual([folder?.session_id, folder?.created_at], [ID, CREATED.toISOString()]);
    assert.equal(folder?.path, join(folder?.directory ?? "", LOG_FILE));
  });
});

Deno.test(needing("files, links and folders of another form are no sessions", UNIX), async () => {
  await withDirectory((root) => {
    const namespace = join(sessionsDirectory(root), namespaceOf("/home/ada"));
    Deno.mkdirSync(join(namespace, "notes"), { recursive: true });
    Deno.writeTextFileSync(join(namespace, folderName(CREATED, ID)), "a file");
    Deno.writeTextFileSync(join(sessionsDirectory(root), "file"), "");
    Deno.mkdirSync(join(root, "outside", folderName(CREATED, ID)), { recursive: true });
    Deno.symlinkSync(join(root, "outside"), join(sessionsDirectory(root), "link-0123456789"));
    assert.deepEqual(sessionFolders(root), []);
  });
});

Deno.test("a store whose sessions are no folder has none; one where they are a link says so", async () => {
  await withDirectory((root) => {
    Deno.writeTextFileSync(sessionsDirectory(root), "");
    assert.deepEqual(sessionFolders(root), []);
    if (Deno.build.os === "windows") return;
    Deno.removeSync(sessionsDirectory(root));
    Deno.symlinkSync(sessionsDirectory(root), sessionsDirectory(root));
    assert.throws(() => sessionFolders(root), (error) => {
      return error instanceof SessionError && error.code === "unsafe-store";
    });
  });
});
