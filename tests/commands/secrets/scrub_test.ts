import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { LOG_FILE } from "../../../lib/core/store/session_folder.ts";
import { acquireLock } from "../../../lib/core/log/session_lock.ts";
import { keepSession } from "../../../lib/features/backup/keep_session.ts";
import { packGenerations } from "../../../lib/features/backup/pack_generations.ts";
import { readKeptManifest } from "../../../lib/library/machine/kept/manifest.ts";
import { jsonLines } from "../../_support/cli.ts";
import { type CliHome, inHome } from "../../_support/cli_home.ts";
import { type FolderState, stateOf } from "../../_support/crash_states.ts";
import { databaseBytes, insert } from "../../_support/database_bytes.ts";
import { filesBelow } from "../../_support/files_below.ts";
import { lines } from "../../_support/rewritten_session.ts";
import {
  claudePath,
  leaksBelow,
  leaksIn,
  OLD,
  type Planted,
  PLANTED_REFS,
  plantSecrets,
} from "../../_support/planted_secrets.ts";
import { assertScrubbed, killScrub, scrubWords } from "./_scrub.ts";

const [CLAUDE = "", CODEX = "", , , OWN = ""] = PLANTED_REFS;
const WRITE = ["--scrub", "--write", "--no-original"];

/** Plants secrets; returns those of Claude Code's session. */
function plantInClaude(home: CliHome): Planted[] {
  return plantSecrets(home).filter((_, index) => index % 5 === 0);
}

/** Asserts that files have the same bytes as before. */
function assertSameBytes(before: FolderState, call?: string): void {
  for (const [path, { bytes }] of before) {
    if (bytes !== undefined) assert.deepEqual(Deno.readFileSync(path), bytes, `${call}: ${path}`);
  }
}

// Slow: 40 secrets are looked for in ten forms in every file.
inHome.test("scrub of sessions of five agents leaves no secret in any form in any file, and else the same events and messages", async (home) => {
  const planted = plantSecrets(home);
  assert.equal(new Set(planted.map(({ kind }) => kind)).size, 12);
  const shown = async (ref: string): Promise<{ stdout: string; shape: unknown }> => {
    const { stdout } = await home.succeed(["show", ref, "--json"]);
    const { stdout: conversation } = await home.succeed(["conversation", ref]);
    const roles = conversation.match(/"role":\s*"\w+"/g);
    assert.ok((roles?.length ?? 0) > 0, conversation);
    // An event without an id of its own is named by its offset.
    const idOf = (id: unknown): unknown => /^\d+$/.test(String(id)) ? "offset" : id;
    const events = jsonLines(stdout).map(({ seq, kind, time, id }) => [seq, kind, time, idOf(id)]);
    return { stdout, shape: [events, roles] };
  };
  const before = await Promise.all(PLANTED_REFS.map(shown));
  await home.runInOrder([["list", "--all"], ["stats", "--all"], ["search", "--all", "deploy"]]);
  assert.ok(leaksBelow(home.path, planted).length > 100);
  for (const ref of PLANTED_REFS) await home.succeed(["secrets", ref, ...WRITE]);
  assertScrubbed(home, planted);
  for (const [index, ref] of PLANTED_REFS.entries()) {
    const { stdout, shape } = await shown(ref);
    assert.deepEqual(shape, before[index]?.shape, ref);
    assert.match(stdout, /\[scrubbed:[a-z-]+:[0-9a-f]{4}\]/);
    assert.doesNotMatch(stdout, /"integrity":"mismatch"/);
  }
});

/** Puts Claude Code's session into backups: an import, kept generations (one packed), and the trash. */
async function backUp(home: CliHome): Promise<void> {
  const { stdout } = await home.succeed(["import", CLAUDE, "--json"]);
  await home.succeed(["delete", String(jsonLines(stdout)[0]?.session_id)]);
  await home.succeed(["backup", CLAUDE]);
  const folder = join(home.store, "backups/claude/kept-0");
  const path = claudePath(home);
  const session = { agent: "claude", id: CLAUDE.replace("claude:", ""), path } as const;
  const text = Deno.readTextFileSync(path);
  const filler = lines(60, 1);
  const texts = [`${filler}${text}`, `{"other":1}\n${filler}${text}`, `{"third":1}\n${text}`, text];
  for (const [index, one] of texts.entries()) {
    if (index === 3) await packGenerations(folder);
    Deno.writeTextFileSync(path, one);
    Deno.utimeSync(path, OLD, OLD);
    const times = { now: new Date(), thorough: true, mend: true };
    await keepSession({ session, folder, files: [path], ...times });
  }
  assert.ok((readKeptManifest(folder)?.packed?.length ?? 0) > 1);
}

