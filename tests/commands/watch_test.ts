/** `watch`: what runs now, of real files that change and a real recording. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { inHome, sessionId, testsAtHome } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { keepClaudeSession } from "./_fake_agent.ts";
import { atTerminal, shellLine, Terminal } from "./_terminal.ts";
import { UNIX } from "../_support/needing.ts";

const onUnix = testsAtHome(UNIX);

const UUID = "3f2a91c0-1111-4222-8333-444455556666";

interface Told {
  ref: string;
  state: string;
  doing: string;
  cwd: string;
  usage?: { output?: number };
}

/** Adds a record to a session of Claude Code that was made just now. */
function add(
  path: string,
  uuid: string,
  parentUuid: string | null,
  message: object,
  sessionId = UUID,
): void {
  const timestamp = new Date().toISOString();
  const { role: type } = message as { role: string };
  const place = { type, uuid, parentUuid, isSidechain: false };
  const record = { ...place, sessionId, timestamp, message };
  Deno.writeTextFileSync(path, `${JSON.stringify(record)}\n`, { append: true });
}

const CALL = { type: "tool_use", id: "t1", name: "Bash", input: { command: "npm test" } };
const CALLED = {
  ...{ id: "m1", role: "assistant", model: "m", content: [CALL] },
  usage: { input_tokens: 5, output_tokens: 7 },
};

inHome.test("watch --once tells what runs now of any agent, and what each does", async (home) => {
  home.keep(sessionId("aaaa"), [user("long ended")]);
  const old = keepClaudeSession(home, "11112222-1111-4222-8333-444455556666", home.work);
  assert.equal((await home.run(["watch", "--once", "--json"])).stdout, "");
  assert.equal((await home.run(["watch", "--once"])).stderr, "No session is running\n");
  const { path, ref } = keepClaudeSession(home, UUID, home.work);
  add(path, "u2", "u1", { role: "user", content: "Run the tests" });
  add(path, "a2", "u2", CALLED);
  const recording = home.talk(["record"]);
  await recording.write('{"kind":"user_message","payload":{"content":"Asked here"}}\n');
  await recording.line();
  const { status, stdout, stderr } = await home.run(["watch", "--once", "--json"]);
  assert.deepEqual([status, stderr], [0, ""]);
  const told = jsonLines<Told & Record<string, unknown>>(stdout);
  assert.deepEqual(told.map(({ state, doing, cwd }) => [state, doing, cwd]).toSorted(), [
    ["answering", "answering: Asked here", home.work],
    ["running", "running Bash npm test", home.work],
  ]);
  assert.equal(told.find((one) => one.ref === ref)?.usage?.output, 7);
  assert.ok(told.every((one) => one.ref !== old.ref));
  const text = await home.run(["watch", "--once", "--agent", "claude"]);
  assert.match(text.stdout, new RegExp(`^${ref}\t.*work\trunning Bash npm test\t12\t`));
  await recording.endInput();
  await recording.end();
});

// Slow: watch looks every second and a half, and three looks are compared.
onUnix.test("watch prints a line a change, also of a client that was killed, until ^C", async (home) => {
  const { path, ref } = keepClaudeSession(home, UUID, home.work);
  add(path, "u2", "u1", { role: "user", content: "Run the tests" });
  const id = "5e6f7a80-1111-4222-8333-444455556666";
  const killed = keepClaudeSession(home, id, home.work);
  add(killed.path, "k2", "u1", { role: "user", content: "Wait" }, id);
  const client = new Deno.Command("sleep", { args: ["60"], stdin: "null" }).spawn();
  const folder = join(home.path, ".claude", "sessions");
  Deno.mkdirSync(folder);
  const { pid } = client;
  Deno.writeTextFileSync(join(folder, `${pid}.json`), JSON.stringify({ pid, sessionId: id }));
  const watching = home.talk(["watch", "--json"]);
  const first = [await watching.line(), await watching.line()]
    .map((line) => JSON.parse(line ?? "") as Told);
  const told = first.map((one) => `${one.ref} ${one.state}`);
  assert.deepEqual(told.sort(), [`${ref} answering`, `${killed.ref} answering`]);
  add(path, "a2", "u2", CALLED);
  client.kill("SIGKILL");
  await client.status;
  assert.match(await watching.until("running Bash npm test"), /"state":"running"/);
  assert.equal(await watching.line(), JSON.stringify({ ref: killed.ref, state: "ended" }));
  await Deno.remove(path);
  assert.match(await watching.until("ended"), new RegExp(`"ref":"${ref}"`));
  watching.kill("SIGINT");
  assert.equal((await watching.end()).status, 130);
});

const TABLE = /id +agent +directory +since +tokens +cost +now/;

// Slow: watch looks every second and a half.
atTerminal.test("on a terminal watch keeps a table up to date; Enter reads a session, q comes back and ends", async (home) => {
  const script = `${shellLine(["watch"])}; echo "status=$?"`;
  await using terminal = await Terminal.open(home, script, { columns: 110 });
  await terminal.until(/No session is running/);
  const { path } = keepClaudeSession(home, UUID, home.work);
  add(path, "u2", "u1", { role: "user", content: "Run the tests" });
  const screen = await terminal.until(/> 3f2a91c0 +claude .*answering: Run the tests/);
  assert.match(screen, TABLE);
  await terminal.press("Enter");
  const read = await terminal.until(/Run the tests[^]*\? keys/, "visible");
  assert.match(read, /^Asked of Claude · Claude Code · /);
  add(path, "a2", "u2", CALLED);
  await terminal.press("q");
  // What changed meanwhile is there, and what changes now comes.
  assert.match(await terminal.until(/running Bash npm test/, "visible"), TABLE);
  add(path, "u3", "a2", { role: "user", content: "And now lint" });
  await terminal.until(/answering: And now lint/, "visible");
  await terminal.press("q");
  await terminal.until(/status=0$/m);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("^C ends watch from its table and from a session, with the status of what is interrupted", async (home) => {
  const { path } = keepClaudeSession(home, UUID, home.work);
  add(path, "u2", "u1", { role: "user", content: "Run the tests" });
  const script = `trap : INT; ${shellLine(["watch"])}; echo "status=$?"`;
  for (const reads of [false, true]) {
    await using terminal = await Terminal.open(home, script, { columns: 110 });
    await terminal.until(TABLE);
    if (reads) {
      await terminal.press("Enter");
      await terminal.until(/\? keys/, "visible");
    }
    await terminal.press("C-c");
    await terminal.until(/^status=130$/m);
  }
});
