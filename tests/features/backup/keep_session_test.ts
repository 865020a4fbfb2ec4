import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import {
  type Keeping,
  type KeepPlan,
  keepSession,
} from "../../../lib/features/backup/keep_session.ts";
import { readKeptManifest } from "../../../lib/library/machine/kept/manifest.ts";
import { needing, UNIX } from "../../_support/needing.ts";
import { testsWith } from "../../_support/tests_in.ts";
import { testScenes } from "../../_support/told_scenes.ts";

const inKept = testsWith(() => new Kept("one\n"));

/** Text that reaches far behind the last bytes that are compared. */
const LONG = "x".repeat(300_000);

class Kept implements Disposable {
  readonly #temp = Deno.makeTempDirSync({ prefix: "reprise-test-" });
  readonly path = join(this.#temp, "agent/projects/work/s1.jsonl");
  readonly side = join(this.#temp, "agent/projects/work/s1/subagents/agent-a.jsonl");
  readonly folder = join(this.#temp, "kept");
  files = [this.path];

  constructor(text?: string) {
    Deno.mkdirSync(dirname(this.side), { recursive: true });
    if (text !== undefined) Deno.writeTextFileSync(this.path, text);
  }

  keep(options: Partial<KeepPlan> = {}): Promise<Keeping> {
    const session = { agent: "claude", id: "s1", path: this.path } as const;
    return keepSession({
      session,
      folder: this.folder,
      files: this.files,
      now: new Date(),
      ...options,
    });
  }

  /** Sets a file's time back: it was written long ago. */
  settle(path = this.path): void {
    const time = new Date(Date.now() - 60_000);
    Deno.utimeSync(path, time, time);
  }

  /** The path of the copy of the session's own file in its first generation. */
  get copy(): string {
    const copy = readKeptManifest(this.folder)?.generations[0]?.files[0]?.copy;
    return join(this.folder, copy ?? "");
  }

  /** What is kept, generation by generation: the first bytes of the files that it names. */
  texts(): string[][] {
    const manifest = readKeptManifest(this.folder);
    return (manifest?.generations ?? []).map(({ files }) =>
      files.map(({ copy, bytes }) =>
        new TextDecoder().decode(Deno.readFileSync(join(this.folder, copy)).subarray(0, bytes))
      )
    );
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.#temp, { recursive: true });
  }
}

/** Does `keeps OPTIONS`, or `FILE VERB TEXT`. */
async function play(kept: Kept, step: string): Promise<string[]> {
  const [, name = "", verb = "", rest = ""] = /^(\S+) ?(\S*) ?(.*)$/.exec(step) ?? [];
  if (name === "keeps") return toldOf(await kept.keep(JSON.parse(verb || "{}")), kept);
  const text = rest.replaceAll("\\n", "\n").replace("LONG", LONG);
  const folder = dirname(kept.side);
  const places = { main: kept.path, side: kept.side, facts: join(folder, "metadata.json") };
  const path = name === "copy" ? kept.copy : places[name as keyof typeof places];
  if (name !== "copy" && !kept.files.includes(path)) kept.files.push(path);
  Deno.mkdirSync(dirname(path), { recursive: true });
  switch (verb) {
    case "is":
      Deno.writeTextFileSync(path, text);
      break;
    case "is-renamed":
      Deno.writeTextFileSync(`${path}.new`, text);
      Deno.renameSync(`${path}.new`, path);
      break;
    case "has-more":
      Deno.writeTextFileSync(path, text, { append: true });
      break;
    case "is-old":
      kept.settle(path);
      break;
    case "is-gone":
      Deno.removeSync(dirname(path), { recursive: true });
      break;
    case "is-moved": {
      const away = path.replace(join(kept.folder, "latest"), join(kept.folder, "1"));
      Deno.mkdirSync(dirname(away), { recursive: true });
      Deno.renameSync(path, away);
      break;
    }
    case "reads":
      return [JSON.stringify(Deno.readTextFileSync(path))];
    default:
      throw new Error(`no such step: ${step}`);
  }
  return [];
}

/** What a call did, and the files of each generation. */
function toldOf({ began, added, more, gone }: Keeping, kept: Kept): string[] {
  const did = [
    ...began === undefined ? [] : [`began: ${began}`],
    ...added === 0 ? [] : [`added ${added}`],
    ...more ? ["more"] : [],
    ...gone ? ["gone"] : [],
  ];
  const generations = kept.texts().map((texts) => JSON.stringify(texts).replaceAll(LONG, "LONG"));
  return [did.join(", ") || "nothing", ...generations];
}

const scenes = new URL("../../../testdata/backup/kept.txt", import.meta.url);
testScenes(scenes, testsWith(() => new Kept()), play);

inKept.test("a session is kept byte for byte, and what is added is added", async (kept) => {
  Deno.writeTextFileSync(kept.side, "sub\n");
  kept.files.push(kept.side);
  assert.equal((await kept.keep()).began, "first");
  Deno.writeTextFileSync(kept.path, "two\n", { append: true });
  const { added, began } = await kept.keep();
  assert.deepEqual([added, began], [4, undefined]);
  assert.deepEqual(kept.texts(), [["one\ntwo\n", "sub\n"]]);
  const { copy } = kept;
  const modes = [kept.folder, dirname(copy), copy, join(kept.folder, "manifest.json")]
    .map((path) => (Deno.statSync(path).mode ?? 0) & 0o777);
  if (Deno.build.os !== "windows") assert.deepEqual(modes, [0o700, 0o700, 0o600, 0o600]);
});

inKept.test("nothing is written while nothing has changed", async (kept) => {
  kept.settle();
  // The inode's own time is set by nobody.
  await kept.keep();
  await new Promise((resolve) => setTimeout(resolve, 60));
  await kept.keep();
  assert.deepEqual([(await kept.keep()).changed, (await kept.keep()).added], [false, 0]);
});

Deno.test("a long line is kept in steps", async () => {
  using kept = new Kept();
  const line = new Uint8Array(60 * 1024).fill(0x61);
  Deno.writeFileSync(kept.path, line);
  const steps: boolean[] = [];
  do steps.push((await kept.keep({ most_bytes: 32 * 1024 })).more); while (steps.at(-1));
  assert.deepEqual(steps, [true, false]);
  assert.equal(Deno.statSync(kept.copy).size, line.length);
  assert.ok((await kept.keep({ thorough: true })).began === undefined);
});

Deno.test(needing("a link, a pipe and a folder are no sources", UNIX), async () => {
  using kept = new Kept();
  Deno.writeTextFileSync(`${kept.path}.real`, "secret\n");
  Deno.symlinkSync(`${kept.path}.real`, kept.path);
  assert.deepEqual([(await kept.keep()).gone, kept.texts()], [true, []]);
  Deno.removeSync(kept.path);
  await new Deno.Command("mkfifo", { args: [kept.path] }).output();
  assert.deepEqual([(await kept.keep()).gone, kept.texts()], [true, []]);
  Deno.removeSync(kept.path);
  Deno.mkdirSync(kept.path);
  assert.deepEqual([(await kept.keep()).gone, kept.texts()], [true, []]);
});

inKept.test("no copy leaves the folder, wherever the files lie", async (kept) => {
  const far = join(dirname(dirname(dirname(dirname(kept.path)))), "far.jsonl");
  Deno.writeTextFileSync(far, "far\n");
  kept.files.push(far);
  await kept.keep();
  assert.deepEqual(kept.texts(), [["one\n", "far\n"]]);
  const copies = readKeptManifest(kept.folder)?.generations[0]?.files.map(({ copy }) => copy) ?? [];
  assert.ok(copies.every((copy) => !copy.split("/").includes("..")), copies.join());
});