// Slow: a session is imported, kept, packed and deleted before it is scrubbed.
inHome.test("scrub reaches backups, packed generations, imports and the trash, and undo is byte-equal", async (home) => {
  const planted = plantInClaude(home);
  await backUp(home);
  const { write, undo } = await scrubWords(home, CLAUDE);
  const before = stateOf(home.path);
  assert.ok(leaksBelow(home.store, planted).length > 100);
  const { stderr } = await home.succeed(write);
  assert.match(stderr, /Undo with: reprise secrets claude:.* --scrub --undo/);
  assertScrubbed(home, planted);
  const out = join(home.path, "out.jsonl");
  await home.succeed(["doctor"]);
  assert.equal((await home.succeed(["secrets", CLAUDE, "--scrub"])).stdout, "");
  await home.succeed(["backup", "restore", CLAUDE, "--generation", "1", "--out", out]);
  await home.succeed(undo);
  for (const path of before.keys()) {
    if (path.includes("/.cache/") || path.endsWith("lock")) before.delete(path);
  }
  assertSameBytes(before);
  const after = stateOf(home.path);
  for (const [path, { mode }] of before) assert.equal(after.get(path)?.mode, mode, path);
});

inHome.test("scrub refuses a session that a process holds, names databases, and changes nothing", async (home) => {
  const planted = plantSecrets(home);
  const [log = ""] = filesBelow(home.store).filter((path) => path.endsWith(LOG_FILE));
  const database = join(home.path, ".codex/state.sqlite");
  const bytes = databaseBytes((made) => {
    made.exec("CREATE TABLE threads (title TEXT)");
    insert(made, "threads", { title: `use ${planted[1]?.secret}` });
  });
  Deno.writeFileSync(database, bytes);
  const before = stateOf(home.path);
  const holder = { pid: Deno.pid, host: "here", since: "2026-11-21T10:00:00Z" };
  const lock = await acquireLock(dirname(log), holder);
  const held = await home.run(["secrets", OWN, ...WRITE]);
  lock.release();
  assert.match(`${held.status} ${held.stderr}`, /^1 .*Cannot .*process \d+ on here/);
  const { stdout } = await home.run(["secrets", CODEX, "--scrub", "--json"]);
  const [{ files, databases } = {}] = jsonLines<{ files: string[]; databases: string[] }>(stdout);
  assert.deepEqual([files?.length, databases], [2, [database]]);
  assert.ok(planted.every(({ secret }) => !stdout.includes(secret.slice(0, 12))));
  assertSameBytes(before);
});

// Slow: the home is made again as each kill leaves it.
inHome.test("whatever call a kill precedes, each file is old or new, and the next run finishes", async (home) => {
  const planted = plantInClaude(home);
  const before = stateOf(home.path);
  for (const path of before.keys()) if (path.startsWith(home.store)) before.delete(path);
  const calls = await killScrub(home, CLAUDE, planted, (when, call) => {
    if (when === "undone") return assertSameBytes(before, call);
    for (const [path, { bytes }] of before) {
      if (bytes === undefined) continue;
      const is_old = Deno.readFileSync(path).every((byte, at) => byte === bytes[at]);
      assert.ok(is_old || leaksIn(path, planted).length === 0, `${call}: ${path}`);
    }
  });
  assert.ok(calls >= 30, `${calls}`);
});

inHome.test("a backup of a scrubbed session still belongs to it, whatever was appended before", async (home) => {
  plantSecrets(home);
  const path = claudePath(home);
  const whole = Deno.readTextFileSync(path);
  const write = (text: string, at = new Date()): void => {
    Deno.writeTextFileSync(path, text);
    Deno.utimeSync(path, at, at);
  };
  // The last record is appended only after the backup.
  write(whole.slice(0, whole.lastIndexOf("\n", whole.length - 2) + 1), new Date(+OLD - 5000));
  await home.succeed(["backup", CLAUDE]);
  write(whole, OLD);
  const refs = async (): Promise<unknown[]> => {
    const { stdout: list } = await home.succeed(["list", "--all", "--json"]);
    const { stdout: stats } = await home.succeed(["stats", "--all", "--json"]);
    return [jsonLines(list).map(({ ref }) => ref), JSON.parse(stats).sessions];
  };
  const before = await refs();
  const scrub = async (): Promise<void> => {
    await home.succeed(["secrets", CLAUDE, ...WRITE]);
    assert.deepEqual(await refs(), before);
  };
  await scrub();
  await home.succeed(["backup", CLAUDE]);
  for (const again of [() => Promise.resolve(), scrub]) {
    await again();
    const { stdout } = await home.succeed(["backup", CLAUDE, "--json"]);
    assert.equal(jsonLines(stdout)[0]?.status, "unchanged");
  }
  // Written again with the same content, such as by a restore, and with a record more.
  for (const more of ["", whole.slice(0, whole.indexOf("\n") + 1)]) {
    write(Deno.readTextFileSync(path) + more);
    assert.deepEqual(await refs(), before);
  }
});
