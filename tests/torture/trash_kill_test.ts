/** `kill -9` before each system call that moves or deletes a session. */
import { roundsOf } from "../_support/few_rounds.ts";
import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import type { LocalStore } from "../../lib/session/local_store.ts";
import { LOG_FILE } from "../../lib/session/session_folder.ts";
import { user } from "../_support/log_bytes.ts";
import { childPath } from "../_support/processes.ts";
import { killAtEach, runTraced, STRACE, type Traced } from "../_support/strace.ts";
import { withStore } from "../_support/temp_directory.ts";
import { needing } from "../_support/needing.ts";

const CALLS = ["mkdir", "write", "fdatasync", "rename", "unlink", "unlinkat", "rmdir"];
/** Runs the child on a store of two sessions; `inject` is a fault as strace takes it. */
async function pruneAndRestore(
  store: LocalStore,
  directory: string,
  inject: readonly string[],
): Promise<{ ids: string[]; traced: Traced }> {
  const ids: string[] = [];
  for (const text of ["one", "two"]) {
    const session = store.create({ cwd: directory });
    await session.append(user(text));
    await session.finish();
    ids.push(session.id);
  }
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

Deno.test(
  needing("killed at any moment of pruning, restoring and emptying, list and trash agree", STRACE),
  async (t) => {
    let whole: Traced | undefined;
    await withStore(async (store, directory) => {
      const { ids, traced } = await pruneAndRestore(store, directory, []);
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
        const { ids, traced } = await pruneAndRestore(store, directory, fault);
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
);
