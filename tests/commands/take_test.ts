import assert from "node:assert/strict";
import { join } from "node:path";
import { joinBytes } from "../../lib/core/event/bytes.ts";
import { CliHome } from "../_support/cli_home.ts";
import type { CliResult } from "../_support/cli.ts";
import { mulberry32 } from "../_support/mulberry32.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { onUnix } from "../_support/tests_in.ts";
import {
  BundleKey,
  ID,
  MAIN,
  type PlainPart,
  plainPieces,
  TALK,
} from "../features/backup/bundle/_bundles.ts";

/** A home in which Claude Code was used, with a key and a bundle for it. */
class TakingHome extends CliHome {
  readonly file = join(this.path, "talk.reprise");

  async key(): Promise<BundleKey> {
    Deno.mkdirSync(join(this.path, ".claude"), { recursive: true });
    return await BundleKey.in(this.path);
  }

  take(bytes: Uint8Array, key: BundleKey, ...args: string[]): Promise<CliResult> {
    Deno.writeFileSync(this.file, bytes);
    const words = ["take", this.file, "--identity", key.path, "--no-cache"];
    return this.run([...words, ...(args.length === 0 ? ["--yes", "--here"] : args)]);
  }

  /** Everything but the bundle itself. */
  tree(): string[] {
    Deno.removeSync(this.file);
    return snapshot(this.path).map((line) => line.replace(/^\. .*/, "."));
  }

  claude(...below: string[]): string {
    return join(this.path, ".claude", ...below);
  }
}

onUnix.test("take places a session under its new directory and prints how to continue", async () => {
  await using home = new TakingHome();
  const key = await home.key();
  const side = { name: `projects/-old/${ID}/subagents/agent-a.jsonl`, text: TALK };
  const old = { kind: "snapshot", name: `file-history/${ID}/0123456789abcdef@v1`, text: "old" };
  const result = await home.take(await key.seal(plainPieces([MAIN, side, old])), key);
  assert.equal(result.status, 0, result.stderr);
  const slug = home.work.replaceAll(/[^A-Za-z0-9]/g, "-");
  assert.equal(result.stdout, `cd ${home.work} && claude --resume ${ID}\n`);
  const moved = TALK.replace('"/old"', JSON.stringify(home.work));
  for (const path of [`${ID}.jsonl`, `${ID}/subagents/agent-a.jsonl`]) {
    assert.equal(Deno.readTextFileSync(home.claude("projects", slug, path)), moved);
  }
  assert.equal(Deno.readTextFileSync(home.claude(old.name)), "old");
  assert.equal(
    (Deno.statSync(home.claude("projects", slug, `${ID}.jsonl`)).mode ?? 0) & 0o777,
    0o600,
  );
});

onUnix.test("take marks a new folder of Gemini CLI, which finds no chat without it", async () => {
  await using home = new TakingHome();
  const key = await BundleKey.in(home.path);
  Deno.mkdirSync(join(home.path, ".gemini"));
  const chat = { sessionId: ID, projectHash: "", startTime: "2026-11-21T20:00:00.000Z" };
  const said = { id: "u1", type: "user", content: "Hello", timestamp: chat.startTime };
  const text = `${JSON.stringify(chat)}\n${JSON.stringify(said)}\n`;
  const name = `tmp/old/chats/session-2026-11-21T20-00-${ID.slice(0, 8)}.jsonl`;
  const fields = { agent: "gemini", cwd_folder: "tmp/old/chats" };
  const { status, stderr } = await home.take(
    await key.seal(plainPieces([{ name, text }], fields)),
    key,
  );
  assert.equal(status, 0, stderr);
  const folder = join(home.path, ".gemini", "tmp", "work");
  assert.equal(Deno.readTextFileSync(join(folder, ".project_root")), home.work);
  assert.ok(Deno.statSync(join(folder, name.slice("tmp/old/".length))).isFile);
});

