import assert from "node:assert/strict";
import { join } from "node:path";
import type { LogEvent } from "../../../../lib/core/event/envelope.ts";
import {
  addImport,
  findImports,
  importKey,
} from "../../../../lib/core/store/import/find_imports.ts";
import { readNow } from "../../../_support/log_bytes.ts";
import { logOf, user } from "../../../_support/log_bytes.ts";
import { inStore, withStore } from "../../../_support/temp_directory.ts";

function talk(): readonly LogEvent[] {
  return readNow(logOf([user("Hello")])).events;
}

async function* batches(): AsyncGenerator<readonly LogEvent[]> {
  yield talk();
}

Deno.test("imported sessions are found by agent and id, of each the oldest import first", async () => {
  let time = Date.UTC(2026, 10, 22);
  await withStore(async (store, directory) => {
    const session = store.create({ cwd: directory });
    await session.append(user("not imported"));
    await session.finish();
    const import_ = (agent: string, id: string, cwd = directory): Promise<{ session_id: string }> =>
      store.import({ agent, id, path: "/gone", cwd, events: batches() });
    const first = await import_("pi", "p1");
    const other = await import_("claude", "p1", `/${"long/".repeat(2000)}`);
    const second = await import_("pi", "p1");
    const found = findImports(store.root);
    const ids = (key: string): unknown => found.get(key)?.map(({ session_id }) => session_id);
    assert.deepEqual([...found.keys()].sort(), ["claude:p1", "pi:p1"]);
    assert.deepEqual(ids(importKey({ agent: "pi", id: "p1" })), [
      first.session_id,
      second.session_id,
    ]);
    assert.deepEqual(ids("claude:p1"), [other.session_id]);
    const [one] = found.get("claude:p1") ?? [];
    assert.ok(one !== undefined);
    addImport(found, one);
    assert.equal(found.get("claude:p1")?.length, 2);
  }, { now: () => new Date(time += 1000) });
});

inStore.test("a log whose head is damaged is passed over", async ({ store, directory }) => {
  const given = { agent: "pi", path: "/gone", cwd: directory };
  const one = await store.import({ ...given, id: "p1", events: batches() });
  const other = await store.import({ ...given, id: "p2", events: batches() });
  Deno.writeTextFileSync(one.path, '{"imported_from": torn');
  Deno.removeSync(join(other.path, "..", "lock"));
  assert.deepEqual([...findImports(store.root).keys()], ["pi:p2"]);
  Deno.removeSync(other.path);
  assert.deepEqual([...findImports(store.root).keys()], []);
});
