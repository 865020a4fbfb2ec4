import assert from "node:assert/strict";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { dirname, join } from "node:path";
import { answerInPi, keepPiSession } from "./_pi_session.ts";
import { keepClaudeSession, putProgram, putStatus } from "./_fake_agent.ts";
import { testsAtHome } from "../_support/cli_home.ts";
import { UNIX } from "../_support/needing.ts";

const onUnix = testsAtHome(UNIX);

async function titles(home: CliHome): Promise<unknown[]> {
  return jsonLines((await home.run(["list", "--json"])).stdout).map(({ title }) => title);
}

inHome.test("rename leaves a closed session closed", async (home) => {
  const closed = { kind: "session_closed", payload: { status: "failed", exit_code: 3 } } as const;
  home.keep(sessionId("aaaa"), [user("hi"), closed]);
  await home.run(["rename", "aaaa", "T"]);
  const [row] = jsonLines((await home.run(["list", "--json"])).stdout);
  assert.deepEqual([row?.title, row?.status], ["T", "failed"]);
});

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

inHome.test("another agent's session is renamed and archived beside its log, which stays as it is", async (home) => {
  const { ref, path } = keepPiSession(home);
  const before = await Deno.readFile(path);
  const renamed = await home.run(["rename", "pi:1111", "Named here"]);
  assert.equal(
    renamed.stderr,
    `Renamed ${ref}. Only Reprise's lists show the new title. pi still shows its own title\n`,
  );
  const archived = await home.run(["archive", ref]);
  assert.equal(archived.stderr, `Archived ${ref} in Reprise's lists\n`);
  const [listed, resumed, away] = await home.runAll([
    ["list", "--agent", "pi", "--archived", "--json"],
    ["resume", ref, "--json"],
    ["list", "--agent", "all"],
  ]);
  const rows = jsonLines(listed?.stdout ?? "").map(({ ref, title }) => [ref, title]);
  assert.deepEqual(rows, [[ref, "Named here"]]);
  assert.equal(JSON.parse(resumed?.stdout ?? "").summary.title, "Named here");
  assert.equal(away?.stdout, "");
  assert.deepEqual(await Deno.readFile(path), before);
});

inHome.test("titles, tags and notes that were given are found and shown, whichever agent's session", async (home) => {
  const pi = keepPiSession(home);
  home.keep(sessionId("aaaa"), [user("Question")]);
  const marked = [pi.ref, "aaaa"].flatMap((ref, at) => [
    ["rename", ref, `Zebra${at} crossing`],
    ["tag", ref, `kangaroo${at}`],
    ["note", ref, `ask the walrus${at}`],
  ]);
  await home.runInOrder(marked);
  for (const [at, name] of ["pi:1111aaaa", "aaaa0000"].entries()) {
    const words = ["zebra", "kangaroo", "walrus"].map((word) => `${word}${at}`);
    for (const { stdout } of await home.runAll(words.map((word) => ["search", word]))) {
      assert.match(stdout, new RegExp(name), stdout);
    }
    const { stdout: found } = await home.run(["search", "--regex", `k[a-z]+oo${at}`]);
    assert.match(found, new RegExp(name));
    const { stdout } = await home.run(["show", name]);
    assert.match(stdout, new RegExp(`^title +Zebra${at} crossing$`, "m"));
  }
});

