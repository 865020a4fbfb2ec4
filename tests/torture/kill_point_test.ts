/** `kill -9` before each call that touches a session, one after the other. */
import { roundsOf } from "../_support/few_rounds.ts";
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import type { Script, StepAnswer } from "../_support/children/session_child.ts";
import { isLocked } from "../../lib/core/log/session_lock.ts";
import { openStore } from "../../lib/core/store/open_store.ts";
import { namespaceOf } from "../../lib/core/workspace/namespace.ts";
import { jsonLines } from "../_support/cli.ts";
import { forEachCrash } from "../_support/crash_states.ts";
import { atFullSize } from "../_support/full_size.ts";
import { codesOf, readNow, toolStart, user } from "../_support/log_bytes.ts";
import { childPath } from "../_support/processes.ts";
import { killAtEach, runTraced, STRACE, type Traced } from "../_support/strace.ts";
import { inDirectory, withDirectory } from "../_support/temp_directory.ts";

const ID = "3f6a2b91-0d4c-4f7e-8a15-6c2d9e7b0a48";
const CALLS = ["mkdir", "openat", "flock", "write", "fdatasync", "fsync", "unlink"];
const EVENTS = [user("one"), toolStart("c1")];

/** Keeps a session of three events in a process; `inject` is a fault as strace takes it. */
async function keep(directory: string, inject: readonly string[]): Promise<Traced> {
  const root = join(directory, "store");
  const sessions = join(root, "sessions");
  const namespace = join(sessions, namespaceOf(root));
  const folder = join(namespace, `20261121T202153123Z-${ID}`);
  const files = ["lock", "lock.json", "transcript_events.jsonl"].map((name) => join(folder, name));
  const steps = [...EVENTS.map((append) => ({ append })), "finish" as const];
  const script: Script = { root, id: ID, steps };
  const paths = [directory, root, sessions, namespace, folder, ...files].flatMap((
    path,
  ) => ["-P", path]);
  const command = [
    Deno.execPath(),
    "run",
    "-A",
    "--no-check",
    childPath("session_child"),
    JSON.stringify(script),
  ];
  return await runTraced([...paths, "-e", `trace=${CALLS.join(",")}`, ...inject], command);
}

/** The numbers of the events that a program said to be kept. */
function acknowledgedBy({ stdout }: Traced): number[] {
  return jsonLines<StepAnswer>(stdout).flatMap(({ seq }) => seq ?? []);
}

/** What was acknowledged is in the log; the lock is free; the session goes on, or another begins. */
async function assertGoesOn(directory: string, acknowledged: readonly number[]): Promise<number> {
  const store = openStore({ root: join(directory, "store") });
  const errors: unknown[] = [];
  const [row] = await store.list({ onError: (error) => errors.push(error) });
  assert.deepEqual(errors, []);
  if (row === undefined) {
    assert.deepEqual(acknowledged, []);
    const session = store.create({ cwd: directory });
    assert.deepEqual(await session.append(user("anew")), { seq: 2, state: "synced" });
    await session.finish();
    return 0;
  }
  assert.equal(isLocked(join(row.path, "..")), false);
  const before = readNow(Deno.readFileSync(row.path));
  assert.deepEqual(codesOf(before), []);
  const numbers = before.events.map(({ seq }) => seq);
  assert.deepEqual(numbers, numbers.map((_, index) => index + 1));
  for (const seq of acknowledged) assert.ok(numbers.includes(seq), `event ${seq} was acknowledged`);
  const closed = before.events.at(-1)?.kind === "session_closed";
  assert.equal(row.status, closed ? "completed" : "interrupted");
  const session = await store.resume(row.ref);
  assert.deepEqual(await session.append(user("and on")), {
    seq: numbers.length + 1,
    state: "synced",
  });
  await session.finish();
  return acknowledged.length;
}

inDirectory.test("P1 killed before any of its calls on a file, a program loses no acknowledged event", async (directory) => {
  const acknowledged: number[] = [];
  const keep = async (): Promise<void> => {
    const root = join(directory, "store");
    const session = openStore({ root }).create({ cwd: root });
    for (const event of EVENTS) {
      const appended = await session.append(event);
      if (appended.state !== "held") acknowledged.push(appended.seq);
    }
    await session.finish();
  };
  let most = 0;
  const check = async (told: number[]): Promise<void> => {
    most = Math.max(most, await assertGoesOn(directory, told));
  };
  const states = await forEachCrash(directory, keep, () => acknowledged, check);
  assert.ok(states >= 10 && most === EVENTS.length, `${states} states`);
});

Deno.test({
  // Its size is that of the system: a process is started for each of its calls.
  ...atFullSize(
    "P1 killed before any of its system calls, a program loses no acknowledged event",
    STRACE,
  ),
  fn: async (t) => {
    let whole: Traced | undefined;
    await withDirectory(async (directory) => {
      whole = await keep(directory, []);
      assert.equal(await assertGoesOn(directory, acknowledgedBy(whole)), 2);
    });
    assert.ok(whole !== undefined);
    let acknowledged = 0;
    const { total, tried, killed } = await killAtEach(whole, CALLS, async (fault) => {
      let traced: Traced | undefined;
      await withDirectory(async (directory) => {
        traced = await keep(directory, fault);
        acknowledged += await assertGoesOn(directory, acknowledgedBy(traced));
      });
      assert.ok(traced !== undefined);
      return traced;
    });
    await t.step(
      `${killed} of ${tried} points hit, of ${total}, ${acknowledged} events acknowledged`,
      () => {
        assert.ok(total >= 20 && killed >= tried - roundsOf(6), basename(import.meta.url));
        assert.ok(acknowledged >= (tried === total ? 10 : 1), basename(import.meta.url));
      },
    );
  },
});
