/** Commands on a session that branched: recorded by another program, read, copied and searched. */
import assert from "node:assert/strict";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome } from "../_support/cli_home.ts";
import { line } from "./_recorded.ts";

const RECORDED = [
  line("user_message", { content: "Mend the parser" }, { turn_id: "t1" }),
  line("assistant_message", { content: "How?" }, { turn_id: "t1" }),
  line("user_message", { content: "Rewrite it wholly" }, { turn_id: "t2" }),
  line("assistant_message", { content: "Rewritten" }, { turn_id: "t2" }),
  line("event_labeled", { target_seq: 5, label: "the rewrite" }),
  line("event_labeled", { target_seq: 2, label: "the task" }),
  line("conversation_branched", { from_seq: 3, reason: "too much" }),
  line("user_message", { content: "Patch it" }, { turn_id: "t3" }),
  line("assistant_message", { content: "Patched" }, { turn_id: "t3" }),
].join("");

/** Records the session; returns its id. */
async function record(home: CliHome): Promise<string> {
  const { status, stdout, stderr } = await home.run(["record"], { stdin: RECORDED });
  assert.deepEqual([status, stderr], [0, ""]);
  return String(jsonLines(stdout)[0]?.session_id);
}

async function print(home: CliHome, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await home.run(args);
  assert.equal(status, 0, `${args.join(" ")}\n${stderr}`);
  return stdout;
}

inHome.test("record takes branches and labels, and refuses those of no event", async (home) => {
  const id = await record(home);
  assert.match(await print(home, "doctor", id), /./);
  const { stdout } = await home.run(["record"], {
    stdin: line("user_message", { content: "a" }) + line("conversation_branched", { from_seq: 9 }) +
      line("event_labeled", { target_seq: 9 }),
  });
  const [, branch, label] = jsonLines(stdout);
  assert.match(
    JSON.stringify(branch),
    /from_seq 9 is not the number of an earlier event; from_seq must be a number from 1 to 2/,
  );
  assert.match(JSON.stringify(label), /target_seq 9 is not the number of an earlier event/);
});

inHome.test("show prints the branch in force, its full form with labels, and names the others", async (home) => {
  const id = await record(home);
  const { stdout, stderr } = await home.run(["show", id]);
  assert.match(stdout, /How\?[^]*Continued from event 3[^]*too much[^]*Patch it[^]*Patched/);
  assert.doesNotMatch(stdout, /Rewrit|the task/);
  assert.match(
    stderr,
    new RegExp(`1 other branch or subagent \\(4 records\\): reprise show ${id} --thread 4`),
  );
  assert.match(
    await print(home, "show", id, "--full"),
    /Label of #2: the task\n[^]*Mend the parser/,
  );
  const last = await print(home, "show", id, "--last", "3");
  assert.match(last, /Continued from event 3|Patch it/);
  assert.doesNotMatch(last, /Rewrit/);
});

