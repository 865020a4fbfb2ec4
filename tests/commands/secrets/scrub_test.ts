import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { LOG_FILE } from "../../../lib/core/store/session_folder.ts";
import { acquireLock } from "../../../lib/core/log/session_lock.ts";
import { keepSession } from "../../../lib/features/backup/keep_session.ts";
import { packGenerations } from "../../../lib/features/backup/pack_generations.ts";
import { readKeptManifest } from "../../../lib/library/machine/kept/manifest.ts";
import { jsonLines } from "../../_support/cli.ts";
import { type CliHome, inHome } from "../../_support/cli_home.ts";
import { forEachCrash, stateOf } from "../../_support/crash_states.ts";
import { databaseBytes, insert } from "../../_support/database_bytes.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { filesBelow } from "../../_support/files_below.ts";
import { lines } from "../../_support/rewritten_session.ts";
import {
  claudePath,
  leaksBelow,
  leaksIn,
  OLD,
  PLANTED_REFS,
  plantSecrets,
} from "../../_support/planted_secrets.ts";

// Slow: 40 secrets are looked for in ten forms in every file.
inHome.test("scrub of sessions of five agents leaves no secret in any form in any file", async (home) => {
  const planted = plantSecrets(home);
  assert.equal(new Set(planted.map(({ kind }) => kind)).size, 12);
  await home.runInOrder([["list", "--all"], ["stats", "--all"], ["search", "--all", "deploy"]]);
  assert.ok(leaksBelow(home.path, planted).length > 100);
  for (const ref of PLANTED_REFS) {
    await home.succeed(["secrets", ref, "--scrub", "--write", "--no-original"]);
  }
  assert.deepEqual(leaksBelow(home.path, planted), []);
});

/** Makes a key, and returns the options that open what is encrypted for it. */
async function makeKey(home: CliHome): Promise<string[]> {
  const path = join(home.path, "key.txt");
  await home.succeed(["key", "new", "--out", path]);
  return ["--identity", path];
}

/** Puts the session into backups: an import, kept generations (one packed), and the trash. */
async function backUp(home: CliHome, ref: string, path: string): Promise<void> {
  const { stdout } = await home.succeed(["import", ref, "--json"]);
  const imported = String(jsonLines(stdout)[0]?.session_id);
  await home.succeed(["delete", imported]);
  await home.succeed(["backup", ref]);
  const folder = join(home.store, "backups/claude/kept-0");
  const id = ref.slice(ref.indexOf(":") + 1);
  const session = { agent: "claude", id, path } as const;
  const keep = async (text: string): Promise<void> => {
    Deno.writeTextFileSync(path, text);
    Deno.utimeSync(path, OLD, OLD);
    const times = { now: new Date(), thorough: true, mend: true };
    await keepSession({ session, folder, files: [path], ...times });
  };
  const text = Deno.readTextFileSync(path);
  const filler = lines(60, 1);
  await keep(`${filler}${text}`);
  await keep(`{"other":1}\n${filler}${text}`);
  await keep(`{"third":1}\n${text}`);
  await packGenerations(folder);
  await keep(text);
  assert.ok((readKeptManifest(folder)?.packed?.length ?? 0) > 1);
}

// Slow: a session is imported, kept, packed and deleted before it is scrubbed.
inHome.test("scrub reaches backups, packed generations, imports and the trash, and undo is byte-equal", async (home) => {
  const planted = plantSecrets(home);
  const [ref = ""] = PLANTED_REFS;
  const path = claudePath(home);
  await backUp(home, ref, path);
  const key = await makeKey(home);
  const before = stateOf(home.path);
  const mine = planted.filter((_, index) => index % 5 === 0);
  assert.ok(leaksBelow(home.store, mine).length > 100);
  const { stderr } = await home.succeed(["secrets", ref, "--scrub", "--write", ...key]);
  assert.match(stderr, /Undo with: reprise secrets claude:.* --scrub --undo/);
  assert.deepEqual(leaksBelow(home.path, mine), []);
  const [checked, again, backup] = await home.runInOrder([
    ["doctor"],
    ["secrets", ref, "--scrub"],
    ["backup", "restore", ref, "--generation", "1", "--out", join(home.path, "out.jsonl")],
  ]);
  assert.equal(checked?.status, 0, checked?.stdout);
  assert.deepEqual([again?.status, again?.stdout], [0, ""]);
  assert.equal(backup?.status, 0, backup?.stderr);
  Deno.removeSync(join(home.path, "out.jsonl"));
  await home.succeed(["secrets", ref, "--scrub", "--undo", ...key]);
  const after = stateOf(home.path);
  for (const [name, { bytes, mode }] of before) {
    if (name.includes("/.cache/") || name.endsWith("lock")) continue;
    assert.deepEqual(after.get(name)?.bytes, bytes, name);
    assert.equal(after.get(name)?.mode, mode, name);
  }
});

