/** Hand-overs that need the agent's program or many files; `handover.txt` proves the others. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLocalStore } from "../../lib/core/store/open_store.ts";
import { type CliHome, inHome, sessionId, testsAtHome } from "../_support/cli_home.ts";
import { filesBelow } from "../_support/files_below.ts";
import { user } from "../_support/log_bytes.ts";
import { UNIX } from "../_support/needing.ts";
import { putProgram } from "./_fake_agent.ts";

const onUnix = testsAtHome(UNIX);

/** Keeps a session, and says that agents were used. */
function use(home: CliHome, ...folders: string[]): void {
  for (const folder of folders) Deno.mkdirSync(join(home.path, folder), { recursive: true });
  home.keep(sessionId("aaaa"), [user("Run it")]);
}

interface Handed {
  id: string;
  path: string;
  prepare: string[][];
  command: string[];
}

/** Hands the session over to an agent whose program is this script; without one, it has none. */
async function handOver(home: CliHome, to: string, script?: string): Promise<Handed> {
  const env = script === undefined ? { PATH: "/nowhere" } : putProgram(home, to, script);
  const args = ["handover", "aaaa", "--to", to, "--again", "--json"];
  return JSON.parse((await home.succeed(args, { env })).stdout);
}

inHome.test("P14: what other agents have stays as it is, but for a line of Codex's index of titles", async (home) => {
  use(home, ".claude", ".codex", ".pi/agent", ".gemini/tmp", ".qwen", ".keen", ".autohand");
  const index = join(home.path, ".codex/session_index.jsonl");
  Deno.writeTextFileSync(index, '{"id":"1","thread_name":"Mine"}');
  Deno.writeTextFileSync(join(home.path, ".codex/config.toml"), "x = 1\n");
  const agents = ["claude", "codex", "pi", "gemini", "qwen"];
  const read = (): Map<string, string> =>
    new Map(
      filesBelow(home.path).filter((path) => !path.startsWith(home.store))
        .map((path) => [path, Deno.readTextFileSync(path)]),
    );
  const first = read();
  for (const to of agents) await home.succeed(["handover", "aaaa", "--to", to]);
  const before = read();
  for (const [path, text] of first) assert.equal(before.get(path), text);
  assert.ok(before.size >= agents.length + 2, `${before.size} files`);
  for (const to of agents) {
    await home.succeed(["handover", "aaaa", "--to", to, "--again", "--title", "T"]);
  }
  const after = read();
  const changed = [...before].filter(([path, text]) => after.get(path) !== text);
  assert.deepEqual(changed.map(([path]) => path), [index]);
  assert.match(after.get(index) ?? "", /^\{"id":"1","thread_name":"Mine"\}\n\{.*"T".*\}\n$/);
});

inHome.test("a session that is being written is handed over as far as it got", async (home) => {
  use(home, ".pi/agent");
  await using session = openLocalStore({ root: home.store }).create({ cwd: home.work });
  await session.append(user("So far"));
  const { stderr } = await home.succeed(["handover", session.id, "--to", "pi"]);
  assert.match(stderr, /may still be running, so only its content so far is handed over/);
  await session.finish();
});

onUnix.test("OpenCode's own import takes the session in, where it is there", async (home) => {
  use(home, ".local/share/opencode");
  const without = await handOver(home, "opencode");
  assert.deepEqual(without.prepare, [["opencode", "import", without.path]]);
  const told = join(home.path, "told");
  const taken = await handOver(home, "opencode", `echo "$@" > ${told}; pwd >> ${told}`);
  const { id, path, prepare, command } = taken;
  assert.deepEqual([prepare, command], [[], ["opencode", "--session", id]]);
  assert.equal(Deno.readTextFileSync(told), `import ${path}\n${home.work}\n`);
  assert.throws(() => Deno.statSync(path), Deno.errors.NotFound);
  const env = putProgram(home, "opencode", "");
  for (
    const [program, why] of [
      [
        "#!/bin/sh\necho no; exit 3\n",
        /Cannot run opencode import .*: .* exited with status 3: no\n/,
      ],
      ["#!/nowhere\n", /Cannot run opencode import .*: .*opencode does not start: /],
    ] as const
  ) {
    Deno.writeTextFileSync(join(home.path, "bin/opencode"), program);
    const failed = await home.run(["handover", "aaaa", "--to", "opencode", "--again"], { env });
    assert.equal(failed.status, 1);
    assert.match(failed.stderr, why);
    assert.match(failed.stdout, /^cd .* && opencode import .* && opencode --session /);
  }
});

// Slow: the import is a program of its own that loads the tests' store of OpenCode.
onUnix.test("--undo runs the agent's own command that removes what it took in", async (home) => {
  use(home, ".local/share/opencode");
  const importer = fileURLToPath(new URL("_import_opencode.ts", import.meta.url));
  const database = join(home.path, ".local/share/opencode/opencode.db");
  const deno = `'${Deno.execPath()}' run --quiet --no-lock --no-check -A '${importer}'`;
  const remove = `echo "$@" > '${home.path}/told'`;
  const script = `if [ "$1" = import ]; then ${deno} "$2" '${database}'; else ${remove}; fi`;
  const { id, prepare } = await handOver(home, "opencode", script);
  assert.deepEqual(prepare, []);
  const env = putProgram(home, "opencode", script);
  const undone = await home.run(["handover", "--undo", id], { env });
  assert.deepEqual([undone.status, undone.stderr], [0, `Removed opencode:${id}\n`]);
  assert.equal(Deno.readTextFileSync(join(home.path, "told")), `session delete ${id}\n`);
});

onUnix.test("a session that Cline takes in where it lies stays there", async (home) => {
  use(home, ".cline/data");
  const told = join(home.path, "told");
  const { id, path, prepare, command } = await handOver(home, "cline", `echo "$@" > ${told}`);
  assert.deepEqual([prepare, command], [[], ["cline", "--id", id]]);
  assert.equal(Deno.readTextFileSync(told), "history --json --limit 1\n");
  assert.ok(Deno.statSync(path).isFile);
  await home.succeed(["handover", "--undo", id]);
  assert.throws(() => Deno.statSync(path), Deno.errors.NotFound);
});

onUnix.test("a session goes on under the id that its agent prints as it takes it in", async (home) => {
  use(home, ".local/share/goose");
  const resume = ["goose", "session", "--resume"];
  const waiting = await handOver(home, "goose");
  assert.deepEqual(waiting.prepare[0]?.slice(0, 3), ["goose", "session", "import"]);
  const named = "echo 'Session imported:'; echo '20261127_3 - A title'";
  const taken = await handOver(home, "goose", named);
  const silent = await handOver(home, "goose", "echo done");
  assert.deepEqual([taken.id, taken.prepare, silent.prepare], ["20261127_3", [], []]);
  assert.deepEqual([waiting.command, silent.command], [resume, resume]);
  assert.deepEqual(taken.command, [...resume, "--session-id", "20261127_3"]);
});
