import assert from "node:assert/strict";
import { join } from "node:path";
import type { AgentName } from "../../../lib/core/event/agent_name.ts";
import { factsPath } from "../../../lib/library/catalogue/facts_file.ts";
import { LocatedFiles } from "../../../lib/library/catalogue/located_facts.ts";
import { lookAtSession } from "../../../lib/library/catalogue/session_state.ts";
import { Library } from "../../../lib/library/library.ts";
import { insert as insertRow } from "../../_support/database_bytes.ts";
import { databaseOf as gooseDatabase, talk } from "../../agents/goose/_store.ts";
import { databaseOf, exported, insertSession } from "../../agents/opencode/_store.ts";
import { LATER } from "../../_support/catalogued.ts";
import { type CliHome, inHome, testsAtHome } from "../../_support/cli_home.ts";
import { cliCommand, cliEnvironment } from "../../_support/cli.ts";
import { runTraced, STRACE } from "../../_support/strace.ts";
import { DatabaseSync } from "node:sqlite";
import { settle } from "../../_support/settle.ts";
import { listed as listedRows } from "../../_support/listed.ts";

const underStrace = testsAtHome(STRACE);

/** What one search for sessions reads anew of some files, and what it is told of them. */
async function recalled(
  folder: string,
  files: readonly (readonly string[])[],
  { version = "1", now = LATER }: { version?: string; now?: () => number } = {},
): Promise<{ read: number; told: unknown[] }> {
  const facts = new LocatedFiles({ folder, version, now }, "codex", new Map());
  let read = 0;
  const told: unknown[] = [];
  for (const paths of files) {
    told.push(
      await facts.recall(paths, () => {
        read++;
        const [path = ""] = paths;
        return Deno.readTextFileSync(path);
      }),
    );
  }
  facts.save();
  return { read, told };
}

inHome.test("facts of a file are remembered until one of its files changes", async (home) => {
  const path = join(home.path, "a.db");
  Deno.writeTextFileSync(path, "one");
  const files = [[path, `${path}-wal`, `${path}-journal`]];
  assert.deepEqual(await recalled(home.cache, files), { read: 1, told: ["one"] });
  assert.deepEqual(await recalled(home.cache, files), { read: 0, told: ["one"] });
  for (const beside of [`${path}-wal`, `${path}-journal`]) {
    Deno.writeTextFileSync(beside, "1");
    assert.equal((await recalled(home.cache, files)).read, 1, beside);
    assert.equal((await recalled(home.cache, files)).read, 0);
    Deno.writeTextFileSync(beside, "12");
    assert.equal((await recalled(home.cache, files)).read, 1, beside);
    Deno.removeSync(beside);
    assert.equal((await recalled(home.cache, files)).read, 1, beside);
  }
  Deno.writeTextFileSync(path, "two");
  assert.deepEqual(await recalled(home.cache, files), { read: 1, told: ["two"] });
  assert.equal((await recalled(home.cache, files, { version: "2" })).read, 1);
});

inHome.test("a file that was changed just now, or is missing, is not remembered", async (home) => {
  const path = join(home.path, "a.jsonl");
  Deno.writeTextFileSync(path, "one");
  const { changed } = lookAtSession({ agent: "codex", id: "", path });
  const now = (): number => changed + 20;
  assert.equal((await recalled(home.cache, [[path]], { now })).read, 1);
  assert.equal((await recalled(home.cache, [[path]])).read, 1);
  Deno.removeSync(path);
  for (let round = 0; round < 2; round++) {
    await assert.rejects(recalled(home.cache, [[path]]), Deno.errors.NotFound);
  }
});

inHome.test("damaged facts are read again, and files that are gone are forgotten", async (home) => {
  const files = ["a", "b"].map((name) => [join(home.path, name)]);
  for (const [path = ""] of files) Deno.writeTextFileSync(path, path);
  assert.equal((await recalled(home.cache, files)).read, 2);
  const kept = factsPath({ folder: home.cache, version: "1" });
  const bytes = Deno.readFileSync(kept);
  for (const [at, byte] of bytes.entries()) {
    if (at % 7 > 0 || byte === 0 && at % 64 > 0) continue;
    const damaged = bytes.slice();
    damaged[at] = byte ^ 4;
    Deno.writeFileSync(kept, damaged);
    assert.deepEqual(
      (await recalled(home.cache, files)).told,
      files.map(([path]) => path),
      `byte ${at}`,
    );
  }
  Deno.writeFileSync(kept, bytes.subarray(0, bytes.length / 2));
  await recalled(home.cache, files);
  assert.equal((await recalled(home.cache, files.slice(0, 1))).read, 0);
  assert.ok(!Deno.readTextFileSync(kept).includes(files[1]?.[0] ?? ""));
});

function library(home: CliHome, kept: boolean, codex = join(home.path, ".codex")): Library {
  const variable = (name: string): string | undefined => name === "CODEX_HOME" ? codex : undefined;
  const environment = { home: home.path, variable, os: Deno.build.os, root: home.store };
  const agents: AgentName[] = ["codex", "opencode", "goose"];
  const place = { root: home.store, cache: home.cache, environment, agents };
  return new Library(place, home.work, kept ? { version: "1", now: LATER } : undefined);
}

/** The ids of a list that is made anew, after asserting that the one from the catalogue is the same. */
async function listed(home: CliHome, says: string, codex?: string): Promise<string[]> {
  const made = await listedRows(library(home, false, codex), { archived: "any" });
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(await listedRows(library(home, true, codex), { archived: "any" }), made, says);
  }
  return made.map(({ session_id }) => session_id);
}

