import { join } from "node:path";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import {
  findSession,
  LOG_FILE,
  sessionFolders,
  sessionsDirectory,
} from "../../../lib/core/store/session_folder.ts";
import { folderName } from "../../../lib/core/store/session_id.ts";
import { namespaceOf } from "../../../lib/core/workspace/namespace.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";
import { needing, UNIX } from "../../_support/needing.ts";
import assert from "node:assert/strict";

const ID = "0f8e6a52-7c1d-4b39-9e40-d5a2c7b81f63";
const CREATED = new Date("2026-11-21T20:21:50.004Z");

inDirectory.test("folders are found by the digest of the directory, never by the slug", (root) => {
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

inDirectory.test("a store whose sessions are no folder has none; one where they are a link says so", (root) => {
  Deno.writeTextFileSync(sessionsDirectory(root), "");
  assert.deepEqual(sessionFolders(root), []);
  if (Deno.build.os === "windows") return;
  Deno.removeSync(sessionsDirectory(root));
  Deno.symlinkSync(sessionsDirectory(root), sessionsDirectory(root));
  assert.throws(() => sessionFolders(root), (error) => {
    return error instanceof SessionError && error.code === "unsafe-store";
  });
});

function put(root: string, cwd: string, prefix: string): string {
  const id = prefix + "00000000-0000-4000-8000-000000000000".slice(prefix.length);
  const name = folderName(new Date("2026-11-21T20:21:50.004Z"), id);
  Deno.mkdirSync(join(sessionsDirectory(root), namespaceOf(cwd), name), { recursive: true });
  return id;
}

function refused(code: string, candidates?: string[]): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof SessionError);
    assert.equal(error.code, code);
    assert.deepEqual(error.data.candidates?.sort(), candidates?.sort());
    return true;
  };
}

inDirectory.test("a session is found by its id or the first characters, in any case", (root) => {
  const id = put(root, "/a", "abcd1");
  put(root, "/a", "beef1");
  for (const ref of ["abcd", "ABCD1", id, `${id}#3`]) {
    assert.equal(findSession(root, ref).session_id, id);
  }
  assert.throws(() => findSession(root, "cccc"), refused("not-found"));
  assert.throws(() => findSession(root, "bcd1"), refused("not-found"));
});

inDirectory.test("one directory's sessions come first, then all", (root) => {
  const [here, there] = [put(root, "/a", "abcd1"), put(root, "/b", "abcd2")];
  assert.equal(findSession(root, "abcd", { cwd: "/a" }).session_id, here);
  assert.equal(findSession(root, "abcd", { cwd: "/b" }).session_id, there);
  assert.equal(findSession(root, "abcd2", { cwd: "/a" }).session_id, there);
  assert.throws(() => findSession(root, "abcd"), refused("ambiguous", [here, there]));
  assert.throws(
    () => findSession(root, "abcd", { cwd: "/c" }),
    refused("ambiguous", [here, there]),
  );
});

inDirectory.test("an ambiguous reference names some of those that it fits", (root) => {
  const fits = ["1", "2", "3", "4", "5", "6", "7"].map((end) => put(root, "/a", `abcd${end}`));
  assert.throws(() => findSession(root, "abcd"), refused("ambiguous", fits));
  assert.throws(
    () => findSession(root, "abcd"),
    /matches 7 sessions: (abcd\S+, ){5}…; type more of the id$/,
  );
});

inDirectory.test("a path or another agent's reference names no session of a store", (root) => {
  for (const ref of ["./abcd", "pi:abcd", "", "abc"]) {
    assert.throws(() => findSession(root, ref), refused("invalid-ref"));
  }
});
