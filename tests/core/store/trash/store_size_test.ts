import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { folderSize, mayExceed } from "../../../../lib/core/store/trash/store_size.ts";
import { user } from "../../../_support/log_bytes.ts";
import { withStore } from "../../../_support/temp_directory.ts";

const TIMES = ["2026-11-01T00:00:00.000Z", "2026-11-20T00:00:00.000Z"].map((time) =>
  new Date(time)
);

Deno.test("a store may be over a limit as soon as pruning has something to do", async () => {
  const times = TIMES.values();
  let now = new Date(0);
  await withStore(async (store, directory) => {
    let bytes = 0;
    for (now of times) {
      const session = store.create({ cwd: directory });
      await session.append(user("Hello"));
      await session.finish();
      // What lies beside a log counts too.
      Deno.writeTextFileSync(join(dirname(session.path), "more"), "x".repeat(5000));
      bytes += folderSize(dirname(session.path)).bytes;
    }
    assert.ok(bytes > 10_000);
    const [first = now] = TIMES;
    const limits = [
      {},
      { before: first },
      { before: new Date(first.getTime() + 1) },
      { max_bytes: bytes },
      { max_bytes: bytes - 1 },
      { before: first, max_bytes: bytes },
      { before: first, max_bytes: bytes - 1 },
      { before: now, max_bytes: bytes },
    ];
    const found = limits.map((limit) => mayExceed(store.root, limit));
    assert.deepEqual(found, [false, false, true, false, true, false, true, true]);
    for (const [index, limit] of limits.entries()) {
      const { sessions } = await store.prune({ ...limit, dry_run: true });
      assert.equal(found[index], sessions.length > 0, JSON.stringify(limit));
    }
  }, { now: () => now });
});

Deno.test("a store that is not there is over no limit", () => {
  const root = Deno.makeTempDirSync();
  assert.equal(mayExceed(join(root, "none"), { before: new Date(), max_bytes: 0 }), false);
  Deno.removeSync(root);
});
