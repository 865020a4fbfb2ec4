/** What a repair refuses, and what stands then: the session as it was, and nothing beside it. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { basename, dirname, join } from "node:path";
import { checkDatabase, examineSession } from "../../../lib/features/repair/examine_session.ts";
import {
  repairCopy,
  type RepairedSession,
  type RepairInPlaceOptions,
  repairSession,
} from "../../../lib/features/repair/repair_session.ts";
import { undoRepair } from "../../../lib/features/repair/undo_repair.ts";
import { processStart } from "../../../lib/core/platform/process_state.ts";
import { ORDINARY_USER, whileUnwritable } from "../../_support/unwritable.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";
import { REPAIRED, type RepairedAgent } from "../../clients/repair/session_items.ts";
import { type SessionHome, sessionHome, wholeSession } from "./_sessions.ts";
import { LINUX, needing } from "../../_support/needing.ts";

const UUID = "01a1ffd6-9350-7520-a8da-dc02f9056bf8";

interface TornHome extends SessionHome {
  bytes: Uint8Array<ArrayBuffer>;
  repair(options?: RepairInPlaceOptions): Promise<RepairedSession>;
}

/** A session whose last record is torn, and what repairs it. */
async function tornHome(directory: string, agent: RepairedAgent): Promise<TornHome> {
  const whole = wholeSession(agent);
  const bytes = whole.slice(0, whole.length - 40);
  const home = await sessionHome(directory, agent, bytes);
  const repair = async (options: RepairInPlaceOptions = {}): Promise<RepairedSession> => {
    const session = await home.library.open(home.path);
    return await repairSession(session, { environment: home.environment, ...options });
  };
  return { ...home, bytes, repair };
}

/** Nothing changed, and nothing was left beside the session. */
async function assertUntouched(
  { path, bytes }: { path: string; bytes: Uint8Array<ArrayBuffer> },
): Promise<void> {
  assert.deepEqual(await Deno.readFile(path), bytes);
  const names = await Array.fromAsync(Deno.readDir(dirname(path)), ({ name }) => name);
  assert.deepEqual(names, [basename(path)]);
}

inDirectory.test("a session that changed in the last minute is left alone", async (directory) => {
  const home = await tornHome(directory, "pi");
  const now = new Date();
  await Deno.utime(home.path, now, now);
  await assert.rejects(home.repair(), { code: "locked", message: /changed \d+ s ago/ });
  await assertUntouched(home);
  const later = new Date(now.getTime() + 61_000);
  assert.ok((await home.repair({ now: () => later })).backup);
});

Deno.test({
  ...needing("a session is left alone while its client runs in its directory", LINUX),
  fn: () =>
    withDirectory(async (directory) => {
      const home = await tornHome(directory, "pi");
      const text = new TextDecoder().decode(home.bytes).replace("/home/u/project", directory);
      const bytes = new TextEncoder().encode(text);
      const { library, path, environment } = await sessionHome(directory, "pi", bytes);
      const args = ["-c", "echo; exec -a pi sleep 60"];
      const command = new Deno.Command("bash", { args, cwd: directory, stdout: "piped" });
      await using child = command.spawn();
      const session = await library.open(path);
      // The shell becomes `pi` soon after it has spoken.
      for await (const _ of child.stdout) break;
      for (;;) {
        const words = await Deno.readTextFile(`/proc/${child.pid}/cmdline`);
        if (words.startsWith("pi\0")) break;
      }
      const refused = { code: "locked", message: new RegExp(`\\(process ${child.pid}\\)`) };
      await assert.rejects(repairSession(session, { environment }), refused);
      child.kill();
      await child.status;
      assert.ok((await repairSession(session, { environment })).backup);
    }),
});

inDirectory.test("a session that Claude Code has open is left alone, and not one of a process that ended", async (directory) => {
  const home = await tornHome(directory, "claude");
  const folder = join(directory, ".claude", "sessions");
  await Deno.mkdir(folder);
  const note = async (procStart: string | undefined): Promise<void> => {
    const value = { pid: Deno.pid, sessionId: UUID, procStart };
    await Deno.writeTextFile(join(folder, `${Deno.pid}.json`), JSON.stringify(value));
  };
  await note(await processStart(Deno.pid));
  await assert.rejects(home.repair(), {
    code: "locked",
    message: /Claude Code has the session open/,
  });
  await assertUntouched(home);
  if (LINUX.met) await note("1");
  else await Deno.remove(folder, { recursive: true });
  assert.ok((await home.repair()).backup);
});

