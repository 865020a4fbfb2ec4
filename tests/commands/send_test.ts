// Each test makes two homes with repositories: some twenty processes of git, 0.4 to 1 s.
import assert from "node:assert/strict";
import { join } from "node:path";
import { run } from "../../commands/_run.ts";
import { type CliResult, CollectedOutput, contextHere } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { filesBelow } from "../_support/files_below.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { testsNeeding } from "../_support/tests_in.ts";
import {
  GIT,
  GIT_ENVIRONMENT,
  makeTrappedRepository,
  takeMarks,
} from "../_support/trapped_repository.ts";
import { databaseOf } from "../agents/opencode/_store.ts";
import { BundleKey } from "../features/backup/bundle/_bundles.ts";

const withGit = testsNeeding(GIT);
const SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
const AGENTS = ["claude", "codex", "pi", "qwen"] as const;

function git(cwd: string, ...args: string[]): string {
  const { success, stdout, stderr } = new Deno.Command("git", { args, cwd, env: GIT_ENVIRONMENT })
    .outputSync();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trimEnd();
}

/** Two homes: in one a repository with work and a session, in the other a clone and a key. */
class TwoHomes implements AsyncDisposable {
  readonly from = new CliHome();
  readonly to = new CliHome();
  readonly file = join(this.to.path, "talk.reprise");
  readonly clone = join(this.to.path, "clone");

  constructor() {
    const { work } = this.from;
    git(work, "init", "--quiet", "--initial-branch=main");
    Deno.writeTextFileSync(join(work, "one.txt"), "one\n");
    Deno.writeFileSync(join(work, "bytes"), new Uint8Array([1, 0, 2]));
    Deno.writeTextFileSync(join(work, ".gitignore"), "ignored\n");
    Deno.mkdirSync(join(work, "sub"));
    Deno.writeTextFileSync(join(work, "sub", "gone.txt"), "gone\n");
    git(work, "add", ".");
    git(work, "commit", "--quiet", "--message=one");
    git(work, "switch", "--quiet", "--create", "feature");
    git(this.to.path, "clone", "--quiet", work, "clone");
    git(this.clone, "switch", "--quiet", "--create", "own", "origin/main");
    git(this.clone, "branch", "--quiet", "--delete", "--force", "feature");
    for (const home of [this.from, this.to]) {
      for (const folder of [".claude", ".codex", ".pi/agent", ".qwen"]) {
        Deno.mkdirSync(join(home.path, folder), { recursive: true });
      }
    }
    this.from.keep(sessionId("aaaa"), [
      user(`Look at ${work}, with ${SECRET}`),
      assistant("I looked."),
      user("Go on"),
      assistant("I went on."),
    ]);
  }

  /** Changes the work tree: text, bytes, a new file, a removed one, a file that programs run. */
  change(): void {
    const { work } = this.from;
    Deno.writeTextFileSync(join(work, "one.txt"), "one\ntwo\n");
    Deno.writeFileSync(join(work, "bytes"), new Uint8Array([2, 0, 1]));
    Deno.writeTextFileSync(join(work, "new file.txt"), "new\n");
    Deno.writeTextFileSync(join(work, ".envrc"), `export TOKEN=${SECRET}\n`);
    Deno.writeTextFileSync(join(work, "ignored"), "ignored\n");
    Deno.removeSync(join(work, "sub", "gone.txt"));
  }

  async send(ref: string, key: BundleKey, ...args: string[]): Promise<CliResult> {
    const words = ["send", ref, "--to", key.recipient, "--out", this.file, "--yes", ...args];
    return await this.from.run(words);
  }

  async take(key: BundleKey, ...args: string[]): Promise<CliResult> {
    const words = ["take", this.file, "--identity", key.path, "--yes", ...args];
    return await this.to.run(words, { cwd: this.clone });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.from[Symbol.asyncDispose]();
    await this.to[Symbol.asyncDispose]();
  }
}

