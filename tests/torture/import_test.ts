/** Imports of damaged sources, and imports that are stopped: killed, out of room, or by ^C. */
import { eventually } from "../_support/eventually.ts";
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import type { Agent } from "../../lib/agents/contract/agent.ts";
import { loadAgent } from "../../lib/library/machine/registry.ts";
import type { AgentName } from "../../lib/core/event/agent_name.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { isFault } from "../../lib/core/log/diagnostic.ts";
import { conversation } from "../../lib/core/projection/conversation/conversation.ts";
import { foldEvents } from "../../lib/core/projection/projection.ts";
import { folderName } from "../../lib/core/store/session_id.ts";
import { checkSourceCopy } from "../../lib/core/store/import/source_copy.ts";
import { openLocalStore } from "../../lib/core/store/open_store.ts";
import type { LocalStore } from "../../lib/core/store/local_store.ts";
import { verifyLog } from "../../lib/core/store/verify_log.ts";
import { namespaceOf } from "../../lib/core/workspace/namespace.ts";
import { readAll } from "../_support/agent_contract.ts";
import {
  CREATED,
  type ImportPeak,
  type ImportScript,
  importTalk,
} from "../_support/children/import_child.ts";
import { cliProcess } from "../_support/cli.ts";
import { CliHome } from "../_support/cli_home.ts";
import { forEachCrash } from "../_support/crash_states.ts";
import { atFullSize } from "../_support/full_size.ts";
import { everyKind } from "../_support/every_kind.ts";
import { logOf, readNow } from "../_support/log_bytes.ts";
import { childPath } from "../_support/processes.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { killAtEach, runTraced, STRACE, type Traced } from "../_support/strace.ts";
import { ALL_TORTURE } from "../_support/torture.ts";
import { inDirectory, withDirectory, withStore } from "../_support/temp_directory.ts";
import { v8Flags } from "../bench/compile_recipe.ts";
import { mutate } from "./_mutations.ts";
import { seededRandom } from "./_random.ts";
import { LINUX, needing, UNIX } from "../_support/needing.ts";

const SEED = 20261122;
const MUTANTS = ALL_TORTURE ? 150 : 20;
const ID = "3f6a2b91-0d4c-4f7e-8a15-6c2d9e7b0a48";
const CALLS = ["mkdir", "openat", "flock", "write", "fdatasync", "fsync", "rename", "unlink"];
/** The session in a damaged file, imported and checked; false where it was refused in order. */
async function importDamaged(store: LocalStore, agent: Agent, path: string): Promise<boolean> {
  try {
    const [session] = await agent.sessionsIn(path);
    if (session === undefined) return false;
    const { events } = await readAll(agent, session);
    const source = { agent: agent.name, id: session.id, path, cwd: store.root };
    const { path: log } = await store.import({ ...source, events: agent.open(session).read() });
    const wrong: string[] = [];
    await verifyLog(log, ({ code }) => void (isFault(code) && wrong.push(code)));
    assert.deepEqual(wrong, []);
    const projection = conversation({ reasoning: "include" });
    const ours = readNow(Deno.readFileSync(log)).events;
    assert.deepEqual(
      foldEvents(projection, ours).messages,
      foldEvents(projection, events).messages,
    );
    return true;
  } catch (error) {
    if (error instanceof SessionError) return false;
    throw error;
  }
}

const CORPUS: readonly [AgentName, string][] = [
  ["claude", "turn.jsonl"],
  ["codex", "tools.jsonl"],
  ["pi", "tree.jsonl"],
  ["qwen", "tools.jsonl"],
];