onUnix.test("take never replaces a session, and offers a copy under a new id", async () => {
  await using home = new TakingHome();
  const key = await home.key();
  const bytes = await key.seal(plainPieces([MAIN]));
  await home.take(bytes, key);
  const before = home.tree();
  const again = await home.take(bytes, key);
  assert.equal(again.status, 1);
  assert.match(again.stderr, /is already on this machine, and was not changed\..*--in claude/s);
  assert.deepEqual(home.tree(), before);
  const copy = await home.take(bytes, key, "--yes", "--here", "--in", "claude");
  assert.equal(copy.status, 0, copy.stderr);
  assert.match(copy.stdout, /claude --resume (?!1111)/);
});

onUnix.test("take of a bundle that is cut, changed or for another key leaves nothing", async () => {
  await using home = new TakingHome();
  const key = await home.key();
  const other = await BundleKey.in(home.path, "other.txt");
  const side = { name: `projects/-old/${ID}/tool-results/x.txt`, text: "tool result ".repeat(50) };
  const pieces = plainPieces([MAIN, side]);
  const bytes = await key.seal(pieces);
  const header = new TextDecoder("latin1").decode(bytes).indexOf("\n---") + 1;
  const draw = mulberry32(7);
  const cuts = [0, 1, 22, header, header + 48, header + 64, bytes.length - 16, bytes.length - 1];
  const random = Array.from({ length: 12 }, () => Math.floor(draw() * bytes.length));
  const wrong: Uint8Array[] = [...cuts, ...random].map((at) => bytes.slice(0, at));
  for (const at of random) {
    const changed = bytes.slice();
    changed[at] = (changed[at] ?? 0) ^ 0x41;
    wrong.push(changed);
  }
  // The encryption is right, and what is in it is cut at each boundary.
  let length = 0;
  const whole = joinBytes(pieces);
  for (const piece of pieces) {
    for (const at of [length, length + 4, length + piece.length - 1]) {
      wrong.push(await key.seal([whole.slice(0, at)]));
    }
    length += piece.length;
  }
  wrong.push(await key.seal([whole, new Uint8Array(1)]), await other.seal(pieces));
  Deno.writeFileSync(home.file, bytes);
  const before = home.tree();
  for (const [index, one] of wrong.entries()) {
    const { status, stderr } = await home.take(one, key);
    assert.equal(status, 1, `${index}: ${stderr}`);
    assert.match(stderr, /^reprise: Cannot (?:take the sent session|decrypt): /, `${index}`);
    assert.deepEqual(home.tree(), before, `${index}`);
  }
});

const HOSTILE: Record<string, [readonly PlainPart[], Record<string, unknown>?]> = {
  "a parent folder": [[{ ...MAIN, name: `projects/../${ID}.jsonl` }]],
  "an absolute path": [[{ ...MAIN, name: `/projects/${ID}.jsonl` }]],
  "a drive": [[{ ...MAIN, name: `c:/projects/${ID}.jsonl` }]],
  "a backslash": [[{ ...MAIN, name: `projects\\..\\${ID}.jsonl` }]],
  "a long name": [[{ ...MAIN, name: `projects/${"a".repeat(300)}.jsonl` }]],
  "a folder of git": [[{ ...MAIN, name: `projects/.git/${ID}.jsonl` }]],
  "settings": [[MAIN, { name: "settings.json", text: "{}" }]],
  "settings as the session": [[{ ...MAIN, name: "settings.json" }]],
  "a memory that agents read": [[MAIN, { name: "projects/-old/memory/MEMORY.md", text: "x" }]],
  "a hook named as the session": [[MAIN, { name: `hooks/${ID}.sh`, text: "x" }]],
  "a snapshot outside": [[MAIN, { kind: "snapshot", name: `projects/${ID}/x`, text: "x" }]],
  "one name twice": [[MAIN, { ...MAIN, name: MAIN.name.replace("-old", "-OLD") }]],
  "a file as a folder": [[MAIN, { name: `${MAIN.name}/x-${ID}`, text: "x" }]],
  "no session": [[]],
  "a patch first": [[{ kind: "patch", name: "work-tree.patch", text: "x" }, MAIN]],
  "a bomb": [[{ ...MAIN, text: "a".repeat(200_000), row: { bytes: 10 } }]],
  "a larger size": [[{ ...MAIN, row: { bytes: TALK.length + 1 } }]],
  "a negative size": [[{ ...MAIN, row: { bytes: -1 } }]],
  "a huge size": [[{ ...MAIN, row: { bytes: 2 ** 50 } }]],
  "another hash": [[{ ...MAIN, row: { sha256: "0".repeat(64) } }]],
  "an id that is a path": [[MAIN], { id: "../../etc" }],
  "an id of one letter": [[MAIN], { id: "p" }],
  "an option as the commit": [[MAIN], { git: { commit: "--upload-pack=x" } }],
  "an unknown agent": [[MAIN], { agent: "mallory" }],
  "a later format": [[MAIN], { format: 3 }],
  "another file": [[MAIN], { bundle: "zip" }],
  "a folder above": [[MAIN], { cwd_folder: ".." }],
};

