/**
 * A watch over sessions that are written, compacted, truncated and deleted at random. Nothing that
 * stood for two seconds is lost, unless the machine is so busy that the watch is late. With
 * `REPRISE_TORTURE=all` there are 1,000 sessions, and 50 kills.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import {
  type BackupGeneration,
  type KeptBackup,
  listBackups,
  restoreSession,
} from "../../lib/features/backup/mod.ts";
import { type CliHome, testsAtHome } from "../_support/cli_home.ts";
import { EVERY_ROUND } from "../_support/torture.ts";

const inEveryRound = testsAtHome(EVERY_ROUND);

const WRITER = fileURLToPath(new URL("_random_sessions.ts", import.meta.url));

interface Noted {
  id: string;
  bytes: number;
  crc: number;
  /** Milliseconds: the time in which it stood. */
  since: number;
  until: number;
}

/** A change of the probe session, and the time at which its copy had it. */
interface Delay {
  since: number;
  until: number;
}

/** A watch that takes longer than this is not given the processor that it needs. */
const LATE_MS = 1000;

/** Lets a session grow until `ended`, and measures how long its copy takes to follow. */
async function measureDelays(home: CliHome, ended: Promise<unknown>): Promise<Delay[]> {
  const path = join(home.path, ".claude/projects/-probe/probe-0001.jsonl");
  Deno.mkdirSync(dirname(path), { recursive: true });
  const delays: Delay[] = [];
  let is_ended = false;
  const end = ended.finally(() => is_ended = true);
  let copy: string | undefined;
  for (let size = 0; !is_ended;) {
    const line = new TextEncoder().encode(`{"type":"user","uuid":"${delays.length}"}\n`);
    const since = Date.now();
    Deno.writeFileSync(path, line, { append: true });
    size += line.length;
    while (!is_ended && (copy === undefined || Deno.statSync(copy).size < size)) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      copy ??= probeCopy(home);
    }
    delays.push({ since, until: Date.now() });
  }
  await end;
  return delays;
}

function probeCopy(home: CliHome): string | undefined {
  const folder = join(home.store, "backups/claude");
  if (!existsSync(folder)) return undefined;
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  const name = names.find((name) => name.startsWith("probe-"));
  const copy = join(folder, name ?? "", "latest/projects/-probe/probe-0001.jsonl");
  return name !== undefined && existsSync(copy) ? copy : undefined;
}

/** True if the watch was in time while a state stood. */
function isInTime({ since, until }: Noted, delays: readonly Delay[]): boolean {
  return delays.every((one) =>
    one.until < since || one.since > until || one.until - one.since <= LATE_MS
  );
}

/** Runs the writer; returns the states that stood. */
async function write(
  home: CliHome,
  { count, seconds, seed }: { count: number; seconds: number; seed: number },
): Promise<Noted[]> {
  const notes = join(home.path, `notes-${seed}`);
  const args = [
    "run",
    "-A",
    "--no-check",
    WRITER,
    home.path,
    `${count}`,
    `${seconds}`,
    `${seed}`,
    notes,
  ];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return Deno.readTextFileSync(notes).split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Noted);
}

/** The states that are lost: those that no generation holds, nor begins with. */
async function lost(home: CliHome, noted: readonly Noted[]): Promise<Noted[]> {
  const copies = new Map<string, Uint8Array[]>();
  for (const backup of listBackups(home.store, ["claude"])) {
    const kept = copies.get(backup.id) ?? [];
    for (const one of backup.generations) kept.push(await keptBytes(home, backup, one));
    copies.set(backup.id, kept);
  }
  return noted.filter(({ id, bytes, crc }) =>
    !copies.get(id)?.some((kept) => kept.length >= bytes && crc32(kept.subarray(0, bytes)) === crc)
  );
}

/** Returns the bytes of a generation, which may be packed. */
async function keptBytes(
  home: CliHome,
  { ref }: KeptBackup,
  { number, path, bytes, packed }: BackupGeneration,
): Promise<Uint8Array> {
  if (!packed) return Deno.readFileSync(path).subarray(0, bytes);
  const out = join(home.path, "restored");
  await restoreSession(home.store, ref, { generation: number, out });
  const restored = Deno.readFileSync(out);
  Deno.removeSync(out);
  return restored;
}

inEveryRound.test("nothing that stood for two seconds while a watch ran is lost", async (home) => {
  Deno.mkdirSync(join(home.path, ".claude/projects"), { recursive: true });
  const watch = home.start(["backup", "--watch", "--json"]);
  await watch.until('"caught-up"');
  const drained = drain(watch);
  const writing = write(home, { count: 1000, seconds: 60, seed: 1 });
  const delays = await measureDelays(home, writing);
  const noted = (await writing).filter((one) => isInTime(one, delays));
  watch.kill("SIGTERM");
  await drained;
  assert.equal((await watch.end()).status, 0);
  const slowest = Math.max(...delays.map(({ since, until }) => until - since));
  assert.ok(noted.length > 1000, `${noted.length}: the machine is busy (${slowest} ms)`);
  const missing = await lost(home, noted);
  assert.deepEqual(missing.slice(0, 5), [], `${missing.length} of ${noted.length}`);
});

inEveryRound.test("after each of 50 kills the backups are whole, and the sessions are caught up", async (home) => {
  Deno.mkdirSync(join(home.path, ".claude/projects"), { recursive: true });
  const writing = write(home, { count: 200, seconds: 45, seed: 2 });
  let ended = false;
  const noted = writing.finally(() => ended = true);
  let kills = 0;
  while (!ended || kills < 50) {
    const watch = home.start(["backup", "--watch", "--json"]);
    await new Promise((resolve) => setTimeout(resolve, 350 + (kills * 37) % 500));
    watch.kill("SIGKILL");
    await watch.end();
    kills++;
    await assertAllWhole(home, `after ${kills} kills`);
  }
  await noted;
  const watch = home.start(["backup", "--watch", "--json"]);
  await watch.until('"caught-up"');
  watch.kill("SIGTERM");
  await watch.end();
  await assertAllWhole(home, "at the end");
  let compared = 0;
  for (const { source, standing, generations } of listBackups(home.store, ["claude"])) {
    if (!standing) continue;
    const bytes = Deno.readFileSync(source);
    if (bytes.length === 0) continue;
    assert.deepEqual(Deno.readFileSync(generations.at(-1)?.path ?? ""), bytes);
    compared++;
  }
  assert.ok(kills >= 50 && compared > 100, `${kills} ${compared}`);
});

async function assertAllWhole(home: CliHome, when: string): Promise<void> {
  for (const backup of listBackups(home.store, ["claude"])) {
    for (const one of backup.generations.filter(({ bytes }) => bytes > 0)) {
      const kept = await keptBytes(home, backup, one);
      assert.equal(kept.length, one.bytes, `${backup.folder}, generation ${one.number}, ${when}`);
    }
  }
}

/** Reads all that the program prints, so that it does not wait. */
async function drain(watch: { line(): Promise<string | undefined> }): Promise<void> {
  while (await watch.line() !== undefined) { /* read */ }
}
