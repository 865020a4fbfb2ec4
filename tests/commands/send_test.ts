// Each test makes two homes with repositories: some twenty processes of git, 0.4 to 1 s.
import assert from "node:assert/strict";
import { join } from "node:path";
import { run } from "../../commands/_run.ts";
import { type CliResult, CollectedOutput, contextHere, jsonLines } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { filesBelow } from "../_support/files_below.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { testsWith } from "../_support/tests_in.ts";
import { GIT, git, makeTrappedRepository, takeMarks } from "../_support/trapped_repository.ts";
import { databaseOf } from "../agents/opencode/_store.ts";
import { BundleKey } from "../features/backup/bundle/_bundles.ts";

const SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
const AGENTS = ["claude", "codex", "pi", "qwen"] as const;

/** Two homes: in one a repository with work and a session, in the other a clone and a key. */
class TwoHomes implements AsyncDisposable {
  readonly from = new CliHome();
  readonly to = new CliHome();
  readonly file = join(this.to.path, "talk.reprise");
  readonly clone = join(this.to.path, "clone");
  /** The work tree of the session that was taken. */
  readonly tree = join(this.to.path, "clone-aaaa0000");
  key!: BundleKey;

  static async make(): Promise<TwoHomes> {
    const homes = new TwoHomes();
    homes.key = await BundleKey.in(homes.to.path);
    return homes;
  }