/** Answers the questions of a command at a terminal of 80 columns. */
async function answered(
  home: CliHome,
  cwd: string,
  args: readonly string[],
  answers: string,
): Promise<CliResult> {
  const [stdout, stderr] = [new CollectedOutput(80), new CollectedOutput(80)];
  const lines = [...answers].map((answer) => new TextEncoder().encode(`${answer}\n`));
  const stdin = ReadableStream.from(lines);
  const context = contextHere({ home: home.path, cwd }, { stdin: () => stdin, stdout, stderr });
  const status = await run(args, { ...context, stdin_terminal: true });
  return { status, stdout: stdout.end(), stderr: stderr.end() };
}

// Hands a session over to four agents, and sends each from one home to another: 1 s.
withGit.test("send and take bring sessions of five agents to another home, equal but for paths", async () => {
  await using homes = new TwoHomes();
  const key = await BundleKey.in(homes.to.path);
  const refs = ["aaaa"];
  for (const agent of AGENTS) {
    await homes.from.succeed(["handover", "aaaa", "--to", agent]);
    const { stdout } = await homes.from.succeed(["list", "--agent", agent, "--json"]);
    refs.push(JSON.parse(stdout).ref);
  }
  for (const ref of refs) {
    const sent = await homes.send(ref, key);
    assert.equal(sent.status, 0, sent.stderr);
    const taken = await homes.take(key);
    assert.equal(taken.status, 0, taken.stderr);
    Deno.removeSync(homes.file);
    const [before, after] = [
      await homes.from.succeed(["conversation", ref]),
      await homes.to.succeed(["conversation", ref]),
    ];
    assert.equal(after.stdout, before.stdout, ref);
    const row = JSON.parse((await homes.to.succeed(["resume", ref, "--json"])).stdout);
    assert.match(row.summary.cwd, /clone-[^/]+$/, ref);
    assert.doesNotMatch(taken.stderr, /Cannot resume(?!.*no program)/, ref);
  }
  assert.equal(git(homes.clone, "worktree", "list").split("\n").length, 6);
  assert.equal((await homes.to.succeed(["doctor"])).status, 0);
});

withGit.test("send bundles the whole work tree as a patch, and changes nothing in the repository", async () => {
  await using homes = new TwoHomes();
  const key = await BundleKey.in(homes.to.path);
  homes.change();
  // Git notes the time at which it last needed an object.
  const facts = (): string[] =>
    snapshot(homes.from.work).map((line) => line.replace(/^(\.git\/objects\/\S+ \d+) \d+/, "$1"));
  const before = facts();
  const sent = await homes.send("aaaa", key);
  assert.equal(sent.status, 0, sent.stderr);
  assert.deepEqual(facts(), before);
  assert.equal((Deno.statSync(homes.file).mode ?? 0) & 0o777, 0o600);
  assert.equal(sent.stdout, `${homes.file}\n`);
  assert.match(sent.stderr, /patch: +5 files/);
  assert.match(sent.stderr, /\.envrc \(other programs run this file automatically\)/);
  assert.match(sent.stderr, /github-token, 40 characters: event 2\n/);
  assert.match(sent.stderr, /github-token, 40 characters: patch of \.envrc\n/);
  assert.doesNotMatch(sent.stderr, /ghp_/);
  // Git itself would leave out files that are not below the current folder.
  const below = join(homes.clone, "sub");
  const words = ["take", homes.file, "--identity", key.path, "--yes"];
  const taken = await homes.to.run(words, { cwd: below });
  assert.equal(taken.status, 0, taken.stderr);
  assert.match(taken.stderr, /Left out of the patch: \.envrc/);
  const tree = join(homes.to.path, "clone-aaaa0000");
  assert.equal(git(tree, "branch", "--show-current"), "feature");
  const names = filesBelow(tree).map((path) => path.slice(tree.length + 1));
  assert.deepEqual(names, [".git", ".gitignore", "bytes", "new file.txt", "one.txt"]);
  assert.equal(Deno.readTextFileSync(join(tree, "one.txt")), "one\ntwo\n");
  assert.deepEqual([...Deno.readFileSync(join(tree, "bytes"))], [2, 0, 1]);
  assert.equal(git(homes.clone, "status", "--short"), "");
});

