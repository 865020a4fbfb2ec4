/** `kill -9` before each call that packs a backup or a rollout, and a failure of each call. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { packGenerations } from "../../lib/features/backup/pack_generations.ts";
import { readKeptManifest } from "../../lib/library/machine/kept/manifest.ts";
import { CodexHome, ID, OLD, PLAIN } from "../_support/cold_rollout.ts";
import { forEachCrash, restore, stateOf } from "../_support/crash_states.ts";
import { FaultyFiles } from "../_support/faulty_files.ts";
import { roundsOf } from "../_support/few_rounds.ts";
import { atFullSize } from "../_support/full_size.ts";
import { childPath } from "../_support/processes.ts";
import { lines, RewrittenSession } from "../_support/rewritten_session.ts";
import { killAtEach, runTraced, STRACE, type Traced } from "../_support/strace.ts";

const CALLS = ["openat", "write", "fsync", "fdatasync", "rename", "unlink"];

async function twoGenerations(): Promise<RewrittenSession> {
  const session = new RewrittenSession();
  await session.write(`{"turn":1}\n${lines(27, 1)}`);
  await session.write(`{"turn":2}\n${lines(28, 1)}`);
  await session.write(`{"turn":3}\n${lines(29, 1)}`);
  return session;
}

/** Every generation is there, and a later run packs what this one left. */
async function assertWhole(session: RewrittenSession, told: string): Promise<void> {
  assert.deepEqual(await session.restored(), session.hashes, told);
  await session.keep();
  await packGenerations(session.folder);
  assert.deepEqual(await session.restored(), session.hashes, told);
  assert.equal(readKeptManifest(session.folder)?.packed?.length, 2, told);
  const names = session.files();
  assert.equal(names.length, 4, `${told}: ${names}`);
}

// Slow: a pack of 16 KB is made and read again after each failure.
Deno.test("whichever call fails while a backup is packed, nothing is lost", async () => {
  using session = await twoGenerations();
  const before = stateOf(session.folder);
  let total: number;
  {
    using files = new FaultyFiles(session.folder);
    await packGenerations(session.folder);
    total = files.calls.length;
  }
  await assertWhole(session, "no failure");
  const every = total / roundsOf(total);
  let failed = 0;
  for (let at = 1; at <= total; at += every) {
    restore(session.folder, before);
    {
      using _files = new FaultyFiles(session.folder, Math.floor(at));
      await packGenerations(session.folder).catch(() => failed++);
    }
    await assertWhole(session, `call ${Math.floor(at)}`);
  }
  assert.ok(failed > 0);
});

// Slow: all is packed and read again after each kill.
Deno.test("killed at any moment of packing, nothing is lost", async () => {
  using session = await twoGenerations();
  const run = (): Promise<unknown> => packGenerations(session.folder);
  const check = (_: unknown, call: string): Promise<void> => assertWhole(session, call);
  assert.ok(await forEachCrash(session.folder, run, () => undefined, check) >= 8);
});

Deno.test({
  // Its size is that of the system: a process is started for each of its calls.
  ...atFullSize("killed before any system call of packing, nothing is lost", STRACE),
  fn: async (t) => {
    const attempt = async (fault: readonly string[]): Promise<Traced> => {
      using session = await twoGenerations();
      const paths = ["manifest.json", "latest/projects/work/s1.jsonl"].concat(
        ["1", "2"].map((number) => `${number}/projects/work/s1.jsonl`),
      ).flatMap((name) => [name, `${name}.packed.zst`, `${name}.packed.zst.tmp`, `${name}.tmp`]);
      const traced = await runTraced(
        [
          ...paths.flatMap((name) => ["-P", join(session.folder, name)]),
          ...["-e", `trace=${CALLS.join(",")}`, ...fault],
        ],
        [Deno.execPath(), "run", "-A", "--no-check", childPath("pack_child"), session.folder],
      );
      await assertWhole(session, `${fault}`);
      return traced;
    };
    const whole = await attempt([]);
    assert.equal(whole.status, 0, whole.stderr);
    const { total, tried, killed } = await killAtEach(whole, CALLS, attempt);
    await t.step(`${killed} of ${tried} points hit, of ${total}`, () => {
      assert.ok(total >= 12 && killed >= tried - roundsOf(6), `${killed} of ${tried}, of ${total}`);
    });
  },
});

/** The rollout is read as it was, however far it was packed, and can be packed and unpacked again. */
async function assertRolloutIsWhole(home: CodexHome, told: string): Promise<void> {
  const handle = await home.library.open(`codex:${ID}`);
  assert.equal((await handle.conversation()).messages.at(-1)?.content, "Nothing much.", told);
  await home.pack();
  await home.undo();
  assert.deepEqual(Deno.readFileSync(home.cold), PLAIN, told);
  assert.deepEqual(Deno.statSync(home.cold).mtime, OLD, told);
}

// Slow: a rollout is packed and read again after each kill.
Deno.test("killed while a rollout is packed or unpacked, it stays whole", async () => {
  using home = new CodexHome();
  const run = async (): Promise<void> => {
    await home.pack();
    await home.undo();
  };
  const check = (_: unknown, call: string): Promise<void> => assertRolloutIsWhole(home, call);
  assert.ok(await forEachCrash(home.home, run, () => undefined, check) >= 8);
});

Deno.test({
  // Its size is that of the system: a process is started for each of its calls.
  ...atFullSize("killed before any system call on a rollout, it stays whole", STRACE),
  fn: async (t) => {
    const attempt = async (fault: readonly string[]): Promise<Traced> => {
      using home = new CodexHome();
      const calls = [...CALLS, "openat", "link", "linkat", "utimensat", "chmod"];
      const traced = await runTraced(
        [
          ...[home.cold, `${home.cold}.zst`, dirname(home.cold)].flatMap((path) => ["-P", path]),
          ...["-P", join(home.root, "packed/codex.jsonl")],
          ...["-e", `trace=${calls.join(",")}`, ...fault],
        ],
        [Deno.execPath(), "run", "-A", "--no-check", childPath("pack_sessions_child"), home.home],
      );
      await assertRolloutIsWhole(home, `${fault}`);
      return traced;
    };
    const whole = await attempt([]);
    assert.equal(whole.status, 0, whole.stderr);
    const calls = ["openat", "write", "fdatasync", "link", "linkat", "unlink"];
    const { total, tried, killed } = await killAtEach(whole, calls, attempt);
    await t.step(`${killed} of ${tried} points hit, of ${total}`, () => {
      assert.ok(total >= 6 && killed >= tried - roundsOf(6), `${killed} of ${tried}, of ${total}`);
    });
  },
});