  private constructor() {
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

  /** The words that send a session. */
  sending(ref: string, ...more: string[]): string[] {
    return ["send", ref, "--to", this.key.recipient, "--out", this.file, ...more];
  }

  /** The words that take the session that was sent. */
  taking(...more: string[]): string[] {
    return ["take", this.file, "--identity", this.key.path, ...more];
  }

  async send(ref = "aaaa", ...more: string[]): Promise<CliResult> {
    return await this.from.succeed(this.sending(ref, "--yes", ...more));
  }

  async take(...more: string[]): Promise<CliResult> {
    return await this.to.succeed(this.taking("--yes", ...more), { cwd: this.clone });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.from[Symbol.asyncDispose]();
    await this.to[Symbol.asyncDispose]();
  }
}

const withHomes = testsWith(() => TwoHomes.make(), GIT);

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
withHomes.test("send and take bring sessions of five agents to another home, equal but for paths", async (homes) => {
  const { from, to, clone } = homes;
  const refs = ["aaaa"];
  for (const agent of AGENTS) {
    await from.succeed(["handover", "aaaa", "--to", agent]);
    const { stdout } = await from.succeed(["list", "--agent", agent, "--json"]);
    refs.push(JSON.parse(stdout).ref);
  }
  for (const ref of refs) {
    await homes.send(ref);
    const taken = await homes.take();
    Deno.removeSync(homes.file);
    const before = await from.succeed(["conversation", ref]);
    const after = await to.succeed(["conversation", ref]);
    assert.equal(after.stdout, before.stdout, ref);
    const row = JSON.parse((await to.succeed(["resume", ref, "--json"])).stdout);
    assert.match(row.summary.cwd, /clone-[^/]+$/, ref);
    assert.doesNotMatch(taken.stderr, /Cannot resume(?!.*no program)/, ref);
  }
  assert.equal(git(clone, "worktree", "list").split("\n").length, 6);
  await to.succeed(["doctor"]);
});

withHomes.test("send bundles the whole work tree as a patch, and changes nothing in the repository", async (homes) => {
  const { from, to, clone, file, tree } = homes;
  homes.change();
  // Git notes the time at which it last needed an object.
  const facts = (): string[] =>
    snapshot(from.work).map((line) => line.replace(/^(\.git\/objects\/\S+ \d+) \d+/, "$1"));
  const before = facts();
  const sent = await homes.send();
  assert.deepEqual(facts(), before);
  assert.equal((Deno.statSync(file).mode ?? 0) & 0o777, 0o600);
  assert.equal(sent.stdout, `${file}\n`);
  for (
    const said of [
      /patch: +5 files/,
      /\.envrc \(other programs run this file automatically\)/,
      /github-token, 40 characters: event 2\n/,
      /github-token, 40 characters: patch of \.envrc\n/,
    ]
  ) assert.match(sent.stderr, said);
  assert.doesNotMatch(sent.stderr, /ghp_/);
  // Git itself would leave out files that are not below the current folder.
  const taken = await to.succeed(homes.taking("--yes"), { cwd: join(clone, "sub") });
  assert.match(taken.stderr, /Left out of the patch: \.envrc/);
  assert.equal(git(tree, "branch", "--show-current"), "feature");
  const names = filesBelow(tree).map((path) => path.slice(tree.length + 1));
  assert.deepEqual(names, [".git", ".gitignore", "bytes", "new file.txt", "one.txt"]);
  assert.equal(Deno.readTextFileSync(join(tree, "one.txt")), "one\ntwo\n");
  assert.deepEqual([...Deno.readFileSync(join(tree, "bytes"))], [2, 0, 1]);
  assert.equal(git(clone, "status", "--short"), "");
});

withHomes.test("send asks at a terminal, and leaves out the patch where it should", async (homes) => {
  const { from, file } = homes;
  homes.change();
  const no = await answered(from, from.work, homes.sending("aaaa"), "n");
  assert.equal(no.status, 130);
  assert.throws(() => Deno.statSync(file));
  const bare = await homes.send("aaaa", "--no-patch");
  assert.doesNotMatch(bare.stderr, /patch:/);
});

withHomes.test("take asks for the work tree and the patch, and a no leaves nothing", async (homes) => {
  const { to, clone, tree } = homes;
  homes.change();
  await homes.send();
  const words = homes.taking("--no-cache");
  const before = snapshot(to.path);
  const no = await answered(to, clone, words, "n");
  assert.equal(no.status, 130, no.stderr);
  assert.match(no.stderr, /Nothing was written/);
  assert.deepEqual(snapshot(to.path), before);
  assert.ok(no.stderr.split("\n").every((line) => line.length <= 80 || !line.includes(" ")));
  const yes = await answered(to, clone, words, "yy");
  assert.equal(yes.status, 0, yes.stderr);
  assert.match(yes.stderr, /Apply the patch, including 1 marked file\? \[y\/N\]/);
  assert.equal(Deno.readTextFileSync(join(tree, ".envrc")), `export TOKEN=${SECRET}\n`);
});

withHomes.test("take outside of a clone, without the commit, or where the patch does not fit, leaves nothing", async (homes) => {
  const { from, to, clone, file } = homes;
  const words = homes.taking("--yes", "--no-cache");
  homes.change();
  await homes.send();
  Deno.writeTextFileSync(join(clone, "one.txt"), "another\n");
  const before = snapshot(to.path);
  const outside = await to.run(words);
  const misfit = await to.run([...words, "--here"], { cwd: clone });
  assert.deepEqual([outside.status, misfit.status], [1, 1]);
  assert.match(outside.stderr, /not in a git repository\. Run this in a clone of /);
  assert.match(misfit.stderr, /Cannot apply the sent patch: .*Nothing was changed/);
  assert.deepEqual(snapshot(to.path), before);
  git(from.work, "commit", "--quiet", "--all", "--message=two");
  Deno.removeSync(file);
  await homes.send();
  const missing = await to.run(words, { cwd: clone });
  assert.match(missing.stderr, /commit \w{12} is not in this repository.*git fetch/);
});

withHomes.test("take --in hands a session over to another agent, and leaves no copy behind", async (homes) => {
  await homes.send();
  const { stdout } = await homes.take("--in", "codex");
  assert.match(stdout, /^(?:cd \S+clone-aaaa0000 && )?codex resume [-0-9a-f]{36}\n$/);
  const { stdout: rows } = await homes.to.succeed(["list", "--all", "--json"]);
  assert.deepEqual(jsonLines(rows).map(({ agent }) => agent), ["codex"]);
  const again = await homes.take("--in", "codex", "--redact");
  assert.match(again.stderr, /\n {2}replaced \d secrets?: 1 github-token\n/);
});

withHomes.test("take --in asks before another provider gets the secrets, and a no leaves nothing", async (homes) => {
  const { to, clone } = homes;
  homes.change();
  await homes.send();
  const state = (): string[] => [
    ...filesBelow(to.path).filter((path) => !path.includes("/.git/")),
    git(clone, "branch", "--all"),
    git(clone, "worktree", "list"),
  ];
  const before = state();
  const words = homes.taking("--in", "codex");
  const no = await answered(to, clone, words, "yyn");
  const order = [
    "It is handed over to OpenAI Codex, under a new id\n",
    "Take the session\\?",
    "Apply the patch, including 1 marked file\\?",
    "1 secret: 1 github-token\\. .*--redact",
    "Hand it over\\?",
    "Nothing was written",
  ];
  assert.match(no.stderr, new RegExp(order.join(".*"), "s"));
  assert.deepEqual([no.status, no.stdout], [130, ""]);
  assert.deepEqual(state(), before);
  const yes = await answered(to, clone, words, "yyy");
  assert.match(yes.stdout, /codex resume /);
});

withHomes.test("send and take run nothing that a repository's settings name", async (homes) => {
  const { from, to } = homes;
  const [work, marks] = [join(from.path, "trapped"), join(from.path, "marks")];
  makeTrappedRepository(work, marks);
  takeMarks(marks);
  from.keep(sessionId("bbbb"), [user("Hello")], { cwd: work });
  await homes.send("bbbb");
  await to.succeed(homes.taking("--yes"), { cwd: work });
  assert.deepEqual(takeMarks(marks), []);
});

withHomes.test("resume of a session whose work tree is gone names and adds the work tree", async ({ from }) => {
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

inHome.test("send refuses a session in a shared database, and says which copy can be sent", async (home) => {
  const time = { created: 1_760_000_000_000, updated: 1_760_000_001_000 };
  const parts = [{ id: "prt_1", type: "text", text: "Hello there" }];
  const message = { info: { id: "msg_1", role: "user", time }, parts };
  const info = { id: "ses_sent1", directory: home.work, title: "Hello", version: "1.18.34", time };
  const folder = join(home.path, ".local/share/kilo");
  Deno.mkdirSync(folder, { recursive: true });
  const bytes = databaseOf({ info, messages: [message] });
  Deno.writeFileSync(join(folder, "kilo.db"), bytes);
  const refused = await home.run(["send", "kilo:ses_sent1", "--dry-run"]);
  assert.deepEqual(refused, {
    ...{ status: 1, stdout: "" },
    stderr:
      "reprise: Cannot send kilo:ses_sent1: the session shares its file or database with other " +
      "sessions. Import it, and send the copy: reprise import kilo:ses_sent1\n",
  });
  const imported = await home.succeed(["import", "kilo:ses_sent1", "--json"]);
  await home.succeed(["send", JSON.parse(imported.stdout).session_id, "--dry-run"]);
  assert.deepEqual(Deno.readFileSync(join(folder, "kilo.db")), bytes);
});