onUnix.test("take of a hostile bundle leaves nothing", async () => {
  await using home = new TakingHome();
  const key = await home.key();
  Deno.writeFileSync(home.file, new Uint8Array());
  const before = home.tree();
  for (const [name, [parts, fields]] of Object.entries(HOSTILE)) {
    const { status, stderr } = await home.take(await key.seal(plainPieces(parts, fields)), key);
    assert.equal(status, 1, `${name}: ${stderr}`);
    assert.match(stderr, /reprise: Cannot take the sent session: /, name);
    assert.deepEqual(home.tree(), before, name);
  }
});

onUnix.test("take removes a placed file that holds no session", async () => {
  await using home = new TakingHome();
  const key = await home.key();
  const { status, stderr } = await home.take(
    await key.seal(plainPieces([{ ...MAIN, text: "not a session\n" }])),
    key,
  );
  assert.equal(status, 1);
  assert.match(stderr, /reprise: Cannot find a session in /);
  assert.deepEqual([...Deno.readDirSync(home.claude())], []);
});

onUnix.test("take refuses a folder behind a link in the agent's folder", async () => {
  await using home = new TakingHome();
  const key = await home.key();
  Deno.mkdirSync(join(home.path, "outside"));
  Deno.symlinkSync(join(home.path, "outside"), home.claude("projects"));
  const { status, stderr } = await home.take(await key.seal(plainPieces([MAIN])), key);
  assert.equal(status, 1);
  assert.match(stderr, /a folder on its path is a link/);
  assert.deepEqual([...Deno.readDirSync(join(home.path, "outside"))], []);
});

onUnix.test("take without a terminal needs --yes, and looks into the file before it asks", async () => {
  await using home = new TakingHome();
  const key = await home.key();
  Deno.writeFileSync(home.file, await key.seal(plainPieces([MAIN])));
  const notes = join(home.path, "notes.txt");
  Deno.writeTextFileSync(notes, "No bundle\n");
  const results = await home.runAll([
    ["take", home.file, "--identity", key.path],
    ["take", "none.reprise", "--executed"],
    ["take", "none.reprise"],
    ["take", "none.reprise", "--yes"],
    ["take", "none.reprise", "--yes", "--in", "mallory"],
    ["take", notes],
  ]);
  assert.deepEqual(results.map(({ status }) => status), [2, 2, 1, 1, 2, 1]);
  assert.match(results[5]?.stderr ?? "", /^reprise: Cannot (?!ask)/);
  assert.match(results[0]?.stderr ?? "", /this is not a terminal\. Add --yes/);
  for (const { stderr } of results.slice(2, 4)) assert.match(stderr, /no file .*none\.reprise/);
});

onUnix.test("take --in names only flags that it has, and takes its own copy for no open session", async () => {
  await using home = new TakingHome();
  const key = await home.key();
  const bytes = await key.seal(plainPieces([MAIN]));
  const never = await home.take(bytes, key, "--yes", "--here", "--in", "codex");
  assert.equal(never.status, 1);
  assert.match(never.stderr, /Codex was never used .*Start OpenAI Codex once, or .*--in AGENT\n$/);
  Deno.mkdirSync(join(home.path, ".codex"));
  const taken = await home.take(bytes, key, "--yes", "--here", "--in", "codex");
  assert.equal(taken.status, 0, taken.stderr);
  assert.doesNotMatch(taken.stderr, /may still be running/);
});
