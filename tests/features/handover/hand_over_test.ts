import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type AgentName, REPRISE, WRITABLE_AGENTS } from "../../../lib/core/event/agent_name.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import {
  type HandedOver,
  handOver,
  type HandOverOptions,
} from "../../../lib/features/handover/hand_over.ts";
import {
  type HandoverRecord,
  handoversPath,
  readHandovers,
  recordHandover,
} from "../../../lib/features/handover/handover_record.ts";
import { planHandover } from "../../../lib/features/handover/plan.ts";
import { placeSession } from "../../../lib/features/handover/place_session.ts";
import { HANDOVER_AGENTS, handoverTarget } from "../../../lib/features/handover/target.ts";
import {
  findHandover,
  undoHandover,
  type UndoneHandover,
} from "../../../lib/features/handover/undo.ts";
import { descriptorOf, OTHER_AGENTS } from "../../../lib/library/machine/registry.ts";
import { openLibrary } from "../../../lib/library/library.ts";
import { openLocalStore } from "../../../lib/core/store/open_store.ts";
import { environmentOf } from "../../_support/handed_session.ts";
import { snapshot } from "../../_support/store_snapshot.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";
import { ORDINARY_USER } from "../../_support/unwritable.ts";
import { needing, UNIX } from "../../_support/needing.ts";

const NOW = Date.parse("2027-01-01T00:00:00.000Z");

async function* pieces(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

/** All files below a folder, with their texts. */
function filesIn(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    if (!isDirectory) found[name] = Deno.readTextFileSync(path);
    else {for (const [below, text] of Object.entries(filesIn(path))) {
        found[`${name}/${below}`] = text;
      }}
  }
  return found;
}

function mode(path: string): number {
  return (Deno.statSync(path).mode ?? 0) & 0o777;
}

inDirectory.test("a session is placed whole, for its owner alone, and nothing else is left", async (home) => {
  const path = join(home, "a/b/session.jsonl");
  const { file, beside } = await placeSession({ path }, pieces("one\n", "two ü\n"));
  assert.deepEqual(filesIn(home), { "a/b/session.jsonl": "one\ntwo ü\n" });
  assert.equal(file.bytes, 11);
  assert.match(file.sha256, /^[0-9a-f]{64}$/);
  assert.deepEqual(beside, []);
  if (Deno.build.os === "windows") return;
  assert.deepEqual([mode(path), mode(join(home, "a")), mode(join(home, "a/b"))], [
    0o600,
    0o700,
    0o700,
  ]);
});

inDirectory.test("nothing that is there is replaced, and what failed half way leaves nothing", async (home) => {
  const path = join(home, "session.jsonl");
  const beside = [{ path: join(home, ".root"), text: "/x" }];
  await Deno.writeTextFile(path, "mine\n");
  await assert.rejects(placeSession({ path, beside }, pieces("other\n")), {
    code: "io",
    message: `Cannot write session: a file with this name already exists: ${path}`,
  });
  const broken = async function* (): AsyncGenerator<string> {
    yield "half";
    throw new SessionError("io", "Cannot read on");
  };
  const free = join(home, "free.jsonl");
  await assert.rejects(placeSession({ path: free, beside }, broken()), /Cannot read on/);
  assert.deepEqual(filesIn(home), { "session.jsonl": "mine\n" });
});

inDirectory.test("files beside it are made where there are none, and a line is appended on its own", async (home) => {
  const beside = [{ path: join(home, "made"), text: "1" }, {
    path: join(home, "there"),
    text: "2",
  }];
  await Deno.writeTextFile(join(home, "there"), "mine");
  await Deno.writeTextFile(join(home, "torn.jsonl"), "{}\n{torn");
  const appended = { path: join(home, "torn.jsonl"), line: '{"a":1}\n' };
  const first = await placeSession({ path: join(home, "s"), beside, appended }, pieces("x"));
  await placeSession({
    path: join(home, "t"),
    appended: { path: join(home, "new/index.jsonl"), line: "{}" },
  }, pieces("y"));
  assert.deepEqual(first.beside.map(({ path }) => path), [join(home, "made")]);
  assert.deepEqual(filesIn(home), {
    "made": "1",
    "there": "mine",
    "s": "x",
    "t": "y",
    "torn.jsonl": '{}\n{torn\n{"a":1}\n',
    "new/index.jsonl": "{}\n",
  });
});