inHome.test("scrub refuses a session that is open, and what has no key, and changes nothing", async (home) => {
  const planted = plantSecrets(home);
  const [claude = "", codex = "", pi = "", , own = ""] = PLANTED_REFS;
  const [log = ""] = filesBelow(home.store).filter((path) => path.endsWith(LOG_FILE));
  const [session = ""] = filesBelow(join(home.path, ".pi"));
  Deno.utimeSync(session, new Date(), new Date());
  const database = join(home.path, ".codex/state.sqlite");
  const row = { title: `use ${planted[1]?.secret}` };
  Deno.writeFileSync(
    database,
    databaseBytes((made) => {
      made.exec("CREATE TABLE threads (title TEXT)");
      insert(made, "threads", row);
    }),
  );
  const before = stateOf(home.path);
  const write = ["--scrub", "--write", "--no-original"];
  const holder = { pid: Deno.pid, host: "here", since: "2026-11-21T10:00:00Z" };
  const lock = await acquireLock(dirname(log), holder);
  const [open, held, keyless, keyed, none] = await home.runInOrder([
    ["secrets", pi, ...write],
    ["secrets", own, ...write],
    ["secrets", claude, "--scrub", "--write"],
    ["secrets", claude, "--scrub", "--undo"],
    ["secrets", codex, "--scrub", "--json"],
  ]);
  lock.release();
  assert.deepEqual([open?.status, held?.status, keyless?.status, keyed?.status], [1, 1, 2, 2]);
  assert.match(
    open?.stderr ?? "",
    /changed \d+ s ago, so pi may have the session open; wait a minute/,
  );
  assert.match(held?.stderr ?? "", /Cannot .*process \d+ on here/);
  assert.match(
    keyless?.stderr ?? "",
    /To keep no original: --no-original. To make a key: reprise config/,
  );
  assert.match(keyed?.stderr ?? "", /--identity FILE, or set REPRISE_IDENTITY/);
  const [told] = jsonLines(none?.stdout ?? "");
  assert.deepEqual((told?.files as unknown[]).length, 2);
  assert.deepEqual(told?.databases, [database]);
  const said = JSON.stringify([open, held, keyless, keyed, none]);
  assert.ok(planted.every(({ secret }) => !said.includes(secret.slice(0, 12))));
  const after = stateOf(home.path);
  for (const [path, { bytes }] of before) assert.deepEqual(after.get(path)?.bytes, bytes, path);
});

inHome.test("a scrubbed session has the same events and messages but for the secrets", async (home) => {
  plantSecrets(home);
  const shape = async (ref: string): Promise<unknown> => {
    const { stdout } = await home.succeed(["show", ref, "--json"]);
    const { stdout: conversation } = await home.succeed(["conversation", ref]);
    const roles = conversation.match(/"role":\s*"\w+"/g);
    assert.ok((roles?.length ?? 0) > 0, conversation);
    // An event without an id of its own is named by its offset.
    const idOf = (id: unknown): unknown => /^\d+$/.test(String(id)) ? "offset" : id;
    return [jsonLines(stdout).map(({ seq, kind, time, id }) => [seq, kind, time, idOf(id)]), roles];
  };
  for (const ref of PLANTED_REFS) {
    const before = await shape(ref);
    await home.succeed(["secrets", ref, "--scrub", "--write", "--no-original"]);
    assert.deepEqual(await shape(ref), before, ref);
    const { stdout } = await home.succeed(["show", ref, "--json"]);
    assert.match(stdout, /\[scrubbed:[a-z-]+:[0-9a-f]{4}\]/);
    assert.doesNotMatch(stdout, /"integrity":"mismatch"/);
  }
});

