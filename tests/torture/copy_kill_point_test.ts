/** `kill -9` before each call of a fork and of a merge, one after the other. */
import { roundsOf } from "../_support/few_rounds.ts";
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { CopyScript } from "../_support/children/copy_child.ts";
import { examineStore } from "../../lib/core/store/examine_store.ts";
import { openLocalStore } from "../../lib/core/store/open_store.ts";
import type { LocalStore } from "../../lib/core/store/local_store.ts";
import { verifyLog } from "../../lib/core/store/verify_log.ts";
import { namespaceOf } from "../../lib/core/workspace/namespace.ts";
import { forEachCrash } from "../_support/crash_states.ts";
import { atFullSize } from "../_support/full_size.ts";
import { assistant, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { childPath } from "../_support/processes.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { killAtEach, runTraced, STRACE, type Traced } from "../_support/strace.ts";
import { withDirectory } from "../_support/temp_directory.ts";
import { needing } from "../_support/needing.ts";

const ID = "3f6a2b91-0d4c-4f7e-8a15-6c2d9e7b0a48";
const CALLS = ["mkdir", "openat", "flock", "write", "fsync", "unlink", "rename"];
/** A store with two sessions. */
async function twoSessions(directory: string): Promise<LocalStore> {
  const store = openLocalStore({ root: join(directory, "store") });
  for (const name of ["one", "two"]) {
    const session = store.create({ cwd: directory });
    for (const event of [user(name), toolStart("c1"), toolEnd("c1"), assistant("done")]) {
      await session.append(event);
    }
    await session.finish();
  }
  return store;
}

/** Copies in a process; `inject` is a fault as strace takes it. */
async function copy(
  directory: string,
  refs: readonly string[],
  inject: readonly string[],
): Promise<Traced> {
  const root = join(directory, "store");
  const namespace = join(root, "sessions", namespaceOf(directory));
  const folder = join(namespace, `20261121T202153123Z-${ID}`);
  const files = ["lock", "lock.json", "transcript_events.jsonl"];
  const paths = [
    namespace,
    folder,
    `${folder}.tmp`,
    ...files.map((name) => join(`${folder}.tmp`, name)),
  ]
    .flatMap((path) => ["-P", path]);
  const script: CopyScript = { root, id: ID, refs: [...refs] };
  const command = [
    ...[Deno.execPath(), "run", "-A", "--no-check", childPath("copy_child")],
    JSON.stringify(script),
  ];
  return await runTraced([...paths, "-e", `trace=${CALLS.join(",")}`, ...inject], command);
}

/** The originals are as they were; the copy is whole or nowhere; the next one is made. */
async function assertWholeOrNothing(
  store: LocalStore,
  refs: readonly string[],
  told: string,
): Promise<"whole" | "nothing"> {
  const errors: unknown[] = [];
  const rows = await store.list({ onError: (error) => errors.push(error) });
  assert.deepEqual(errors, []);
  const copied = rows.find(({ session_id }) => session_id === ID);
  assert.equal(rows.length, 2 + Number(copied !== undefined));
  if (told === ID) assert.ok(copied !== undefined, "it was told to be made");
  if (copied !== undefined) await assertClean(copied.path);
  for (const { code, fix } of examineStore(store.root)) {
    assert.equal(code, "leftover");
    assert.ok(fix !== undefined);
    fix();
  }
  assert.deepEqual([...examineStore(store.root)], []);
  const again = refs.length === 1 ? await store.makeFork(refs[0] ?? "") : await store.merge(refs);
  await assertClean(again.path);
  return copied === undefined ? "nothing" : "whole";
}

async function assertClean(path: string): Promise<void> {
  const found: string[] = [];
  const { events } = await verifyLog(path, ({ code }) => found.push(code));
  assert.deepEqual(found, []);
  assert.ok(events > 0);
}

/** Before a session is in its place, what it holds is on the disk. */
function assertSyncedFirst({ calls }: Traced, then: string[]): void {
  const order = calls.flatMap((call) =>
    /\b(?:rename|fsync|fdatasync)\(.*?([^/<>"]+)[>"]/.exec(call)?.slice(1) ?? []
  );
  const kinds = order.map((name) =>
    name === "transcript_events.jsonl" ? "log" : name.includes(ID) ? "folder" : "namespace"
  );
  // The folder is synced, then renamed.
  assert.deepEqual(kinds, ["log", "folder", "folder", ...then], order.join(" "));
}

for (const [name, sessions] of [["fork", 1], ["merge", 2]] as const) {
  Deno.test(
    `P1 a ${name} killed before any of its calls on a file is whole or nowhere`,
    async () => {
      await withDirectory(async (directory) => {
        const store = await twoSessions(directory);
        const rows = await store.list();
        const refs = rows.slice(0, sessions).map(({ session_id }) => session_id);
        const logs = (): string[] => refs.map((ref) => Deno.readTextFileSync(store.find(ref).path));
        const before = logs();
        const copies = openLocalStore({ root: store.root, newId: () => ID });
        let told = "";
        const run = async (): Promise<void> => {
          const made = sessions === 1 ? copies.makeFork(refs[0] ?? "") : copies.merge(refs);
          told = (await made).session_id;
        };
        const seen = { whole: 0, nothing: 0 };
        await forEachCrash(directory, run, () => told, async (told) => {
          assert.deepEqual(logs(), before);
          seen[await assertWholeOrNothing(store, refs, told)]++;
        });
        assert.ok(seen.nothing >= 5 && seen.whole >= 1, JSON.stringify(seen));
      });
    },
  );
}

Deno.test({
  // Its size is that of the system: a process is started for each of its calls.
  ...atFullSize(
    "P1 a fork or merge killed before any of its system calls is whole or nowhere",
    STRACE,
  ),
  fn: async () => {
    for (const sessions of [1, 2]) {
      const attempt = async (inject: readonly string[]): Promise<[Traced, "whole" | "nothing"]> => {
        let result: [Traced, "whole" | "nothing"] | undefined;
        await withDirectory(async (directory) => {
          const store = await twoSessions(directory);
          const rows = await store.list();
          const refs = rows.slice(0, sessions).map(({ session_id }) => session_id);
          const before = refs.map((ref) => snapshot(dirname(store.find(ref).path)));
          const traced = await copy(directory, refs, inject);
          assert.deepEqual(refs.map((ref) => snapshot(dirname(store.find(ref).path))), before);
          result = [traced, await assertWholeOrNothing(store, refs, traced.stdout.trim())];
        });
        assert.ok(result !== undefined);
        return result;
      };

      const [whole, outcome] = await attempt([]);
      assert.deepEqual([whole.status, outcome], [0, "whole"], whole.stderr);
      assertSyncedFirst(whole, ["namespace"]);
      const seen = { whole: 0, nothing: 0 };
      const { total, tried, killed } = await killAtEach(whole, CALLS, async (fault) => {
        const [traced, found] = await attempt(fault);
        seen[found]++;
        return traced;
      });
      const told = JSON.stringify({ total, tried, killed, ...seen });
      assert.ok(total >= 10 && killed >= tried - roundsOf(6), told);
      assert.ok(seen.nothing >= roundsOf(5), told);
      if (tried === total) assert.ok(seen.whole >= 1, told);
    }
  },
});

// Slow: each fault of the system needs a process.
Deno.test(
  needing("P9 a fork that the disk fails leaves nothing, and says why", STRACE),
  async () => {
    for (
      const [fault, code] of [
        ["write:error=ENOSPC", "disk-full"],
        ["fsync:error=EIO:when=1", "sync-failed"],
        ["rename:error=EACCES", "permission"],
      ] as const
    ) {
      await withDirectory(async (directory) => {
        const store = await twoSessions(directory);
        const [row] = await store.list();
        const before = snapshot(join(store.root, "sessions"));
        const traced = await copy(directory, [row?.ref ?? ""], ["-e", `inject=${fault}`]);
        assert.deepEqual([traced.status, traced.stderr], [1, `${code}\n`]);
        if (fault.startsWith("rename")) assertSyncedFirst(traced, []);
        const after = snapshot(join(store.root, "sessions"));
        // The namespace alone was touched: a folder came and went.
        assert.equal(after.length, before.length);
        assert.deepEqual([...examineStore(store.root)], []);
        await assertClean((await store.makeFork(row?.ref ?? "")).path);
      });
    }
  },
);