Deno.test({
  ...needing("a store that cannot be written is refused in one line", UNIX, ORDINARY_USER),
  async fn(): Promise<void> {
    await withDirectory(async (home) => {
      await Deno.chmod(home, 0o500);
      const path = join(home, "a/session.jsonl");
      await assert.rejects(placeSession({ path }, pieces("x")), { code: "permission" });
      await Deno.chmod(home, 0o700);
      assert.deepEqual(filesIn(home), {});
    });
  },
});

/** Hands a small session of ours over to an agent, in a home where it was used. */
async function handOne(
  home: string,
  agent: AgentName,
  options: Partial<HandOverOptions> = {},
): Promise<HandedOver> {
  const root = join(home, "root");
  await using session = openLocalStore({ root }).create({ cwd: home });
  await session.append({ kind: "user_message", payload: { content: "Hello" } });
  await session.finish();
  const handle = await openLibrary({ root, variable: () => undefined }).open(session.id);
  const target = await handoverTarget(agent, environmentOf(home));
  const plan = await planHandover(handle, target, { now: NOW });
  return await handOver(plan, target, { root, cwd: home, force: true, ...options });
}

function recordOf(
  agent: HandoverRecord["agent"],
  { id, file, beside }: HandedOver,
): HandoverRecord {
  const source = { ref: "reprise:x" };
  return { agent, id, file, beside, cwd: "/", time: new Date(NOW).toISOString(), source };
}

inDirectory.test("a hand-over is undone until its session is continued", async (home) => {
  const root = join(home, "root");
  const done = await handOne(home, "pi");
  recordHandover(root, recordOf("pi", done));
  const record = findHandover(root, done.id.slice(0, 12));
  assert.deepEqual(findHandover(root, `pi:${done.id}`), record);
  const text = await Deno.readTextFile(done.file.path);
  await Deno.writeTextFile(done.file.path, `${text}{}\n`);
  await assert.rejects(undoHandover(root, record, new Date(NOW)), (error: unknown) => {
    assert.match(
      String(error),
      /pi:.* was continued after the hand-over, so Reprise keeps this session/,
    );
    return true;
  });
  await Deno.writeTextFile(done.file.path, text);
  const { removed } = await undoHandover(root, record, new Date(NOW));
  assert.deepEqual(removed, [done.file.path]);
  assert.deepEqual(readHandovers(root), []);
  assert.throws(() => findHandover(root, done.id), { code: "not-found" });
});

inDirectory.test("the folder of a session goes with it, unless something else is in it", async (home) => {
  const root = join(home, "root");
  for (const agent of ["autohand", "keen"] as const) {
    const [one, two] = [await handOne(home, agent), await handOne(home, agent)];
    const folders = [one, two].map(({ file }) => dirname(file.path));
    await Deno.writeTextFile(join(folders[1] ?? "", "notes.txt"), "mine\n");
    for (const made of [one, two]) await undoHandover(root, recordOf(agent, made), new Date(NOW));
    const sessions = [...Deno.readDirSync(dirname(folders[0] ?? ""))].map(({ name }) => name);
    assert.deepEqual(sessions, [two.id]);
    assert.equal(await Deno.readTextFile(join(folders[1] ?? "", "notes.txt")), "mine\n");
  }
});

/** All files and folders of a home but for the store's own. */
function treeOf(home: string): string[] {
  const own = snapshot(home).map((line) => line.split(" ")).map(([path = "", ...facts]) =>
    // A folder's size and time tell nothing.
    [path, facts[4] ?? ""].join(" ")
  );
  return own.filter((line) => !/^(?:root\/sessions|root\/handovers\.jsonl)/.test(line));
}

