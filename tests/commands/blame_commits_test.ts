/** Commits, ranges, branches and the index: which sessions wrote what they add. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { sessionId } from "../_support/cli_home.ts";
import { GIT } from "../_support/trapped_repository.ts";
import { testsNeeding } from "../_support/tests_in.ts";
import { BlamedHome, git } from "../features/blame/_repository.ts";

const withGit = testsNeeding(GIT);

const FIRST = "2026-11-20T10:00:00Z";
const EDITED = "2026-11-20T11:00:00Z";
const SECOND = "2026-11-20T12:00:00Z";
const LATER = "2026-11-20T13:00:00Z";
const ID = "aaaa0000-0000-4000-8000-000000000000";

/** Makes a branch `side`, on which a session added two lines of three, and deleted a file. */
function furnished(): BlamedHome {
  const home = new BlamedHome();
  home.commit(FIRST, { "a.ts": "const one = 1;\nconst two = 2;\n", "gone.ts": "gone\n" });
  git(home.work, FIRST, "switch", "--quiet", "--create", "side");
  const edit = { old_string: "const two = 2;", new_string: "const zwei = 2;\nconst drei = 3;" };
  home.edits("aaaa", [{ path: "a.ts", ...edit, time: EDITED }]);
  const text = "const one = 1;\nconst zwei = 2;\nconst drei = 3;\nby hand\n";
  home.commit(SECOND, { "a.ts": text, "image.bin": "a\0b" });
  return home;
}

withGit.test("blame sums the lines of a commit, a range and a branch by session and prompt", async () => {
  await using home = furnished();
  const [commit, range, branch, whole, json] = await home.runAll([
    ["blame", "HEAD"],
    ["blame", "main..HEAD"],
    ["blame", "side"],
    ["blame", "HEAD~1"],
    ["blame", "--commit", "HEAD", "--json"],
  ]);
  const cells = commit?.stdout.split("\n").map((line) => line.trim().split(/ {2,}/));
  assert.deepEqual(cells?.slice(0, 3), [
    ["proven", "likely", "cost", "session", "title, prompts"],
    ["2", "-", "-", "aaaa0000", "Change 0"],
    ["2", "-", "aaaa0000#2", "Change 0"],
  ]);
  assert.match(commit?.stdout ?? "", /\n3 added lines: 2 proven, 1 unknown\n/);
  assert.match(commit?.stdout ?? "", /\nNot counted: 1 file that git does not show as text\n$/);
  assert.deepEqual([range?.stdout, branch?.stdout], [commit?.stdout, commit?.stdout]);
  assert.equal(whole?.stdout, "3 added lines: 3 unknown\n");
  const [session, totals, ...rest] = jsonLines<Record<string, unknown>>(json?.stdout ?? "");
  assert.deepEqual(rest, []);
  assert.deepEqual(session, {
    ...{ agent: "reprise", session_id: ID, ref: ID, proven: 2, likely: 0, title: "Change 0" },
    prompts: [{ prompt: { seq: 2, text: "Change 0" }, proven: 2, likely: 0 }],
  });
  const { commits, ...counts } = totals ?? {};
  assert.match(String(commits), /^[0-9a-f]{40}$/);
  assert.deepEqual(counts, { added: 3, proven: 2, likely: 0, unknown: 1, binary: 1 });
});

withGit.test("blame --format md tells no secret, address or directory, and makes no link", async () => {
  await using home = furnished();
  const title =
    "Fix @ada's #12 | DB_PASSWORD=tr0ub4dor&3 in /home/ada/work/db.ts see https://x.example/a";
  await home.run(["rename", ID, title]);
  const { stdout } = await home.run(["blame", "HEAD", "--format", "md"]);
  assert.equal(
    stdout,
    "| Agent | Session | Lines | Cost |\n| --- | --- | --- | ---: |\n" +
      "| Reprise | `Fix @ada's #12 \\| DB_PASSWORD=[redacted:password:1] in db.ts see (link)` | " +
      "2 proven | - |\n\n3 added lines: 2 proven, 1 unknown  \n" +
      "Not counted: 1 file that git does not show as text\n",
  );
});

withGit.test("blame --staged tells of the index alone", async () => {
  await using home = furnished();
  const none = await home.run(["blame", "--staged"]);
  assert.match(none.stdout, /^No added lines are staged\. .*git add FILE\n$/);
  home.edits("bbbb", [{ path: "new.ts", content: "const neu = 1;\n", time: LATER }]);
  home.write("new.ts", "const neu = 1;\n");
  home.write("a.ts", "not staged\n");
  git(home.work, LATER, "add", "new.ts");
  const { stdout } = await home.run(["blame", "--staged"]);
  assert.match(stdout, /^ *1 +- .*bbbb0000 /m);
  assert.match(stdout, /\n1 added line in the index: 1 proven, 0 unknown\n$/);
});

withGit.test("a file comes before a branch of its name, and --commit takes the branch", async () => {
  await using home = furnished();
  home.write("side", "text\n");
  const [file, branch, both, path] = await home.runAll([
    ["blame", "side"],
    ["blame", "--commit", "side"],
    ["blame", "side", "--staged"],
    ["blame", "./nothing"],
  ]);
  assert.match(file?.stdout ?? "", /^1 unknown {2}text\n/);
  assert.match(branch?.stdout ?? "", /2 proven, 1 unknown/);
  assert.equal(both?.status, 2);
  assert.match(path?.stderr ?? "", /there is no file \S*nothing\n/);
});

