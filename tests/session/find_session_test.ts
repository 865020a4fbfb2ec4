import assert from "node:assert/strict";
import { join } from "node:path";
import { SessionError } from "../../lib/event/session_error.ts";
import { findSession } from "../../lib/session/find_session.ts";
import { sessionsDirectory } from "../../lib/session/session_folder.ts";
import { folderName } from "../../lib/session/session_id.ts";
import { namespaceOf } from "../../lib/workspace/namespace.ts";
import { withDirectory } from "../_support/temp_directory.ts";

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

Deno.test("a session is found by its id or the first characters, in any case", async () => {
  await withDirectory((root) => {
    const id = put(root, "/a", "abcd1");
    put(root, "/a", "beef1");
    for (const ref of ["abcd", "ABCD1", id, `${id}#3`]) {
      assert.equal(findSession(root, ref).session_id, id);
    }
    assert.throws(() => findSession(root, "cccc"), refused("not-found"));
    assert.throws(() => findSession(root, "bcd1"), refused("not-found"));
  });
});

Deno.test("one directory's sessions come first, then all", async () => {
  await withDirectory((root) => {
    const [here, there] = [put(root, "/a", "abcd1"), put(root, "/b", "abcd2")];
    assert.equal(findSession(root, "abcd", "/a").session_id, here);
    assert.equal(findSession(root, "abcd", "/b").session_id, there);
    assert.equal(findSession(root, "abcd2", "/a").session_id, there);
    assert.throws(() => findSession(root, "abcd"), refused("ambiguous", [here, there]));
    assert.throws(() => findSession(root, "abcd", "/c"), refused("ambiguous", [here, there]));
  });
});

Deno.test("an ambiguous reference names some of those that it fits", async () => {
  await withDirectory((root) => {
    const fits = ["1", "2", "3", "4", "5", "6", "7"].map((end) => put(root, "/a", `abcd${end}`));
    assert.throws(() => findSession(root, "abcd"), refused("ambiguous", fits));
    assert.throws(() => findSession(root, "abcd"), /fits 7: (abcd\S+, ){5}…; give more of the id$/);
  });
});

Deno.test("a path or another agent's reference names no session of a store", async () => {
  await withDirectory((root) => {
    for (const ref of ["./abcd", "pi:abcd", "", "abc"]) {
      assert.throws(() => findSession(root, ref), refused("invalid-ref"));
    }
  });
});