inDirectory.test("a thread that Codex has locked is left alone", async (directory) => {
  const home = await tornHome(directory, "codex");
  const lock = join(directory, ".codex", "thread-writer-locks", `${UUID}.lock`);
  await Deno.mkdir(dirname(lock));
  await Deno.writeTextFile(lock, "");
  const file = await Deno.open(lock, { write: true });
  await file.lock(true);
  await assert.rejects(home.repair(), { code: "locked", message: /Codex has the session open/ });
  await assertUntouched(home);
  await file.unlock();
  file.close();
  const { backup, notes } = await home.repair();
  assert.ok(backup);
  assert.match(notes.join(), /thread_history_1/);
});

inDirectory.test("a thread of Codex that another goes on from is left alone", async (directory) => {
  const home = await tornHome(directory, "codex");
  const fork = "01a1ffd6-9350-7520-a8da-00000000f04c";
  const base = { thread_id: UUID, end_ordinal_exclusive: 2, end_byte_offset: 400 };
  const payload = { id: fork, timestamp: "2026-08-06T18:00:00Z", cwd: "/p", history_base: base };
  const head = { timestamp: "2026-08-06T18:00:00Z", type: "session_meta", payload };
  const folder = join(directory, ".codex", "archived_sessions");
  await Deno.mkdir(folder);
  const name = `rollout-2026-08-06T18-00-00-${fork}.jsonl`;
  await Deno.writeTextFile(join(folder, name), `${JSON.stringify(head)}\n`);
  const refused = {
    code: "unsupported-source",
    message: new RegExp(`its fork ${fork} still reads the first part of this file`),
  };
  await assert.rejects(home.repair(), refused);
  await assertUntouched(home);
  await repairCopy(await home.library.open(home.path), join(directory, "copy.jsonl"));
});

inDirectory.test("a session that changes while it is repaired stays as it is then", async (directory) => {
  const home = await tornHome(directory, "pi");
  const more = '{"type":"message"}\n';
  let asked = 0;
  // The last question for the time comes when the repaired file is written.
  const now = (): Date => {
    if (++asked === 3) Deno.writeTextFileSync(home.path, more, { append: true });
    return new Date();
  };
  await assert.rejects(home.repair({ now }), {
    code: "locked",
    message: /changed while it was read/,
  });
  assert.equal(asked, 3);
  const bytes = new Uint8Array([...home.bytes, ...new TextEncoder().encode(more)]);
  await assertUntouched({ path: home.path, bytes });
});

Deno.test({
  ...needing(
    "in a folder that cannot be written nothing is repaired, but a copy can be",
    ORDINARY_USER,
  ),
  fn: () =>
    withDirectory(async (directory) => {
      const home = await tornHome(directory, "pi");
      await whileUnwritable(dirname(home.path), async () => {
        const session = await home.library.open(home.path);
        assert.equal((await examineSession(session)).findings.length, 1);
        await assert.rejects(home.repair(), { code: "permission" });
        await repairCopy(session, join(directory, "copy.jsonl"));
      });
      await assertUntouched(home);
    }),
});

inDirectory.test("a link is refused, and another name of the file is told of", async (directory) => {
  const home = await tornHome(directory, "pi");
  const other = join(directory, "other.jsonl");
  await Deno.link(home.path, other);
  const { backup, notes } = await home.repair();
  assert.ok(backup);
  assert.match(notes.join(), /a second name/);
  assert.deepEqual(await Deno.readFile(other), home.bytes);
  const link = join(dirname(home.path), `2026-08-06T17-49-00-000Z_${"b".repeat(8)}.jsonl`);
  await Deno.symlink(other, link);
  const session = await home.library.open(link);
  await assert.rejects(repairSession(session), { code: "unsupported-source", message: /a link/ });
});

inDirectory.test("a file that is no session, or has no record left, is reported so", async (directory) => {
  const { library, path } = await sessionHome(directory, "pi", new Uint8Array(0));
  const torn = join(dirname(path), "torn.jsonl");
  await Deno.writeTextFile(torn, "no session\n");
  for (const odd of [path, torn, directory]) {
    const examined = library.open(odd).then((session) => examineSession(session));
    await assert.rejects(examined, { code: "unsupported-source" });
  }
  const head = '{"type":"session","id":"a","timestamp":"2026-08-06T17:49:00Z","cwd":"/p"';
  await Deno.writeTextFile(path, head);
  await assert.rejects(examineSession(await library.open(path)), { code: "damaged" });
});

inDirectory.test("a session of results without calls is left as it is", async (directory) => {
  for (const agent of ["claude", "qwen"] as const) {
    const lines = new TextDecoder().decode(wholeSession(agent)).split("\n");
    const results = lines.filter((line) => /"tool_result"/.test(line));
    const bytes = new TextEncoder().encode(results.join("\n") + "\n");
    const { library, path, environment } = await sessionHome(directory, agent, bytes);
    const session = await library.open(path);
    assert.equal(session.agent, agent);
    const refused = { code: "damaged", message: /only tool results, and their calls are missing/ };
    await assert.rejects(repairSession(session, { environment }), refused);
    await assertUntouched({ path, bytes });
  }
});