const PARENT = "01a1cccc-0000-7000-8000-000000000001";
const CHILD = "01a1cccc-0000-7000-8000-000000000002";

/** Writes a thread of Codex, in a home of its own or the usual one. */
function writeThread(home: CliHome, id: string, parent?: string, codex = ".codex"): string {
  const folder = join(home.path, codex, "sessions", "2026", "03", "01");
  Deno.mkdirSync(folder, { recursive: true });
  const path = join(folder, `rollout-2026-03-01T09-00-00-${id}.jsonl`);
  const timestamp = "2026-03-01T09:00:00.000Z";
  const source = parent === undefined ? "cli" : {
    subagent: { thread_spawn: { parent_thread_id: parent, depth: 1 } },
  };
  const content = [{ type: "input_text", text: `Question of ${id}` }];
  const lines = [
    { type: "session_meta", payload: { id, timestamp, cwd: home.work, source } },
    { type: "response_item", payload: { type: "message", role: "user", content } },
  ];
  Deno.writeTextFileSync(
    path,
    lines.map((line) => `${JSON.stringify({ timestamp, ...line })}\n`).join(""),
  );
  return path;
}

inHome.test("a thread of Codex whose parent comes, goes and changes is listed as without a cache", async (home) => {
  writeThread(home, CHILD, PARENT);
  assert.deepEqual(await listed(home, "alone"), [CHILD]);
  const parent = writeThread(home, PARENT);
  assert.deepEqual(await listed(home, "the parent came"), [PARENT]);
  const archive = join(home.path, ".codex", "archived_sessions");
  Deno.mkdirSync(archive);
  const archived = join(archive, parent.slice(parent.lastIndexOf("rollout-")));
  Deno.renameSync(parent, archived);
  assert.deepEqual(await listed(home, "the parent was archived"), [PARENT]);
  Deno.removeSync(archived);
  assert.deepEqual(await listed(home, "the parent went"), [CHILD]);
  writeThread(home, PARENT);
  writeThread(home, CHILD);
  assert.deepEqual((await listed(home, "the child has none")).sort(), [PARENT, CHILD]);
});

inHome.test("two roots of Codex with one id keep what belongs to each", async (home) => {
  writeThread(home, PARENT);
  writeThread(home, CHILD, PARENT);
  writeThread(home, CHILD, undefined, "other");
  for (const codex of [".codex", "other", ".codex"]) {
    const ids = await listed(home, codex, join(home.path, codex));
    assert.deepEqual(ids, [codex === "other" ? CHILD : PARENT], codex);
  }
});

/** Fills the databases of OpenCode and goose; gives their paths. */
function writeDatabases(home: CliHome): { opencode: string; goose: string } {
  const share = join(home.path, ".local", "share");
  const opencode = join(share, "opencode", "opencode.db");
  const goose = join(share, "goose", "sessions", "sessions.db");
  Deno.mkdirSync(join(share, "opencode"), { recursive: true });
  Deno.mkdirSync(join(share, "goose", "sessions"), { recursive: true });
  Deno.writeFileSync(opencode, databaseOf(exported("small")));
  Deno.writeFileSync(goose, gooseDatabase(talk("talk")));
  return { opencode, goose };
}

inHome.test("a session that is only in a database's -wal is listed", async (home) => {
  const { opencode, goose } = writeDatabases(home);
  assert.equal((await listed(home, "at first")).length, 2);
  const open = [opencode, goose].map((path) => {
    const database = new DatabaseSync(path);
    database.exec("PRAGMA journal_mode = WAL");
    return database;
  });
  const [first, second] = open as [DatabaseSync, DatabaseSync];
  assert.equal((await listed(home, "with -wal")).length, 2);
  const before = [opencode, goose].map((path) => Deno.statSync(path).mtime);
  const { info, messages } = exported("small");
  insertSession(first, { info: { ...info, id: "ses_added" }, messages: messages.slice(0, 0) });
  insertRow(second, "sessions", { ...talk("talk").session, id: "added" });
  assert.deepEqual([opencode, goose].map((path) => Deno.statSync(path).mtime), before);
  const ids = await listed(home, "rows in -wal");
  assert.ok(ids.includes("ses_added") && ids.includes("added"), ids.join());
  for (const database of open) database.close();
  assert.equal((await listed(home, "after the checkpoint")).length, 4);
});

// Slow: strace sees what a process opens, so that each list is a process.
underStrace.test("a second list opens no file of Codex, OpenCode and goose but what changed", async (home) => {
  const threads = [writeThread(home, PARENT), writeThread(home, CHILD, PARENT)];
  writeDatabases(home);
  await settle();
  const opened = async (...args: string[]): Promise<string[]> => {
    const command = [...cliCommand(), "list", "--all", "--json", ...args];
    const { status, stderr, calls } = await runTraced(["-e", "trace=open,openat"], command, {
      env: cliEnvironment({ home: home.path }),
      cwd: home.work,
    });
    assert.equal(status, 0, stderr);
    return [...new Set(calls.flatMap((call) => /"([^"]*\.(?:jsonl|db))"/.exec(call)?.[1] ?? []))]
      .filter((path) => path.startsWith(home.path) && !path.startsWith(home.cache)).sort();
  };
  await home.succeed(["list", "--all"]);
  Deno.writeTextFileSync(threads[1] ?? "", "\n", { append: true });
  assert.deepEqual(await opened(), [threads[1]]);
  assert.equal((await opened("--no-cache")).length, 4);
});
