import assert from "node:assert/strict";
import { dirname } from "node:path";
import { openStore } from "../../../lib/core/store/open_store.ts";
import { user } from "../../_support/log_bytes.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

Deno.test("continueLast with app says that it passed over a session whose head cannot be read", async () => {
  const broken: ((line: string) => string)[] = [
    (log) => log.replace('"v":1', '"v":9'),
    (log) => "\0".repeat(log.length),
    (log) => log.slice(log.indexOf("\n") + 1),
  ];
  for (const damage of broken) {
    await withDirectory(async (directory) => {
      const store = openStore({ root: `${directory}/store` });
      const session = store.create({ cwd: directory, app: { name: "mine" } });
      await session.append(user("A"));
      await session.finish();
      Deno.writeTextFileSync(session.path, damage(Deno.readTextFileSync(session.path)));
      const begun = await store.continueLast({ cwd: directory, app: { name: "mine" } });
      assert.notEqual(begun.id, session.id);
      assert.match(begun.skipped?.message ?? "", new RegExp(session.id));
    });
  }
});

Deno.test("continueLast passes over the empty log that a kill left", async () => {
  await withDirectory(async (directory) => {
    const store = openStore({ root: `${directory}/store` });
    const whole = store.create({ cwd: directory });
    await whole.append(user("real work"));
    await whole.finish();
    const killed = store.create({ cwd: directory });
    Deno.mkdirSync(dirname(killed.path), { recursive: true });
    Deno.writeFileSync(killed.path, new Uint8Array());
    const again = await store.continueLast({ cwd: directory });
    assert.deepEqual([again.id, again.skipped], [whole.id, undefined]);
    await again.release();
  });
});
