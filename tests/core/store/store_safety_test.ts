import assert from "node:assert/strict";
import { join } from "node:path";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { openStore } from "../../../lib/core/store/open_store.ts";
import {
  assertOwnFolder,
  assertSafeStore,
  unsafeReason,
} from "../../../lib/core/store/store_safety.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";
import { needing, UNIX } from "../../_support/needing.ts";

function infoWith(info: Partial<Deno.FileInfo>): Deno.FileInfo {
  const own = { uid: Deno.uid(), gid: Deno.gid(), mode: 0o40700 };
  return { ...own, ...info } as Deno.FileInfo;
}

Deno.test(
  needing("a store that everyone can write is refused, with the command that mends it", UNIX),
  async () => {
    await withDirectory((directory) => {
      const root = join(directory, "store");
      Deno.mkdirSync(root);
      // With the sticky bit others cannot remove what is there, but plant what is not.
      for (const mode of [0o777, 0o702, 0o1777]) {
        Deno.chmodSync(root, mode);
        const use = (): unknown => openStore({ root }).create({ cwd: directory });
        assert.throws(use, (error) => {
          assert.ok(error instanceof SessionError);
          assert.equal(error.code, "unsafe-store");
          assert.equal(
            error.message,
            `Cannot use store: every user of this machine can change the file; run: chmod 700 ${root}`,
          );
          return true;
        });
      }
      for (const mode of [0o700, 0o755, 0o750]) {
        Deno.chmodSync(root, mode);
        assertSafeStore(root);
      }
    });
  },
);

Deno.test(needing("unsafeReason tells foreign owners and groups from a user's own", UNIX), () => {
  const uid = Deno.uid() ?? 0;
  const foreign = unsafeReason(infoWith({ uid: uid + 1 }));
  // Root may use any store: who can write it is the question of the others then.
  assert.equal(foreign, uid === 0 ? undefined : `the owner is user ${uid + 1}, not you (${uid})`);
  assert.equal(unsafeReason(infoWith({ mode: 0o40770 })), undefined);
  assert.equal(
    unsafeReason(infoWith({ mode: 0o40770, gid: (Deno.gid() ?? 0) + 1 })),
    "all members of the file's group can write to the file",
  );
  assert.equal(unsafeReason(infoWith({})), undefined);
});

inDirectory.test("a store that is not there yet is safe, and a file is none", (directory) => {
  assertSafeStore(join(directory, "not there"));
  const file = join(directory, "file");
  Deno.writeTextFileSync(file, "");
  assert.throws(() => assertSafeStore(file), /Cannot use store: the path is not a directory/);
});

Deno.test(needing("assertOwnFolder takes a folder, not a link to one", UNIX), async () => {
  await withDirectory((directory) => {
    assertOwnFolder(directory);
    Deno.symlinkSync(directory, join(directory, "link"));
    assert.throws(
      () => assertOwnFolder(join(directory, "link")),
      /the path is a link or a file, not a folder/,
    );
  });
});