withGit.test("send without a patch, to an existing file, or without consent", async () => {
  await using homes = new TwoHomes();
  const key = await BundleKey.in(homes.to.path);
  homes.change();
  const words = ["send", "aaaa", "--to", key.recipient];
  const [asks, none, wrong, dry] = await homes.from.runAll([
    [...words, "--out", homes.file],
    ["send", "aaaa"],
    ["send", "aaaa", "--to", "age1wrong", "--out", homes.file, "--yes"],
    ["send", "aaaa", "--dry-run"],
  ]);
  assert.deepEqual([asks?.status, none?.status, wrong?.status, dry?.status], [2, 2, 2, 0]);
  const piped = await homes.from.run([...words, "--out", "-", "--yes"]);
  assert.deepEqual([piped.status, piped.stdout], [2, ""]);
  assert.match(asks?.stderr ?? "", /this is not a terminal\. Add --yes/);
  assert.match(dry?.stderr ?? "", /Nothing was written\n$/);
  const no = await answered(homes.from, homes.from.work, [...words, "--out", homes.file], "n");
  assert.equal(no.status, 130);
  assert.throws(() => Deno.statSync(homes.file));
  const bare = await homes.send("aaaa", key, "--no-patch");
  assert.doesNotMatch(bare.stderr, /patch:/);
  const again = await homes.send("aaaa", key);
  assert.equal(again.status, 1);
  assert.match(again.stderr, /a file with this name exists, and is never replaced/);
});

