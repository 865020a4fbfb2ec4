/** An agent with a store of its own folder, and what Deno lets it do. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { CliHome } from "./cli_home.ts";
import { type DenoRun, runDeno } from "./served_files.ts";

/** A whole turn, and what reads it again. The session's directory is out of the agent's reach. */
function program(library: string, root: string, cwd: string): string {
  return `
import { openStore } from ${JSON.stringify(library)};
const [root, cwd] = ${JSON.stringify([root, cwd])};
const store = openStore({ root });
const session = store.create({ cwd });
const turn = session.turn();
await turn.user("What is in a.ts?");
const calls = [{ id: "c1", name: "read", input: { path: "a.ts" } }];
await turn.assistant({ text: "Let me look.", calls });
await turn.start("c1");
await turn.result("c1", { output: "let a = 1;" });
const { messages: sent } = await session.request("anthropic");
await session.finish();
const again = await store.continueLast({ cwd });
await again.finish();
const listed = await store.list({ cwd });
const { messages, summary } = await store.load(session.id);
console.log(JSON.stringify({
  same: again.id === session.id, sent: sent.length, listed: listed.length,
  messages: messages.length, status: summary.status, as_named: summary.cwd === cwd,
}));
`;
}

/** A link to the session's directory, which would be resolved if it could be read. */
async function linkedDirectory(home: CliHome): Promise<string> {
  if (Deno.build.os === "windows") return home.work;
  const path = join(home.path, "link");
  await Deno.symlink(home.work, path);
  return path;
}

/** Runs the agent with leave to read and write its store, and no other. */
export async function assertNeedsItsStoreAlone(
  home: CliHome,
  library: string,
  ...flags: string[]
): Promise<DenoRun> {
  const path = join(home.work, "agent.ts");
  await Deno.writeTextFile(path, program(library, home.store, await linkedDirectory(home)));
  const allowed = [`--allow-read=${home.store}`, `--allow-write=${home.store}`];
  const audit = join(home.path, "audit.jsonl");
  const args = ["run", "--quiet", "--no-prompt", ...allowed, ...flags, path];
  const run = await runDeno(home, args, { DENO_AUDIT_PERMISSIONS: audit });
  assert.deepEqual([run.success, run.stderr], [true, ""]);
  assert.deepEqual(JSON.parse(run.stdout), {
    same: true,
    sent: 3,
    listed: 1,
    messages: 3,
    status: "completed",
    as_named: true,
  });
  // What would be refused here would be a prompt for somebody at a terminal.
  const lines = (await Deno.readTextFile(audit)).trim().split("\n");
  const asked = lines.map((line) => JSON.parse(line) as { permission: string; value: string });
  const beyond = asked.filter(({ value }) => !String(value).startsWith(home.store));
  assert.deepEqual(beyond.filter(({ permission }) => permission !== "import"), []);
  assert.ok(asked.some(({ permission }) => permission === "write"));
  return run;
}