for (const [name, file] of CORPUS) {
  Deno.test(`T14 damaged sessions of ${name} are imported whole, or refused in order`, async () => {
    const agent = await loadAgent(name);
    const original = Deno.readFileSync(
      new URL(`../../testdata/agents/${name}/${file}`, import.meta.url),
    );
    const random = seededRandom(SEED);
    await withStore(async (store, directory) => {
      const path = join(directory, file);
      Deno.writeFileSync(path, original);
      assert.ok(await importDamaged(store, agent, path));
      let imported = 0;
      for (let turn = 0; turn < MUTANTS; turn++) {
        const { bytes, names } = mutate(original, random);
        Deno.writeFileSync(path, bytes);
        const { mtime } = Deno.statSync(path);
        try {
          imported += Number(await importDamaged(store, agent, path));
        } catch (error) {
          throw new Error(`Case ${turn} of seed ${SEED}: ${names.join(", ")}`, { cause: error });
        }
        assert.deepEqual(Deno.readFileSync(path), bytes);
        assert.equal(Deno.statSync(path).mtime?.getTime(), mtime?.getTime());
      }
      assert.ok(imported > MUTANTS / 3, `${imported} imported`);
      assert.equal((await store.list()).length, imported + 1);
    });
  });
}

Deno.test("T12 damaged logs from elsewhere are imported whole, and reach no prototype", async () => {
  const original = logOf(everyKind());
  const random = seededRandom(SEED);
  const prototypes = (): unknown => Object.getOwnPropertyDescriptors(Object.prototype);
  const before = prototypes();
  await withStore(async (store, directory) => {
    let imported = 0;
    for (let turn = 0; turn < MUTANTS; turn++) {
      const { bytes, names } = mutate(original, random);
      const { events } = readNow(bytes);
      const source = { agent: "reprise", id: "r1", path: "/elsewhere", cwd: directory };
      if (events.length === 0) continue;
      const { path, session_id } = await store.import({
        ...source,
        events: ReadableStream.from([events]),
      });
      const read = readNow(Deno.readFileSync(path));
      const faults = read.diagnostics.filter(({ code }) => isFault(code)).map(({ code }) => code);
      assert.deepEqual(
        faults.filter((code) => code !== "checksum-mismatch"),
        [],
        `Case ${turn}: ${names.join(", ")}`,
      );
      // It can be gone on with, whatever it held.
      await (await store.resume(session_id)).finish();
      imported++;
    }
    assert.ok(imported > MUTANTS / 2);
  });
  assert.deepEqual(prototypes(), before);
});

/** Makes the source of an import; gives what is to be imported. */
function scriptIn(directory: string, prompts: number): ImportScript {
  const file = join(directory, "p1.jsonl");
  Deno.mkdirSync(directory, { recursive: true });
  Deno.writeTextFileSync(file, "the source\n");
  return { root: join(directory, "store"), id: ID, prompts, file };
}

/** Imports in a process; `inject` is a fault as strace takes it. */
async function importTraced(directory: string, inject: readonly string[]): Promise<Traced> {
  const script = scriptIn(directory, 200);
  const { root } = script;
  const namespace = join(root, "sessions", namespaceOf(root));
  const folder = join(namespace, folderName(new Date(CREATED), ID));
  const draft = `${folder}.tmp`;
  const files = ["lock", "lock.json", "transcript_events.jsonl", "source", "source/p1.jsonl"];
  const paths = [root, join(root, "sessions"), namespace, folder, draft].concat(
    [...files, "source/manifest.json"].map((name) => join(draft, name)),
  );
  const command = [
    ...[Deno.execPath(), "run", "-A", "--no-check", childPath("import_child")],
    JSON.stringify(script),
  ];
  const traced = paths.flatMap((path) => ["-P", path]);
  return await runTraced([...traced, "-e", `trace=${CALLS.join(",")}`, ...inject], command);
}

/** The id that is taken, perhaps, then others. */
function ids(): () => string {
  let first = true;
  return () => {
    const id = first ? ID : crypto.randomUUID();
    first = false;
    return id;
  };
}