/** Puts a thread where Codex keeps its own; returns the file of its names, too. */
function keepCodexThread(home: CliHome, id: string): { ref: string; path: string } {
  const timestamp = "2026-11-21T20:00:00.000Z";
  const folder = join(home.path, ".codex/sessions/2026/11/21");
  Deno.mkdirSync(folder, { recursive: true });
  const content = [{ type: "input_text", text: "Asked of Codex" }];
  const records = [
    { timestamp, type: "session_meta", payload: { id, cwd: home.work } },
    { timestamp, type: "response_item", payload: { type: "message", role: "user", content } },
  ];
  const rollout = join(folder, `rollout-2026-11-21T20-00-00-${id}.jsonl`);
  Deno.writeTextFileSync(rollout, records.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return { ref: `codex:${id}`, path: join(home.path, ".codex/session_index.jsonl") };
}

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
    const { status, stderr } = await home.run(["rename", ref, "Own\n title ", "--native"]);
    assert.deepEqual([status, stderr.split("\n")[0]?.startsWith("Renamed ")], [0, true], stderr);
    const text = Deno.readTextFileSync(path);
    const added = text.slice(before.length);
    assert.ok(text.startsWith(before) && added.endsWith("}\n"));
    assert.equal(added.startsWith("\n"), !before.endsWith("\n"));
    assert.partialDeepStrictEqual(JSON.parse(added), record);
    const [row] = jsonLines(
      (await home.run(["list", "--json", "--agent", ref.split(":")[0] ?? ""])).stdout,
    );
    assert.equal(row?.title, "Own title");
    assert.equal((await home.run(["rename", ref, "--native", "--undo"])).status, 0);
    assert.equal(Deno.readTextFileSync(path), before);
    const again = await home.run(["rename", ref, "--native", "--undo"]);
    assert.match(again.stderr, /Cannot undo: rename --native has not set a title for /);
  }
  const wrong = await home.runAll([
    ["rename", pi.ref, "--undo"],
    ["rename", pi.ref],
    ["rename", pi.ref, "x", "--native", "--undo"],
    ["rename", pi.ref, "", "--native"],
  ]);
  assert.deepEqual(wrong.map(({ status }) => status), [2, 2, 2, 2]);
});

// Codex keeps names in a database: its own server writes them.
onUnix.test("rename --native names a thread of Codex by its own command, and --undo gives the name before", async (home) => {
  const { ref, path } = keepCodexThread(home, UUID);
  const env = putProgram(
    home,
    "codex",
    `[ "$1" = app-server ] && [ "$CODEX_HOME" = '${dirname(path)}' ] || exit 3
while read -r line; do
  case "$line" in
    *'"id":1'*) echo '{"id":1,"result":{}}';;
    *refused*) echo '{"error":{"code":-32600},"id":2}';;
    *thread/name/set*)
      echo "$line" | sed 's/.*"threadId":\\("[^"]*"\\),"name":\\("[^"]*"\\).*/{"id":\\1,"thread_name":\\2}/' >> '${path}'
      echo '{"id":2,"result":{}}';;
  esac
done`,
  );
  const title = async (): Promise<unknown> =>
    jsonLines((await home.run(["list", "--json"])).stdout)[0]?.title;
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

inHome.test("rename --native refuses where it would hurt, or cannot be", async (home) => {
  const refused = async (ref: string, ...more: string[]): Promise<string> => {
    const { status, stderr } = await home.run(["rename", ref, ...more, "--native"]);
    assert.ok(status !== 0 && status !== 70, stderr);
    return stderr;
  };
  const claude = keepClaudeSession(home, UUID, home.work);
  const before = Deno.readTextFileSync(claude.path);
  putStatus(home, UUID, { status: "idle" });
  assert.match(
    await refused(claude.ref, "T"),
    /the session may be open in its agent, and the agent would then overwrite the title/,
  );
  assert.equal(Deno.readTextFileSync(claude.path), before);
  const pi = keepPiSession(home);
  await home.succeed(["rename", pi.ref, "T", "--native"]);
  answerInPi(pi.path, 5);
  const went_on = Deno.readTextFileSync(pi.path);
  assert.match(
    await refused(pi.ref, "--undo"),
    /the session was continued after the title was set/,
  );
  assert.equal(Deno.readTextFileSync(pi.path), went_on);
  const fen = join(home.path, ".local/state/fen/sessions/--w--/2026-11-21T20-00-00Z_f1.jsonl");
  Deno.mkdirSync(dirname(fen), { recursive: true });
  const timestamp = "2026-11-21T20:00:00Z";
  const records = [
    { type: "session", version: 2, id: "f1f1f1f1", timestamp, cwd: home.work },
    { type: "message", timestamp, message: { role: "user", content: "Asked of fen" } },
  ];
  Deno.writeTextFileSync(fen, records.map((one) => `${JSON.stringify(one)}\n`).join(""));
  assert.match(
    await refused("fen:f1f1f1f1", "T"),
    /Reprise does not know how to set a title in this agent/,
  );
  // A file elsewhere is in no list of the agent.
  const copy = join(
    home.work,
    "rollout-2026-11-21T20-00-00-3f2a91c0-1111-4222-8333-444455556666.jsonl",
  );
  keepCodexThread(home, UUID);
  Deno.renameSync(
    join(home.path, ".codex/sessions/2026/11/21", copy.slice(home.work.length + 1)),
    copy,
  );
  assert.match(await refused(copy, "T"), /the agent's own list does not include this session/);
});