inDirectory.test("a lost first line needs a directory that nothing tells", async (directory) => {
  const [, ...lines] = new TextDecoder().decode(wholeSession("pi")).split("\n");
  const bytes = new TextEncoder().encode(lines.join("\n"));
  const { library, path, environment } = await sessionHome(directory, "pi", bytes);
  const session = await library.open(path);
  const { client, findings, messages } = await examineSession(session);
  assert.deepEqual([client, findings[0]?.needs, messages.after], ["wipes", "cwd", 0]);
  const refused = { code: "invalid-config", message: /--cwd/ };
  await assert.rejects(repairSession(session, { environment }), refused);
  await assertUntouched({ path, bytes });
});

inDirectory.test("each repair has a backup of its own, and an undo takes the one that fits", async (directory) => {
  const home = await tornHome(directory, "pi");
  const now = (): Date => new Date("2026-11-23T08:00:00Z");
  const first = await home.repair({ now });
  await sessionHome(directory, "pi", home.bytes);
  const second = await home.repair({ now });
  assert.equal(second.backup, `${first.backup}-2`);
  const session = await home.library.open(home.path);
  const { environment } = home;
  const { backup } = await undoRepair(session, { environment });
  assert.equal(backup, second.backup);
  assert.deepEqual(await Deno.readFile(home.path), home.bytes);
  const changed = { code: "locked", message: /has changed since it was repaired/ };
  await assert.rejects(undoRepair(session, { environment }), changed);
  await Deno.remove(first.backup ?? "");
  await assert.rejects(undoRepair(session, { environment }), { code: "not-found" });
  await assertUntouched(home);
});

inDirectory.test("a backup is listed as no session, by any agent", async (directory) => {
  for (const agent of REPAIRED) {
    const home = await tornHome(directory, agent);
    assert.ok((await home.repair()).backup);
    const sessions = await home.library.sessions({ agents: [agent] });
    assert.deepEqual(sessions.map(({ path }) => path), [home.path]);
  }
});

inDirectory.test("an undo leaves a session alone with which somebody has gone on", async (directory) => {
  const home = await tornHome(directory, "qwen");
  const { backup = "" } = await home.repair();
  await Deno.writeTextFile(home.path, "{}\n", { append: true });
  const after = await Deno.readFile(home.path);
  const session = await home.library.open(home.path);
  await assert.rejects(undoRepair(session, { environment: home.environment }), {
    code: "locked",
  });
  assert.deepEqual(await Deno.readFile(home.path), after);
  assert.deepEqual(await Deno.readFile(backup), home.bytes);
});

inDirectory.test("documents, and agents without known repairs, are refused", async (directory) => {
  const { library } = await sessionHome(directory, "pi", wholeSession("pi"));
  const files = ["gemini/document.json", "codex/document.json", "fen/tools.jsonl"];
  for (const name of files) {
    const path = new URL(`../../../testdata/agents/${name}`, import.meta.url).pathname;
    const copy = join(
      directory,
      name.replace("/", "-").replace("codex-document", `rollout-2025-08-01-${UUID}`),
    );
    await Deno.copyFile(path, copy);
    const session = await library.open(copy);
    await assert.rejects(examineSession(session), { code: "unsupported-source" }, name);
  }
});

inDirectory.test("a database is checked as SQLite does, and never changed", async (directory) => {
  const { library } = await sessionHome(directory, "pi", wholeSession("pi"));
  const path = join(directory, "sessions.db");
  const schema = new URL("../../../testdata/agents/goose/schema_17.sql", import.meta.url);
  const database = new DatabaseSync(path);
  database.exec(await Deno.readTextFile(schema));
  database.exec(
    "INSERT INTO sessions (id, name, working_dir) VALUES ('20260806_1', 'a', '/p'); " +
      "CREATE TABLE filler (text TEXT); CREATE INDEX filled ON filler (text); " +
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) " +
      "INSERT INTO filler SELECT printf('%0100d', i) FROM n;",
  );
  database.close();
  const session = await library.open(path);
  assert.deepEqual(await checkDatabase(session), []);
  const refused = {
    code: "unsupported-source",
    message: /a database, which Reprise never changes/,
  };
  await assert.rejects(examineSession(session), refused);
  const bytes = await Deno.readFile(path);
  bytes.fill(0xff, bytes.length - 8192, bytes.length - 4096);
  await Deno.writeFile(path, bytes);
  assert.ok((await checkDatabase(session) ?? []).length > 0);
  assert.deepEqual(await Deno.readFile(path), bytes);
});