// Slow: the home is made again as each kill leaves it.
inHome.test("whatever call a kill precedes, each file is old or new, and the next run finishes", async (home) => {
  const planted = plantSecrets(home);
  const [ref = ""] = PLANTED_REFS;
  const mine = planted.filter((_, index) => index % 5 === 0);
  const key = await makeKey(home);
  const before = stateOf(home.path);
  const args = ["secrets", ref, "--scrub", "--write", ...key];
  let [seen, checked] = [0, 0];
  const every = Math.ceil(36 / roundsOf(36, 5));
  await forEachCrash(home.path, () => home.run(args), () => undefined, async (_, call) => {
    if (seen++ % every !== 0) return;
    checked++;
    for (const [path, { bytes }] of before) {
      if (bytes === undefined || path.startsWith(home.store)) continue;
      const is_old = Deno.readFileSync(path).every((byte, at) => byte === bytes[at]);
      assert.ok(is_old || leaksIn(path, mine).length === 0, `${call}: ${path}`);
    }
    await home.succeed(args);
    assert.deepEqual(leaksBelow(home.path, mine), [], call);
    const drafts = filesBelow(home.path).filter((path) => path.includes("reprise-scrub"));
    assert.deepEqual(drafts, [], call);
    await home.succeed(["secrets", ref, "--scrub", "--undo", ...key]);
    for (const [path, { bytes }] of before) {
      if (bytes !== undefined && !path.startsWith(home.store)) {
        assert.deepEqual(Deno.readFileSync(path), bytes, `${call}: ${path}`);
      }
    }
  });
  assert.ok(seen >= 30 && checked > 3, `${checked} of ${seen}`);
});

inHome.test("a backup of a scrubbed session still belongs to it, whatever was appended before", async (home) => {
  plantSecrets(home);
  const [ref = ""] = PLANTED_REFS;
  const path = claudePath(home);
  const whole = Deno.readTextFileSync(path);
  const write = (text: string, at: Date): void => {
    Deno.writeTextFileSync(path, text);
    Deno.utimeSync(path, at, at);
  };
  // The last record is appended only after the backup.
  write(whole.slice(0, whole.lastIndexOf("\n", whole.length - 2) + 1), new Date(+OLD - 5000));
  await home.succeed(["backup", ref]);
  write(whole, OLD);
  const refs = async (): Promise<unknown[]> => {
    const [list, stats] = await home.runInOrder([
      ["list", "--all", "--json"],
      ["stats", "--all", "--json"],
    ]);
    const rows = jsonLines(list?.stdout ?? "").map(({ ref }) => ref);
    return [rows, JSON.parse(stats?.stdout ?? "").sessions];
  };
  const before = await refs();
  await home.succeed(["secrets", ref, "--scrub", "--write", "--no-original"]);
  assert.deepEqual(await refs(), before);
  await home.succeed(["backup", ref]);
  const { stdout } = await home.succeed(["backup", ref, "--json"]);
  assert.equal(jsonLines(stdout)[0]?.status, "unchanged");
  await home.succeed(["secrets", ref, "--scrub", "--write", "--no-original"]);
  const { stdout: again } = await home.succeed(["backup", ref, "--json"]);
  assert.equal(jsonLines(again)[0]?.status, "unchanged");
  assert.deepEqual(await refs(), before);
  // Written again with the same content, such as by a restore.
  write(Deno.readTextFileSync(path), new Date());
  assert.deepEqual(await refs(), before);
  write(`${Deno.readTextFileSync(path)}${whole.slice(0, whole.indexOf("\n") + 1)}`, new Date());
  assert.deepEqual(await refs(), before);
});

inHome.test("a rollout on whose offsets another one depends is refused, also in a dry run", async (home) => {
  plantSecrets(home);
  const [, codex = ""] = PLANTED_REFS;
  const id = "0198cccc-2222-7000-8000-00000000c0de";
  const history_base = { thread_id: codex.replace("codex:", ""), byte_offset: 100 };
  const payload = { id, cwd: home.work, timestamp: "2026-11-21T11:00:00.000Z", history_base };
  const head = { timestamp: payload.timestamp, type: "session_meta", payload };
  const folder = join(home.path, ".codex/sessions/2026/11/21");
  const path = join(folder, `rollout-2026-11-21T11-00-00-${id}.jsonl`);
  Deno.writeTextFileSync(path, `${JSON.stringify(head)}\n`);
  for (const more of [[], ["--write", "--no-original"]]) {
    const { status, stderr } = await home.run(["secrets", codex, "--scrub", ...more]);
    assert.deepEqual([status, stderr.includes(`session ${id} depends on byte offsets`)], [1, true]);
  }
});