withGit.test("send says what is left out without a directory, and opens the session first", async () => {
  await using homes = new TwoHomes();
  const key = await BundleKey.in(homes.to.path);
  homes.from.keep(sessionId("cccc"), [user("Gone")], { cwd: join(homes.from.path, "gone") });
  homes.from.keep(sessionId("dddd"), [user("Plain")], { cwd: homes.from.path });
  const gone = await homes.from.run(["send", "cccc", "--dry-run"]);
  assert.match(gone.stderr, /left out: {2}commit and changes: the session's directory is gone\n/);
  const plain = await homes.from.run(["send", "dddd", "--dry-run"]);
  assert.match(plain.stderr, /the session's directory is not at a git commit\n/);
  const words = ["--to", key.recipient, "--out", homes.file];
  const none = await homes.from.run(["send", "eeee", ...words]);
  assert.equal(none.status, 1, none.stderr);
});

withGit.test("take asks for the work tree and the patch, and a no leaves nothing", async () => {
  await using homes = new TwoHomes();
  const key = await BundleKey.in(homes.to.path);
  homes.change();
  await homes.send("aaaa", key);
  const words = ["take", homes.file, "--identity", key.path, "--no-cache"];
  const before = snapshot(homes.to.path);
  const no = await answered(homes.to, homes.clone, words, "n");
  assert.equal(no.status, 130, no.stderr);
  assert.match(no.stderr, /Nothing was written/);
  assert.deepEqual(snapshot(homes.to.path), before);
  assert.ok(no.stderr.split("\n").every((line) => line.length <= 80 || !line.includes(" ")));
  const yes = await answered(homes.to, homes.clone, words, "yy");
  assert.equal(yes.status, 0, yes.stderr);
  assert.match(yes.stderr, /Apply the patch, including 1 marked file\? \[y\/N\]/);
  const tree = join(homes.to.path, "clone-aaaa0000");
  assert.equal(Deno.readTextFileSync(join(tree, ".envrc")), `export TOKEN=${SECRET}\n`);
});

withGit.test("take outside of a clone, without the commit, or where the patch does not fit, leaves nothing", async () => {
  await using homes = new TwoHomes();
  const key = await BundleKey.in(homes.to.path);
  const words = ["take", homes.file, "--identity", key.path, "--yes", "--no-cache"];
  homes.change();
  await homes.send("aaaa", key);
  Deno.writeTextFileSync(join(homes.clone, "one.txt"), "another\n");
  const before = snapshot(homes.to.path);
  const outside = await homes.to.run(words);
  const misfit = await homes.to.run([...words, "--here"], { cwd: homes.clone });
  assert.deepEqual([outside.status, misfit.status], [1, 1]);
  assert.match(outside.stderr, /not in a git repository\. Run this in a clone of /);
  assert.match(misfit.stderr, /Cannot apply the sent patch: .*Nothing was changed/);
  assert.deepEqual(snapshot(homes.to.path), before);
  git(homes.from.work, "commit", "--quiet", "--all", "--message=two");
  Deno.removeSync(homes.file);
  await homes.send("aaaa", key);
  const missing = await homes.to.run(words, { cwd: homes.clone });
  assert.match(missing.stderr, /commit \w{12} is not in this repository.*git fetch/);
});

withGit.test("take --in hands a session over to another agent, and leaves no copy behind", async () => {
  await using homes = new TwoHomes();
  const key = await BundleKey.in(homes.to.path);
  await homes.send("aaaa", key);
  const { status, stdout, stderr } = await homes.take(key, "--in", "codex");
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^(?:cd \S+clone-aaaa0000 && )?codex resume [-0-9a-f]{36}\n$/);
  const { stdout: rows } = await homes.to.succeed(["list", "--all", "--json"]);
  assert.deepEqual(rows.trim().split("\n").map((row) => JSON.parse(row).agent), ["codex"]);
  const again = await homes.take(key, "--in", "codex", "--redact");
  assert.match(again.stderr, /\n {2}replaced \d secrets?: 1 github-token\n/);
  const [misused, imported] = [
    await homes.take(key, "--redact"),
    await homes.take(key, "--in", "reprise", "--redact"),
  ];
  assert.deepEqual([misused.status, imported.status], [2, 2]);
});

withGit.test("take --in asks before another provider gets the secrets, and a no leaves nothing", async () => {
  await using homes = new TwoHomes();
  const key = await BundleKey.in(homes.to.path);
  homes.change();
  await homes.send("aaaa", key);
  const state = (): string[] => [
    ...filesBelow(homes.to.path).filter((path) => !path.includes("/.git/")),
    git(homes.clone, "branch", "--all"),
    git(homes.clone, "worktree", "list"),
  ];
  const before = state();
  const words = ["take", homes.file, "--identity", key.path, "--in", "codex"];
  const no = await answered(homes.to, homes.clone, words, "yyn");
  const order = [
    /It is handed over to OpenAI Codex, under a new id\n/,
    /Take the session\?/,
    /Apply the patch, including 1 marked file\?/,
    /1 secret: 1 github-token\. .*--redact/s,
    /Hand it over\?/,
    /Nothing was written/,
  ];
  const places = order.map((text) => no.stderr.search(text));
  assert.deepEqual(places, places.toSorted((one, other) => one - other), no.stderr);
  assert.ok(places.every((place) => place >= 0), no.stderr);
  assert.deepEqual([no.status, no.stdout], [130, ""]);
  assert.deepEqual(state(), before);
  const yes = await answered(homes.to, homes.clone, words, "yyy");
  assert.match(yes.stdout, /codex resume /);
});

withGit.test("send and take run nothing that a repository's settings name", async () => {
  await using homes = new TwoHomes();
  const key = await BundleKey.in(homes.to.path);
  const [work, marks] = [join(homes.from.path, "trapped"), join(homes.from.path, "marks")];
  makeTrappedRepository(work, marks);
  takeMarks(marks);
  homes.from.keep(sessionId("bbbb"), [user("Hello")], { cwd: work });
  const sent = await homes.send("bbbb", key);
  assert.equal(sent.status, 0, sent.stderr);
  const words = ["take", homes.file, "--identity", key.path, "--yes"];
  const taken = await homes.to.run(words, { cwd: work });
  assert.equal(taken.status, 0, taken.stderr);
  assert.deepEqual(takeMarks(marks), []);
});

withGit.test("resume of a session whose work tree is gone names and adds the work tree", async () => {
  await using homes = new TwoHomes();
  const { from } = homes;
  const tree = join(from.path, "tree");
  git(from.work, "worktree", "add", "--quiet", "-b", "side", tree);
  from.keep(sessionId("bbbb"), [user("Hello")], { cwd: tree, branch: "side" });
  Deno.removeSync(tree, { recursive: true });
  const line = `git -C ${from.work} worktree add -f ${tree} side`;
  const told = await from.run(["resume", "bbbb"]);
  assert.ok(told.stderr.includes(`To add its git work tree again: ${line}\n`), told.stderr);
  const no = await answered(from, from.work, ["resume", "bbbb"], "n");
  assert.match(no.stderr, /Add it now\? \[y\/N\] reprise: Cannot resume/);
  assert.throws(() => Deno.statSync(tree));
  git(from.work, "worktree", "prune");
  const pruned = await from.run(["resume", "bbbb"]);
  assert.match(pruned.stderr, /git -C \S+ worktree add \S+tree side\n/);
  await answered(from, from.work, ["resume", "bbbb"], "y");
  assert.equal(git(tree, "branch", "--show-current"), "side");
});

inHome.test("send counts a secret once, and names the places in which it stands", async (home) => {
  home.keep(sessionId("aaaa"), [user(`Use ${SECRET}`), user(`And ${SECRET} again`)]);
  const path = join(home.path, "key.txt");
  const { stdout } = await home.succeed(["key", "new", "--out", path]);
  const to = /age1\w+/.exec(stdout)?.[0] ?? "";
  const { stderr } = await home.succeed(["send", "aaaa", "--to", to, "--dry-run"]);
  assert.match(stderr, /secrets: {3}1 in 2 places; the file will contain them unchanged:\n/);
});

inHome.test("send refuses a session in a shared database, and says which copy can be sent", async (home) => {
  const time = { created: 1_760_000_000_000, updated: 1_760_000_001_000 };
  const parts = [{ id: "prt_1", type: "text", text: "Hello there" }];
  const message = { info: { id: "msg_1", role: "user", time }, parts };
  const info = { id: "ses_sent1", directory: home.work, title: "Hello", version: "1.18.34", time };
  const folder = join(home.path, ".local/share/kilo");
  Deno.mkdirSync(folder, { recursive: true });
  const bytes = databaseOf({ info, messages: [message] });
  Deno.writeFileSync(join(folder, "kilo.db"), bytes);
  const path = join(home.path, "key.txt");
  const { stdout } = await home.succeed(["key", "new", "--out", path]);
  const send = ["--to", /age1\w+/.exec(stdout)?.[0] ?? "", "--dry-run"];
  const refused = await home.run(["send", "kilo:ses_sent1", ...send]);
  assert.equal(refused.status, 1);
  assert.match(
    refused.stderr,
    /^reprise: Cannot send kilo:ses_sent1: the session shares its file or database with other sessions\. Import it, and send the copy: reprise import kilo:ses_sent1\n$/,
  );
  const imported = await home.succeed(["import", "kilo:ses_sent1", "--json"]);
  await home.succeed(["send", JSON.parse(imported.stdout).session_id, ...send]);
  assert.deepEqual(Deno.readFileSync(join(folder, "kilo.db")), bytes);
});
