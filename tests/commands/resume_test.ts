import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { assistant, logOf, user } from "../_support/log_bytes.ts";

Deno.test("resume shows the end of a session, its facts, and how to go on", async () => {
  await using home = new CliHome();
  const talk = Array.from({ length: 20 }, (_, at) => [user(`question ${at}`), assistant(`${at}!`)]);
  const kept = home.keep(sessionId("aaaa"), [
    ...talk.flat(),
    { kind: "workspace_snapshot", payload: { root: home.work, git_branch: "topic" } },
  ]);
  const { status, stdout, stderr } = await home.run(["resume", "aaaa"]);
  assert.deepEqual([status, stderr], [0, ""]);
  assert.match(stdout, /question 19/);
  assert.doesNotMatch(stdout, /question 9/);
  for (
    const fact of [
      `Session   ${kept.id}`,
      "Title     question 0",
      `Directory ${home.work}`,
      "Branch    topic",
      "Status    interrupted, 40 messages",
    ]
  ) assert.ok(stdout.includes(`\n${fact}\n`), fact);
  assert.match(stdout, /\n {2}reprise chat --resume aaaa0000 {4}# .*\n/);
  assert.match(stdout, /\n {2}reprise record --resume aaaa0000 {4}# .*\n/);
  assert.match(stdout, /\n {2}reprise conversation aaaa0000 --format anthropic {4}# .*\n$/);
});

Deno.test("the command lines that resume prints work as they stand", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using home = new CliHome();
  const odd = join(home.work, "it's a log.jsonl");
  await Deno.writeFile(odd, logOf([user("hi")]));
  home.keep(sessionId("aaaaaaaa-000"), [user("one")]);
  home.keep(sessionId("aaaaaaaa-00a"), [user("two")]);
  const outputs = await home.runAll([["resume"], ["resume", "./it's a log.jsonl"]]);
  const lines = outputs.flatMap(({ stdout }) =>
    stdout.split("\n").filter((line) => line.startsWith("  reprise "))
  );
  assert.equal(lines.length, 5, lines.join("\n"));
  for (const line of lines) {
    const words = await shellWords(line.trim().replace(/^reprise /, ""));
    // A chat asks for a model, and here there is none.
    const chat = words[0] === "chat";
    const more = chat ? ["--model", "mock", "hi"] : [];
    const { status, stderr } = await home.run([...words, ...more], { stdin: "" });
    assert.equal(status, 0, `${line}: ${stderr}`);
    if (!chat) assert.equal(stderr, "", line);
  }
});

async function shellWords(line: string): Promise<string[]> {
  const script = `for word in ${line.split("    #")[0]}; do echo "$word"; done`;
  const { stdout } = await new Deno.Command("sh", { args: ["-c", script] }).output();
  return new TextDecoder().decode(stdout).trimEnd().split("\n");
}

Deno.test("without a reference, resume takes the directory's latest, or says that there is none", async () => {
  await using home = new CliHome();
  const none = await home.run(["resume"]);
  assert.deepEqual([none.status, none.stdout], [1, ""]);
  assert.match(none.stderr, /^reprise: Cannot find a session of .*work; see: reprise list --all/);
  home.keep(sessionId("aaaa"), [user("old")]);
  home.keep(sessionId("bbbb"), [user("latest")]);
  home.keep(sessionId("cccc"), [user("elsewhere")], { cwd: join(home.path, "other") });
  home.keep(sessionId("dddd"), [{ kind: "session_archived", payload: { archived: true } }]);
  const { status, stdout } = await home.run(["resume"]);
  assert.equal(status, 0);
  assert.match(stdout, /\nSession {3}bbbb0000-/);
});

Deno.test("resume --json is one object with summary and conversation", async () => {
  await using home = new CliHome();
  const kept = home.keep(sessionId("aaaa"), [user("hi"), assistant("there")]);
  const { status, stdout, stderr } = await home.run(["resume", "aaaa", "--json"]);
  assert.deepEqual([status, stderr], [0, ""]);
  const [listed] = jsonLines((await home.run(["list", "--json"])).stdout);
  assert.deepEqual(jsonLines(stdout), [{
    summary: listed,
    conversation: [{ role: "user", content: "hi" }, { role: "assistant", content: "there" }],
  }]);
  assert.equal(listed?.ref, kept.id);
});

Deno.test("resume of a log by its path names the session in it", async () => {
  await using home = new CliHome();
  const kept = home.keep(sessionId("aaaa"), [user("hi")]);
  const bare = join(home.work, "bare.jsonl");
  await Deno.writeFile(bare, logOf([user("hi")]));
  const results = await home.runAll([
    ["resume", kept.path, "--json"],
    ["resume", kept.directory, "--json"],
    ["resume", "./bare.jsonl", "--json"],
  ]);
  const rows = results.map(({ stdout }) =>
    jsonLines<{ summary: { ref: string; session_id: string; path: string } }>(stdout)[0]?.summary
  );
  assert.deepEqual(rows.map((row) => row?.session_id), [kept.id, kept.id, "bare.jsonl"]);
  assert.deepEqual(rows.map((row) => row?.ref), [kept.id, kept.id, bare]);
  assert.deepEqual(rows.map((row) => row?.path), [kept.path, kept.path, bare]);
  const { stdout } = await home.run(["resume", "./bare.jsonl"]);
  assert.doesNotMatch(stdout, /record --resume/);
  assert.match(stdout, /conversation .*bare\.jsonl --format/);
});

Deno.test("resume says that another process writes the session, and then not how to write it", async () => {
  await using home = new CliHome();
  const recording = home.start(["record"]);
  await recording.write('{"kind":"user_message","payload":{"content":"hi"}}\n');
  await recording.line();
  const { stdout } = await home.run(["resume"]);
  assert.match(stdout, /\nStatus {4}active, 1 message\nAnother process writes this session now\n/);
  assert.doesNotMatch(stdout, /(record|chat) --resume/);
  await recording.endInput();
  await recording.end();
});

Deno.test("resume tells a work tree that is on another branch now", async () => {
  await using home = new CliHome();
  await Deno.mkdir(join(home.work, ".git"));
  await Deno.writeTextFile(join(home.work, ".git", "HEAD"), "ref: refs/heads/main\n");
  home.keep(sessionId("aaaa"), [
    user("hi"),
    { kind: "workspace_snapshot", payload: { root: home.work, git_branch: "topic" } },
  ]);
  const { stdout } = await home.run(["resume"]);
  assert.match(stdout, /\nThe work tree is on branch main now; the session was on topic\n/);
});

Deno.test("resume --json of a session that said nothing has an empty conversation", async () => {
  await using home = new CliHome();
  home.keep(sessionId("aaaa"), []);
  const { status, stdout } = await home.run(["resume", "aaaa", "--json"]);
  assert.equal(status, 0);
  assert.deepEqual(jsonLines(stdout).map(({ conversation }) => conversation), [[]]);
});
