import assert from "node:assert/strict";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { keepPiSession } from "./_pi_session.ts";

async function titles(home: CliHome): Promise<unknown[]> {
  return jsonLines((await home.run(["list", "--json"])).stdout).map(({ title }) => title);
}

inHome.test("rename gives a session a title, the latest wins, and an empty one takes it back", async (home) => {
  home.keep(sessionId("aaaa"), [user("first message")]);
  const renamed = await home.run(["rename", "aaaa", "  Parser\n rewrite "]);
  assert.deepEqual(renamed, { status: 0, stdout: "", stderr: "Renamed aaaa0000\n" });
  assert.deepEqual(await titles(home), ["Parser rewrite"]);
  await home.run(["rename", "aaaa", "Later"]);
  assert.deepEqual(await titles(home), ["Later"]);
  await home.run(["rename", "aaaa", ""]);
  assert.deepEqual(await titles(home), ["first message"]);
  assert.equal((await home.run(["doctor", "aaaa"])).status, 0);
});

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
    /^Renamed [0-9a-f]{8} \(saved beside the log, because the log is being written now\)\n$/,
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
    `Renamed ${ref}: only Reprise's lists show the new title; pi still shows its own\n`,
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