inHome.test("show --threads lists the left branch with its labels and where it left", async (home) => {
  const id = await record(home);
  const lines = (await print(home, "show", id, "--threads")).trimEnd().split("\n");
  assert.equal(lines.length, 2);
  assert.match(lines[0] ?? "", /^main .*#2 the task/);
  assert.match(
    lines[1] ?? "",
    /^4 +branch +4 records .*from #3 +#5 the rewrite +Rewrite it wholly/,
  );
  const [main, left] = jsonLines(await print(home, "show", id, "--threads", "--json"));
  assert.deepEqual(main?.labels, { 2: "the task" });
  assert.deepEqual([left?.id, left?.parent], ["4", { thread: "main", seq: 3 }]);
});

inHome.test("a thread, or the number of an event on it, opens the left branch", async (home) => {
  const id = await record(home);
  for (const args of [[`${id}~4`], [`${id}~5`], [id, "--thread", "4"]]) {
    const text = await print(home, "show", ...args);
    assert.match(text, /Mend the parser[^]*Rewrite it wholly[^]*Rewritten/);
    assert.doesNotMatch(text, /Patch/);
  }
  const at = await print(home, "show", `${id}#5`);
  assert.match(at, /▶ #5[^]*Rewritten/);
  assert.doesNotMatch(at, /Patch/);
  assert.match(await print(home, "conversation", `${id}~4`), /Rewritten/);
  assert.match(await print(home, "conversation", id), /Patched/);
});

inHome.test("search finds what is on a left branch, and names the thread, with an index and without", async (home) => {
  const id = await record(home);
  for (const before of [[], ["index"]]) {
    if (before.length > 0) await home.run(before);
    const [hit] = jsonLines(await print(home, "search", "wholly", "--json"));
    assert.deepEqual([hit?.seq, hit?.thread], [4, "4"]);
    const [other] = jsonLines(await print(home, "search", "patched", "--json"));
    assert.deepEqual([other?.seq, other?.thread], [10, undefined]);
    assert.match(await print(home, "search", "wholly"), new RegExp(`${id.slice(0, 8)}\\S*~4#4`));
  }
});

inHome.test("a fork at an event of a left branch goes on with that branch", async (home) => {
  const id = await record(home);
  const left = (await print(home, "fork", `${id}#5`)).trim();
  assert.match(await print(home, "conversation", left), /Rewritten/);
  const whole = (await print(home, "fork", id)).trim();
  const text = await print(home, "conversation", whole);
  assert.match(text, /Patched/);
  assert.doesNotMatch(text, /Rewritten/);
  assert.match(await print(home, "show", `${whole}~4`), /Rewritten/);
});

inHome.test("documents have the branch in force, pages all branches, and copies every event", async (home) => {
  const id = await record(home);
  const markdown = await print(home, "export", id, "--format", "md");
  assert.match(markdown, /Patched/);
  assert.doesNotMatch(markdown, /Rewritten/);
  assert.match(await print(home, "export", id, "--format", "md", "--thread", "4"), /Rewritten/);
  const page = await print(home, "export", id, "--format", "html");
  assert.match(page, /Patched[^]*Rewritten/);
  for (const more of [[], ["--redact"]]) {
    const copy = await print(home, "export", id, "--format", "jsonl", ...more);
    const kinds = jsonLines(copy).map(({ kind }) => kind);
    assert.equal(kinds.filter((kind) => kind === "user_message").length, 3, `${more}`);
    assert.ok(kinds.includes("conversation_branched") && kinds.includes("event_labeled"));
  }
});

inHome.test("an import keeps the branches of a log, and a merge has their messages one after the other", async (home) => {
  const id = await record(home);
  const copy = `${home.path}/copy.jsonl`;
  await Deno.writeTextFile(copy, await print(home, "export", id, "--format", "jsonl"));
  const imported = (await print(home, "import", copy)).trim();
  const text = await print(home, "conversation", imported);
  assert.match(text, /Patched/);
  assert.doesNotMatch(text, /Rewritten/);
  const threads = jsonLines(await print(home, "show", imported, "--threads", "--json"));
  assert.deepEqual(threads.map(({ id, labels }) => [id, labels]), [
    ["main", { 2: "the task" }],
    ["4", { 5: "the rewrite" }],
  ]);
  const merged = (await print(home, "merge", id, imported)).trim();
  assert.equal((await print(home, "doctor", merged, "--json")).includes("orphan"), false);
  assert.match(await print(home, "conversation", merged), /Rewritten[^]*Patched/);
});

inHome.test("tokens of a left branch count", async (home) => {
  const stdin = line("user_message", { content: "a" }) +
    line("assistant_message", { content: "b", model: "m", usage: { input: 70, output: 7 } }) +
    line("conversation_branched", { from_seq: 2 }) +
    line("assistant_message", { content: "c", model: "m", usage: { input: 5, output: 1 } });
  await home.run(["record"], { stdin });
  const stats = await print(home, "stats", "--json", "--all");
  assert.match(stats, /"input":75/);
});
