/** An agent on the library needs its store, the environment that says where that is, and no more. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { cliEnvironment } from "./_support/cli.ts";
import { CliHome } from "./_support/cli_home.ts";
import { assertNeedsItsStoreAlone } from "./_support/root_agent.ts";
import { ON_DISK } from "./_support/memory_folder.ts";
import { needing, UNIX } from "./_support/needing.ts";
import { ROOT } from "./_support/source_code.ts";
import { testsWith } from "./_support/tests_in.ts";
import { DATA_ROOT_VARIABLES } from "../lib/core/workspace/data_root.ts";

const inHome = testsWith(() => new CliHome(ON_DISK));

const AGENT = `
import { SessionError } from "${new URL("mod.ts", ROOT).href}";
import { openLocalStore } from "${new URL("lib/core/store/mod.ts", ROOT).href}";
import { readEvents } from "${new URL("lib/core/pipeline/mod.ts", ROOT).href}";
const store = openLocalStore();
const session = store.create({ cwd: Deno.cwd(), title: "T" });
await session.append({ kind: "user_message", payload: { content: "Hello" } });
await session.append({ kind: "assistant_message", payload: { content: "Hi!" } });
await session.finish();
const resumed = await store.resume(session.id);
const locked = await store.resume(session.id).then(() => "no", (error) => error.code);
await resumed.append({ kind: "user_message", payload: { content: "Again" } });
await resumed.finish({ status: "failed" });
await store.rename(session.id, "Renamed");
await store.archive(session.id);
const { messages, transcript, summary } = await store.load(session.id);
const listed = await store.list({ archived: true });
const events = (await Array.fromAsync(readEvents(resumed.path))).flat().length;
const watch = new AbortController();
for await (const _ of store.watch(session.id, { signal: watch.signal })) watch.abort();
const { to } = await store.remove(session.id);
console.log(JSON.stringify({
  locked, messages: messages.length, items: transcript.length, title: summary.title,
  status: summary.status, listed: listed.length, events, removed: to.includes("trash"),
}));
`;

interface Run {
  status: number;
  stdout: string;
  stderr: string;
}

async function runAgent(home: CliHome, permissions: readonly string[]): Promise<Run> {
  const program = join(home.work, "agent.ts");
  await Deno.writeTextFile(program, AGENT);
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", ...permissions, program],
    cwd: home.work,
    env: cliEnvironment({ home: home.path, env: { NO_COLOR: "1" } }),
    clearEnv: true,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { status: code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

function least({ store }: CliHome): string[] {
  return ["--allow-read", `--allow-write=${store}`, `--allow-env=${DATA_ROOT_VARIABLES.join(",")}`];
}

inHome.test("an agent keeps, resumes, lists, watches and removes sessions with no other permission", async (home) => {
  const { status, stdout, stderr } = await runAgent(home, least(home));
  assert.deepEqual([status, stderr], [0, ""]);
  assert.deepEqual(JSON.parse(stdout), {
    locked: "locked",
    messages: 3,
    items: 5,
    title: "Renamed",
    status: "failed",
    listed: 1,
    events: 12,
    removed: true,
  });
});

// Slow: each set of permissions is a process.
Deno.test("each of these permissions is needed", async () => {
  for (const left of [0, 1, 2]) {
    await using home = new CliHome(ON_DISK);
    const permissions = least(home).filter((_, index) => index !== left);
    const { status, stderr } = await runAgent(home, permissions);
    assert.equal(status, 1);
    assert.match(stderr, /NotCapable|permission/i);
  }
});

// Slow: each set of permissions is a process.
inHome.test("an agent that names its store needs to read and write that, and no more", async (home) => {
  await assertNeedsItsStoreAlone(home, new URL("mod.ts", ROOT).href);
});

// Slow: each set of permissions is a process.
Deno.test(
  needing("without leave to know the user, another user's store is not recognized", UNIX),
  async () => {
    await using home = new CliHome(ON_DISK);
    const uid = Deno.uid() ?? 0;
    const program = join(home.work, "owner.ts");
    await Deno.writeTextFile(
      program,
      `import { unsafeReason } from "${new URL("lib/core/store/store_safety.ts", ROOT).href}";
console.log(unsafeReason({ uid: ${uid + 1}, gid: ${Deno.gid()}, mode: 0o40700 }) ?? "none");`,
    );
    // Root may use any store.
    const told = uid === 0 ? "none" : `the owner is user ${uid + 1}, not you (${uid})`;
    for (const [flags, answer] of [[[], "none"], [["--allow-sys=uid"], told]] as const) {
      const args = ["run", "--quiet", "--no-prompt", "--allow-read", ...flags, program];
      const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
      assert.equal(new TextDecoder().decode(stdout), `${answer}\n`);
    }
  },
);