/** All of it is there or nothing; and it can be imported again. Gives how many there were. */
async function assertAllOrNothing(
  directory: string,
  is_done: boolean,
  prompts = 200,
): Promise<number> {
  const root = join(directory, "store");
  const store = openLocalStore({ root });
  const errors: unknown[] = [];
  const rows = await store.list({ onError: (error) => errors.push(error) });
  assert.deepEqual(errors, []);
  if (is_done) assert.equal(rows.length, 1);
  for (const { path, message_count, status: state } of rows) {
    assert.deepEqual([message_count, state], [prompts, "interrupted"]);
    assert.deepEqual(await checkSourceCopy(join(path, "..")), []);
    const { diagnostics } = readNow(Deno.readFileSync(path));
    assert.deepEqual(diagnostics, []);
  }
  assert.ok(rows.length <= 1);
  return rows.length;
}

/** What a killed import left is in the way of no other. */
async function assertImportsAgain(directory: string): Promise<void> {
  const store = openLocalStore({ root: join(directory, "store"), newId: ids() });
  const events = readNow(logOf(everyKind())).events;
  const source = { agent: "pi", id: "p2", path: "/gone", created_at: CREATED };
  await store.import({ ...source, cwd: directory, events: ReadableStream.from([events]) });
}

inDirectory.test("T5 killed before any of its calls on a file, an import leaves all or nothing", async (directory) => {
  const script = scriptIn(directory, 3);
  let is_done = false;
  let whole = 0;
  const run = async (): Promise<void> => void (is_done = await importTalk(script) > 0);
  const states = await forEachCrash(directory, run, () => is_done, async (is_done) => {
    whole += await assertAllOrNothing(directory, is_done, script.prompts);
    await assertImportsAgain(directory);
  });
  assert.ok(states >= 15 && whole >= 1 && whole < states / 2, `${whole} of ${states}`);
});

Deno.test({
  // Its size is that of the system: a process is started for each of its calls.
  ...atFullSize(
    "T5 killed before any of its system calls, an import leaves all or nothing",
    STRACE,
  ),
  fn: async (t) => {
    let untouched: Traced | undefined;
    await withDirectory(async (directory) => {
      untouched = await importTraced(directory, []);
      assert.equal(untouched.status, 0, untouched.stderr);
      assert.equal(await assertAllOrNothing(directory, true), 1);
    });
    assert.ok(untouched !== undefined);
    let whole = 0;
    const { total, tried, killed } = await killAtEach(untouched, CALLS, async (fault) => {
      let traced: Traced | undefined;
      await withDirectory(async (directory) => {
        traced = await importTraced(directory, fault);
        whole += await assertAllOrNothing(directory, traced.status === 0);
        await assertImportsAgain(directory);
      });
      assert.ok(traced !== undefined);
      return traced;
    });
    await t.step(`${killed} of ${tried} points hit, of ${total}, ${whole} sessions whole`, () => {
      assert.ok(total >= 36 && killed >= tried * 0.75 && whole < tried, basename(import.meta.url));
    });
  },
});

// Slow: each fault of the system needs a process.
Deno.test(
  needing(
    "an import that finds the disk full says so, leaves nothing, and works with room",
    STRACE,
  ),
  async () => {
    await withDirectory(async (directory) => {
      const sessions = join(directory, "store", "sessions");
      for (const call of ["write:error=ENOSPC:when=2+", "fsync:error=EIO", "rename:error=ENOSPC"]) {
        const full = await importTraced(directory, ["-e", `inject=${call}`]);
        assert.notEqual(full.status, 0, call);
        assert.match(full.stderr, /SessionError: Cannot /);
        if (call.startsWith("write")) assert.match(full.stderr, /the disk is full/);
        assert.deepEqual(snapshot(sessions).filter((line) => line.includes(ID)), [], call);
      }
      const done = await importTraced(directory, []);
      assert.equal(done.status, 0, done.stderr);
      assert.equal(await assertAllOrNothing(directory, true), 1);
    });
  },
);

