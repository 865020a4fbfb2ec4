import assert from "node:assert/strict";
import { memoryStore } from "../../../lib/core/store/memory_store.ts";
import { openStore } from "../../../lib/core/store/open_store.ts";
import type { Store } from "../../../lib/core/store/store.ts";
import { user } from "../../_support/log_bytes.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

/** Tests both kinds of store. */
function atStores(name: string, test: (store: Store, cwd: string) => Promise<void>): void {
  let seconds = 0;
  // No two events at one time: lists are ordered by it.
  const now = (): Date => new Date(Date.UTC(2026, 10, 21, 12, 0, seconds++));
  Deno.test(`${name}, on disk`, () =>
    withDirectory((directory) => test(openStore({ root: `${directory}/store`, now }), directory)));
  Deno.test(`${name}, in memory`, () =>
    withDirectory((directory) => test(memoryStore({ now }), directory)));
}

atStores(
  "continueLast with app continues what a program of that name began",
  async (store, cwd) => {
    const mine = store.create({ cwd, app: { name: "mine", version: "1" } });
    await mine.append(user("mine"));
    await mine.finish();
    const other = store.create({ cwd, app: { name: "other" } });
    await other.append(user("other's"));
    await other.finish();
    const unnamed = store.create({ cwd });
    await unnamed.append(user("nobody's"));
    await unnamed.finish();
    const rows = await store.list({ cwd });
    assert.deepEqual(rows.map(({ app }) => app), [undefined, "other", "mine"]);

    const again = await store.continueLast({ cwd, app: { name: "mine", version: "2" } });
    assert.equal(again.id, mine.id);
    await again.release();
    const any = await store.continueLast({ cwd });
    assert.equal(any.id, unnamed.id);
    await any.release();
    const begun = await store.continueLast({ cwd, app: { name: "third" } });
    assert.equal(begun.last_seq, 0);
  },
);