// Slow: writes three sessions of every agent.
Deno.test("undoing leaves no line, file or folder of a hand-over, for every target", async () => {
  for (const agent of HANDOVER_AGENTS) {
    await withDirectory(async (home) => {
      const root = join(home, "root");
      const index = join(home, ".codex/session_index.jsonl");
      Deno.mkdirSync(dirname(index));
      // Its last line has no end, as after a crash.
      Deno.writeTextFileSync(index, '{"id":"1"}');
      Deno.mkdirSync(root);
      const before = treeOf(home);
      const undo = async ({ id }: HandedOver): Promise<UndoneHandover> =>
        await undoHandover(root, findHandover(root, id), new Date(NOW));
      await undo(await handOne(home, agent, { title: "T" }));
      assert.deepEqual(treeOf(home), before, agent);
      const [one, two] = [await handOne(home, agent, { title: "T" }), await handOne(home, agent)];
      Deno.writeTextFileSync(index, '{"id":"2"}\n', { append: true });
      const { kept } = await undo(one);
      // The second needs them, too.
      assert.deepEqual(kept, two.beside.length < one.beside.length ? [one.beside[0]?.path] : []);
      await undo(two);
      assert.match(Deno.readTextFileSync(index), /^\{"id":"1"\}\n?\{"id":"2"\}\n$/);
      Deno.writeTextFileSync(index, '{"id":"1"}');
      assert.deepEqual(treeOf(home), before, agent);
    });
  }
});

inDirectory.test("lines that are no record of a hand-over are passed over", async (root) => {
  await Deno.writeTextFile(handoversPath(root), 'torn\n[]\n{"agent":"pi"}\n{"undone":"pi:x"}\n');
  assert.deepEqual(readHandovers(root), []);
  assert.throws(() => findHandover(root, ""), { code: "not-found" });
});

inDirectory.test("a hand-over says how to go on, and writes elsewhere if asked", async (home) => {
  const placed = await handOne(home, "codex");
  assert.deepEqual(placed.command.argv, ["codex", "resume", placed.id]);
  // It has no command that names a session.
  assert.deepEqual((await handOne(home, "fen")).command.argv, ["fen", "--continue"]);
  assert.equal(placed.belongs, placed.file.path);
  const out = join(home, "out.jsonl");
  const elsewhere = await handOne(home, "codex", { out, title: "T" });
  assert.equal(elsewhere.file.path, out);
  assert.notEqual(elsewhere.belongs, out);
  assert.ok(!Object.keys(filesIn(home)).some((path) => path.endsWith("session_index.jsonl")));
  await handOne(home, "codex", { title: "T" });
  const [index] = Object.entries(filesIn(home)).filter(([path]) =>
    path.endsWith("session_index.jsonl")
  );
  assert.match(index?.[1] ?? "", /"thread_name":"T"/);
});

inDirectory.test("an agent that was never used, and a directory that is gone, are refused", async (home) => {
  await assert.rejects(handOne(home, "pi", { force: false }), {
    code: "not-found",
    message: "Cannot hand over to pi: pi was never used on this machine " +
      `(${home}/.pi/agent does not exist). ` +
      "To write the session to a file: --out FILE. To create the folder: --force",
  });
  await assert.rejects(handOne(home, "pi", { cwd: join(home, "gone") }), {
    code: "not-found",
    message:
      `Cannot hand over to pi: the session's directory (${home}/gone) is gone; name another directory with --cwd`,
  });
  assert.ok(!Object.keys(filesIn(home)).some((path) => path.startsWith(".pi")));
});

Deno.test("the agents that are offered are those whose sessions can be written", async () => {
  const writing: string[] = [];
  for (const name of OTHER_AGENTS) {
    const writer = await descriptorOf(name).loadWriter?.();
    if (writer !== undefined) writing.push(name);
  }
  assert.deepEqual([...HANDOVER_AGENTS].sort(), writing.sort());
  assert.deepEqual([...WRITABLE_AGENTS].sort(), [...writing, REPRISE].sort());
  await assert.rejects(handoverTarget("aider", environmentOf("/nowhere")), {
    message:
      /^Cannot hand over to .*: Reprise cannot write sessions of .*; it can write .* claude,/,
  });
});
