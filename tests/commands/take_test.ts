import assert from "node:assert/strict";
import { join } from "node:path";
import { joinBytes } from "../../lib/core/event/bytes.ts";
import { CliHome } from "../_support/cli_home.ts";
import type { CliResult } from "../_support/cli.ts";
import { mulberry32 } from "../_support/mulberry32.ts";
import { filesBelow } from "../_support/files_below.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { UNIX } from "../_support/needing.ts";
import { testsWith } from "../_support/tests_in.ts";
import {
  BundleKey,
  ID,
  MAIN,
  type PlainPart,
  plainPieces,
  TALK,
} from "../features/backup/bundle/_bundles.ts";

/** A home in which Claude Code was used, with a key. */
class TakingHome extends CliHome {
  readonly file = join(this.path, "talk.reprise");
  readonly claude = join(this.path, ".claude");
  readonly key = BundleKey.in(this.path);

  constructor() {
    super();
    Deno.mkdirSync(this.claude);
  }

  /** Takes a bundle, or pieces that are sealed first. */
  async take(bundle: Uint8Array | Uint8Array[]): Promise<CliResult> {
    const key = await this.key;
    Deno.writeFileSync(this.file, Array.isArray(bundle) ? await key.seal(bundle) : bundle);
    const args = ["take", this.file, "--identity", key.path, "--no-cache", "--yes", "--here"];
    return await this.run(args);
  }

  async refuse(bundle: Uint8Array | Uint8Array[], message: RegExp, name?: string): Promise<void> {
    const { status, stderr } = await this.take(bundle);
    assert.equal(status, 1, `${name}: ${stderr}`);
    assert.match(stderr, message, name);
  }

  /** Everything but the bundle itself. */
  tree(): string[] {
    Deno.removeSync(this.file);
    return snapshot(this.path).map((line) => line.replace(/^\. .*/, "."));
  }
}

const atTaking = testsWith(() => new TakingHome(), UNIX);

atTaking.test("a bundle that is cut, changed or for another key leaves nothing; a whole one, private files", async (home) => {
  const key = await home.key;
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
    const message = /^reprise: Cannot (?:take the sent session|decrypt): /;
    await home.refuse(one, message, `${index}`);
    assert.deepEqual(home.tree(), before, `${index}`);
  }
  assert.equal((await home.take(bytes)).status, 0);
  const placed = filesBelow(home.claude).map((path) => (Deno.statSync(path).mode ?? 0) & 0o777);
  assert.deepEqual(placed, [0o600, 0o600]);
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

atTaking.test("take of a hostile bundle leaves nothing", async (home) => {
  await home.key;
  Deno.writeFileSync(home.file, new Uint8Array());
  const before = home.tree();
  for (const [name, [parts, fields]] of Object.entries(HOSTILE)) {
    await home.refuse(plainPieces(parts, fields), /reprise: Cannot take the sent session: /, name);
    assert.deepEqual(home.tree(), before, name);
  }
});

atTaking.test("take leaves no file that holds no session, and none behind a link", async (home) => {
  const no_session = plainPieces([{ ...MAIN, text: "not a session\n" }]);
  await home.refuse(no_session, /reprise: Cannot find a session in /);
  assert.deepEqual([...Deno.readDirSync(home.claude)], []);
  const outside = join(home.path, "outside");
  Deno.mkdirSync(outside);
  Deno.symlinkSync(outside, join(home.claude, "projects"));
  await home.refuse(plainPieces([MAIN]), /a folder on its path is a link/);
  assert.deepEqual([...Deno.readDirSync(outside)], []);
});