withGit.test("a merge is compared with its first parent, and a range leaves it out", async () => {
  await using home = furnished();
  git(home.work, SECOND, "switch", "--quiet", "main");
  home.commit(LATER, { "b.ts": "other\n" });
  git(home.work, LATER, "merge", "--quiet", "--no-edit", "side");
  const [merge, range] = await home.runAll([["blame", "HEAD"], ["blame", "HEAD~1..HEAD"]]);
  assert.match(merge?.stdout ?? "", /3 added lines: 2 proven, 1 unknown/);
  assert.match(range?.stdout ?? "", /3 added lines: 2 proven, 1 unknown/);
});

withGit.test("list --commit finds the sessions that wrote lines of a commit", async () => {
  await using home = furnished();
  home.edits("bbbb", [{ path: "new.ts", content: "const neu = 1;\n", time: LATER }]);
  const [commit, range, none, unknown] = await home.runAll([
    ["list", "--commit", "HEAD", "--json"],
    ["list", "--commit", "main..side", "--agent", "reprise", "--json"],
    ["list", "--commit", "HEAD~1"],
    ["list", "--commit", "nope"],
  ]);
  for (const one of [commit, range]) {
    assert.deepEqual(jsonLines<{ ref: string }>(one?.stdout ?? "").map(({ ref }) => ref), [ID]);
  }
  assert.match(none?.stderr ?? "", /^No session of \S+ matches all of these flags\n/);
  assert.match(unknown?.stderr ?? "", /there is no commit, range or branch named "nope"/);
});

withGit.test("a session that wrote lines before any prompt has one row", async () => {
  await using home = furnished();
  home.write("b.ts", "from nobody's prompt\n");
  const input = { path: "b.ts", content: "from nobody's prompt\n" };
  const [call_id, time] = ["c1", LATER];
  home.keep(
    sessionId("bbbb"),
    [
      {
        ...{ kind: "assistant_message", time },
        payload: { content: [{ type: "tool_call", call_id, name: "write", input }], model: "m-1" },
      },
      { kind: "tool_end", time, payload: { call_id, name: "write", status: "ok", output: "Done" } },
    ],
    { cwd: home.work },
  );
  home.commit("2026-11-20T14:00:00Z", { "b.ts": "from nobody's prompt\n" });
  const { stdout } = await home.run(["blame", "HEAD"]);
  assert.equal(stdout.match(/bbbb/g)?.length, 1, stdout);
  assert.match(stdout, /\n1 added line: 1 proven, 0 unknown\n$/);
});

withGit.test("a range without commits is no failure, and says so", async () => {
  await using home = furnished();
  const [text, json] = await home.runAll([
    ["blame", "HEAD..HEAD"],
    ["blame", "HEAD..HEAD", "--json"],
  ]);
  assert.deepEqual([text?.status, text?.stdout], [0, ""]);
  assert.match(text?.stderr ?? "", /^HEAD\.\.HEAD has no commits of its own, or only merges/);
  const totals = { commits: [], added: 0, proven: 0, likely: 0, unknown: 0, binary: 0 };
  assert.deepEqual(jsonLines(json?.stdout ?? ""), [totals]);
});

withGit.test("blame --staged reads the index that a hook of a commit is told", async () => {
  await using home = furnished();
  const index = join(home.work, ".git", "next-index");
  Deno.copyFileSync(join(home.work, ".git", "index"), index);
  home.write("a.ts", "only in the other index\n");
  const env = { GIT_INDEX_FILE: index };
  const { success } = new Deno.Command("git", { args: ["add", "a.ts"], cwd: home.work, env })
    .outputSync();
  assert.ok(success);
  const { stdout } = await home.run(["blame", "--staged"], { env });
  assert.equal(stdout, "1 added line in the index: 1 unknown\n");
  assert.match((await home.run(["blame", "--staged"])).stdout, /^No added lines are staged/);
});

withGit.test("a wrong name of a commit gets a line that says what to do", async () => {
  await using home = furnished();
  const clone = join(home.path, "clone");
  git(home.work, LATER, "clone", "--quiet", "--depth", "1", `file://${home.work}`, clone);
  const cases: [args: string[], says: RegExp, cwd?: string][] = [
    [["nope"], /there is no file, commit or branch named "nope"\. .*git branch --all\n$/],
    [["--commit", "nope"], /there is no commit, range or branch named "nope"/],
    [["main..nope"], /Cannot blame main\.\.nope: git knows no commit "nope" here/],
    [["main"], /this is the default branch\. .*: main~5\.\.main\n$/],
    [["HEAD"], /HEAD: \S+ is not in a git repository, and has no file of this name\n$/, home.path],
    [["a..b"], /is not in a git repository\n$/, home.path],
    [["HEAD"], /this clone is shallow, .*: git fetch --unshallow\n$/, clone],
    [["HEAD", "--format", "agent-trace"], /agent-trace needs a file/],
    [["a.ts", "--format", "md"], /md needs a commit/],
    [[], /Give one of these: a file, a commit, --commit REV, or --staged/],
  ];
  for (const [args, says, cwd = home.work] of cases) {
    const { stdout, stderr, status } = await home.run(["blame", ...args], { cwd });
    assert.deepEqual([stdout, status === 0], ["", false], args.join(" "));
    assert.match(stderr, says);
  }
});
