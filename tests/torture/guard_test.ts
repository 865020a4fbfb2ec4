/**
 * A watch over sessions that are written, compacted, truncated and deleted at random. Nothing that
 * stood for two seconds is lost. With `REPRISE_TORTURE=all` there are 1,000 sessions, and 50 kills.
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import { listBackups } from "../../lib/backup/mod.ts";
import { type CliHome, testsAtHome } from "../_support/cli_home.ts";
import { EVERY_ROUND } from "../_support/torture.ts";

const inEveryRound = testsAtHome(EVERY_ROUND);

const WRITER = fileURLToPath(new URL("_random_sessions.ts", import.meta.url));

interface Noted {
  id: string;
  bytes: number;
  crc: number;
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
function lost(home: CliHome, noted: readonly Noted[]): Noted[] {
  const kept = Map.groupBy(listBackups(home.store, ["claude"]), ({ id }) => id);
  return noted.filter(({ id, bytes, crc }) => {
    const copies = (kept.get(id) ?? []).flatMap(({ generations }) => generations);
    return !copies.some(({ path, bytes: size }) =>
      size >= bytes && crc32(Deno.readFileSync(path).subarray(0, bytes)) === crc
    );
  });
}

inEveryRound.test("nothing that stood for two seconds while a watch ran is lost", async (home) => {
  Deno.mkdirSync(join(home.path, ".claude/projects"), { recursive: true });
  const watch = home.start(["backup", "--watch", "--json"]);
  await watch.until('"caught-up"');
  const drained = drain(watch);
  const noted = await write(home, { count: 1000, seconds: 60, seed: 1 });
  watch.kill("SIGTERM");
  await drained;
  assert.equal((await watch.end()).status, 0);
  assert.ok(noted.length > 2000, `${noted.length}`);
  const missing = lost(home, noted);
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
    for (const { generations, folder } of listBackups(home.store, ["claude"])) {
      for (const { path, bytes } of generations) {
        if (bytes > 0) assertWhole(`${folder} after ${kills} kills`, path, bytes);
      }
    }
  }
  await noted;
  const watch = home.start(["backup", "--watch", "--json"]);
  await watch.until('"caught-up"');
  watch.kill("SIGTERM");
  await watch.end();
  let compared = 0;
  for (const { source, standing, generations } of listBackups(home.store, ["claude"])) {
    for (const { path, bytes } of generations) {
      if (bytes > 0) assertWhole(dirname(path), path, bytes);
    }
    if (!standing) continue;
    const bytes = Deno.readFileSync(source);
    if (bytes.length === 0) continue;
    assert.deepEqual(Deno.readFileSync(generations.at(-1)?.path ?? ""), bytes);
    compared++;
  }
  assert.ok(kills >= 50 && compared > 100, `${kills} ${compared}`);
});

function assertWhole(folder: string, path: string, bytes: number): void {
  assert.ok(Deno.statSync(path).size >= bytes, folder);
}

/** Reads all that the program prints, so that it does not wait. */
async function drain(watch: { line(): Promise<string | undefined> }): Promise<void> {
  while (await watch.line() !== undefined) { /* read */ }
}
