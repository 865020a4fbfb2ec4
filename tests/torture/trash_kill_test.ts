/** `kill -9` before each call that moves or deletes a session. */
import { roundsOf } from "../_support/few_rounds.ts";
import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import type { LocalStore } from "../../lib/core/store/local_store.ts";
import { LOG_FILE } from "../../lib/core/store/session_folder.ts";
import { forEachCrash } from "../_support/crash_states.ts";
import { atFullSize } from "../_support/full_size.ts";
import { user } from "../_support/log_bytes.ts";
import { childPath } from "../_support/processes.ts";
import { killAtEach, runTraced, STRACE, type Traced } from "../_support/strace.ts";
import { inStore, withStore } from "../_support/temp_directory.ts";
import { pruneAndRestore } from "../_support/children/trash_child.ts";

const CALLS = ["mkdir", "write", "fdatasync", "rename", "unlink", "unlinkat", "rmdir"];
/** Puts two sessions into a store; gives their ids. */
async function keepTwo(store: LocalStore, directory: string): Promise<string[]> {
  const ids: string[] = [];
  for (const text of ["one", "two"]) {
    const session = store.create({ cwd: directory });
    await session.append(user(text));
    await session.finish();
    ids.push(session.id);
  }
  return ids;
}

/** Runs the child on a store of two sessions; `inject` is a fault as strace takes it. */
async function tracedChild(
  store: LocalStore,
  directory: string,
  inject: readonly string[],
): Promise<{ ids: string[]; traced: Traced }> {
  const ids = await keepTwo(store, directory);
  const trash = join(store.root, "trash");
  const paths = [
    trash,
    join(trash, "tombstones.jsonl"),
    ...ids.flatMap((id) => {
      const { directory: place } = store.find(id);
      const removed = join(trash, basename(dirname(place)), basename(place));
      return [place, removed, dirname(removed), join(removed, LOG_FILE), join(removed, "lock")];
    }),
  ];
  const command = [Deno.execPath(), "run", "-A", "--no-check", childPath("trash_child")];
  const traced = await runTraced(
    [...paths.flatMap((path) => ["-P", path]), "-e", `trace=${CALLS.join(",")}`, ...inject],
    [...command, store.root, ids[0] ?? ""],
  );
  return { ids, traced };
}

/** Each session is in one place, or deleted with a record; what is in the trash can come back. */
async function assertCoherent(store: LocalStore, ids: readonly string[]): Promise<void> {
  const errors: unknown[] = [];
  const listed = (await store.list({ onError: (error) => errors.push(error) }))
    .map(({ session_id }) => session_id);
  assert.deepEqual(errors, []);
  const records = readRecords(store.root);
  for (const id of ids) {
    const entries = store.trash().filter(({ session_id }) => session_id === id);
    const deleted = records.includes(`${id} deleted_at`);
    assert.equal(Number(listed.includes(id)) + entries.length + Number(deleted) >= 1, true, id);
    assert.ok(Number(listed.includes(id)) + entries.length <= 1, `${id} is there twice`);
    const [entry] = entries;
    if (entry === undefined) continue;
    assert.notEqual(entry.state, "gone");
    if (entry.state === "incomplete") assert.ok(deleted, `${id} has no log, and nobody deleted it`);
    else {
      await store.restore(id);
      assert.ok((await store.list()).some(({ session_id }) => session_id === id));
    }
  }
  await store.emptyTrash();
  assert.deepEqual(store.trash(), []);
}

function readRecords(root: string): string[] {
  let text = "";
  try {
    text = Deno.readTextFileSync(join(root, "trash", "tombstones.jsonl"));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return text.split("\n").filter((line) => line.endsWith("}")).map((line) => {
    const record = JSON.parse(line) as Record<string, string>;
    return `${record.session_id} ${Object.keys(record).at(-1)}`;
  });
}

// Slow: each kill leaves a store that is listed and emptied.
inStore.test("killed at any moment of pruning, restoring and emptying, list and trash agree", async ({ store, directory }) => {
  const ids = await keepTwo(store, directory);
  const run = (): Promise<void> => pruneAndRestore(store.root, ids[0] ?? "");
  const check = (): Promise<void> => assertCoherent(store, ids);
  assert.ok(await forEachCrash(directory, run, () => undefined, check) >= 10);
});

Deno.test({
  // Its size is that of the system: a process is started for each of its calls.
  ...atFullSize("killed before any of its system calls, list and trash agree", STRACE),
  fn: async (t) => {
    let whole: Traced | undefined;
    await withStore(async (store, directory) => {
      const { ids, traced } = await tracedChild(store, directory, []);
      assert.equal(traced.status, 0, traced.stderr);
      const [row] = await store.list();
      assert.equal(row?.session_id, ids[0]);
      assert.deepEqual(store.trash(), []);
      whole = traced;
    });
    assert.ok(whole !== undefined);
    const { total, tried, killed } = await killAtEach(whole, CALLS, async (fault) => {
      let attempted: Traced | undefined;
      await withStore(async (store, directory) => {
        const { ids, traced } = await tracedChild(store, directory, fault);
        await assertCoherent(store, ids);
        attempted = traced;
      });
      assert.ok(attempted !== undefined);
      return attempted;
    });
    await t.step(`${killed} of ${tried} points hit, of ${total}`, () => {
      assert.ok(total >= 10 && killed >= tried - roundsOf(4), `${killed} of ${tried}`);
    });
  },
});
