import assert from "node:assert/strict";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome, testsAtHome } from "../_support/cli_home.ts";
import { join } from "node:path";
import { answerInPi, keepPiSession } from "./_pi_session.ts";
import { keepClaudeSession, putProgram, putStatus } from "./_fake_agent.ts";
import { UNIX } from "../_support/needing.ts";
import { put } from "./_transcript_home.ts";

const onUnix = testsAtHome(UNIX);

async function titles(home: CliHome): Promise<unknown[]> {
  return jsonLines((await home.run(["list", "--json"])).stdout).map(({ title }) => title);
}

inHome.test("a session that is being written is renamed beside its log", async (home) => {
  const recording = home.talk(["record"]);
  await recording.write('{"kind":"user_message","payload":{"content":"hi"}}\n');
  const { session_id = "" } = JSON.parse(await recording.line() ?? "{}");
  const { stderr } = await home.succeed(["rename", session_id, "While written"]);
  assert.match(
    stderr,
    /^Renamed [0-9a-f]{8} \(saved in a separate file, because another process is writing the session's log\)\n$/,
  );
  assert.deepEqual(await titles(home), ["While written"]);
  await recording.endInput();
  assert.equal((await recording.end()).status, 0);
  assert.deepEqual(await titles(home), ["While written"]);
});

const UUID = "3f2a91c0-1111-4222-8333-444455556666";

inHome.test("rename --native appends what the agent appends, and --undo takes back each byte", async (home) => {
  const claude = keepClaudeSession(home, UUID, home.work);
  // Its client was killed in the middle of a line.
  Deno.writeTextFileSync(claude.path, '{"type":"assis', { append: true });
  const pi = keepPiSession(home);
  const expected = [
    [claude, { type: "custom-title", customTitle: "Own title", sessionId: UUID }],
    [pi, { type: "session_info", parentId: "a1", name: "Own title" }],
  ] as const;
  for (const [{ ref, path }, record] of expected) {
    const before = Deno.readTextFileSync(path);
    await home.run(["rename", ref, "Mark of ours"]);
    const { stderr } = await home.succeed(["rename", ref, "Own\n title ", "--native"]);
    assert.match(stderr, /^Renamed /);
    const text = Deno.readTextFileSync(path);
    const added = text.slice(before.length);
    assert.ok(text.startsWith(before) && added.endsWith("}\n"));
    assert.equal(added.startsWith("\n"), !before.endsWith("\n"));
    assert.partialDeepStrictEqual(JSON.parse(added), record);
    assert.ok((await titles(home)).includes("Own title"));
    await home.succeed(["rename", ref, "--native", "--undo"]);
    assert.ok(!(await titles(home)).includes("Own title"));
    assert.equal(Deno.readTextFileSync(path), before);
    const again = await home.run(["rename", ref, "--native", "--undo"]);
    assert.match(again.stderr, /Cannot undo: rename --native has not set a title for /);
  }
});

// Codex keeps names in a database: its own server writes them.
onUnix.test("rename --native names a thread of Codex by its own command, and --undo gives the name before", async (home) => {
  const timestamp = "2026-11-21T20:00:00.000Z";
  const content = [{ type: "input_text", text: "Asked of Codex" }];
  const records = [
    { timestamp, type: "session_meta", payload: { id: UUID, cwd: home.work } },
    { timestamp, type: "response_item", payload: { type: "message", role: "user", content } },
  ];
  const lines = records.map((one) => JSON.stringify(one)).join("\n");
  put(home, `.codex/sessions/2026/11/21/rollout-2026-11-21T20-00-00-${UUID}.jsonl: ${lines}\n`);
  const [ref, codex] = [`codex:${UUID}`, join(home.path, ".codex")];
  const env = putProgram(
    home,
    "codex",
    `[ "$1" = app-server ] && [ "$CODEX_HOME" = '${codex}' ] || exit 3
while read -r line; do
  case "$line" in
    *'"id":1'*) echo '{"id":1,"result":{}}';;
    *refused*) echo '{"error":{"code":-32600},"id":2}';;
    *thread/name/set*)
      echo "$line" | sed 's/.*"threadId":\\("[^"]*"\\),"name":\\("[^"]*"\\).*/{"id":\\1,"thread_name":\\2}/' >> '${codex}/session_index.jsonl'
      echo '{"id":2,"result":{}}';;
  esac
done`,
  );
  const title = async (): Promise<unknown> => (await titles(home))[0];
  const first = await title();
  await home.run(["rename", ref, "Mark of ours"]);
  await home.succeed(["rename", ref, "Own title", "--native"], { env });
  assert.equal(await title(), "Own title");
  await home.succeed(["rename", ref, "Later", "--native"], { env });
  assert.equal(await title(), "Later");
  for (const expected of ["Own title", first]) {
    await home.succeed(["rename", ref, "--native", "--undo"], { env });
    assert.equal(await title(), expected);
  }
  const refused = await home.run(["rename", ref, "refused", "--native"], { env });
  assert.match(
    refused.stderr,
    /Cannot rename .* in OpenAI Codex: codex app-server refused the title/,
  );
  const missing = await home.run(["rename", ref, "T", "--native"], { env: { PATH: "/nowhere" } });
  assert.match(missing.stderr, /there is no program codex on PATH/);
});

inHome.test("rename --native refuses where it would hurt", async (home) => {
  const refuses = async (path: string, why: RegExp, ...args: string[]): Promise<void> => {
    const before = Deno.readTextFileSync(path);
    const { status, stderr } = await home.run(["rename", ...args, "--native"]);
    assert.equal(status, 1, stderr);
    assert.match(stderr, why);
    assert.equal(Deno.readTextFileSync(path), before);
  };
  const claude = keepClaudeSession(home, UUID, home.work);
  putStatus(home, UUID, { status: "idle" });
  const open = /the session may be open in its agent, and the agent would then overwrite the title/;
  await refuses(claude.path, open, claude.ref, "T");
  const pi = keepPiSession(home);
  await home.succeed(["rename", pi.ref, "T", "--native"]);
  answerInPi(pi.path, 5);
  const went_on = /the session was continued after the title was set/;
  await refuses(pi.path, went_on, pi.ref, "--undo");
});