// Slow: each fault of the system needs a process.
Deno.test(
  needing("a write that never reaches the disk is noticed before the session is there", STRACE),
  async () => {
    await withDirectory(async (directory) => {
      const { calls } = await importTraced(join(directory, "whole"), []);
      const writes = calls.filter((call) => /^\d+ +write\(/.test(call));
      for (const file of ["transcript_events.jsonl", "source/p1.jsonl"]) {
        const at = writes.findLastIndex((call) => call.includes(`${file}>`));
        const [, length] = / = (\d+)$/.exec(writes[at] ?? "") ?? [];
        assert.ok(length !== undefined, file);
        // The system says that all was written, and writes nothing.
        const fault = `inject=write:retval=${length}:when=${at + 1}`;
        const swallowed = await importTraced(join(directory, file), ["-e", fault]);
        assert.notEqual(swallowed.status, 0, file);
        assert.match(swallowed.stderr, /SessionError: Cannot back up session: /);
        assert.equal(await assertAllOrNothing(join(directory, file), false), 0);
      }
    });
  },
);

/** Imports and keeps so many prompts in a process of its own, whose heap is as the executable's. */
async function importPeak(prompts: number): Promise<ImportPeak> {
  let peak: ImportPeak | undefined;
  await withDirectory(async (directory) => {
    const file = join(directory, "p1.jsonl");
    Deno.writeFileSync(file, new Uint8Array(prompts * 4096));
    const script: ImportScript = { root: join(directory, "store"), id: ID, prompts, file };
    const child = childPath("import_child");
    const { stdout, success } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", `--v8-flags=${v8Flags()}`, child, JSON.stringify(script)],
    }).output();
    assert.ok(success);
    peak = JSON.parse(new TextDecoder().decode(stdout));
  });
  assert.ok(peak !== undefined);
  return peak;
}

Deno.test({
  // Less than this is lost in what the runtime takes.
  ...atFullSize("P7 memory does not grow with what is imported and kept: 60 MB, 180 MB", LINUX),
  fn: async () => {
    const [one, three] = [await importPeak(5_000), await importPeak(15_000)];
    assert.ok(one.bytes > 60_000_000 && three.bytes > 180_000_000);
    const peaks = `${one.peak_mib}, ${three.peak_mib} MiB`;
    assert.ok(three.peak_mib < one.peak_mib * 1.25 && three.peak_mib <= 160, peaks);
  },
});

// Slow: the import must still run when the signal comes.
Deno.test(needing("^C stops an import in order, and takes away what was begun", UNIX), async () => {
  await using home = new CliHome();
  const path = join(home.path, "long.jsonl");
  const file = Deno.openSync(path, { write: true, create: true });
  const [head = ""] = new TextDecoder().decode(logOf(everyKind().slice(0, 1))).split("\n");
  file.writeSync(new TextEncoder().encode(head + "\n"));
  const prompt = { kind: "user_message", payload: { content: "Hello ".repeat(3000) } };
  const rest = new TextEncoder().encode(`,${JSON.stringify(prompt).slice(1)}\n`);
  let short = 0;
  for (let seq = 2; seq < 6000; seq++) {
    file.writeSync(new TextEncoder().encode(`{"seq":${seq}`));
    file.writeSync(rest);
    if (seq === 100) short = file.statSync().size;
  }
  file.close();
  const child = cliProcess(["import", path], { home: home.path, cwd: home.work }).spawn();
  const sessions = join(home.store, "sessions");
  const begun = (): boolean => {
    try {
      return [...Deno.readDirSync(sessions)].length > 0;
    } catch {
      // Not yet.
      return false;
    }
  };
  await eventually(begun);
  child.kill("SIGINT");
  const { code, stdout } = await child.output();
  assert.equal(code, 130);
  assert.equal(new TextDecoder().decode(stdout), "");
  const left = snapshot(sessions).filter((line) => line.includes("transcript_events"));
  assert.deepEqual(left, []);
  // Its length was for the signal to come in time.
  Deno.truncateSync(path, short);
  const again = await home.run(["import", path]);
  assert.equal(again.status, 0, again.stderr);
});
