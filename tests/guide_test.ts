/**
 * The guide USAGE.md: each command line in a `console` block is run on a copy of the sample
 * sessions, and prints what the page shows. `…` alone in a line stands for any lines.
 * `deno task cases` writes anew what the page shows; read the difference, and cut it again.
 */
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { run } from "../commands/_run.ts";
import { putStatus } from "./commands/_fake_agent.ts";
import { CollectedOutput, contextHere } from "./_support/cli.ts";
import { type CliHome, testsAtHome } from "./_support/cli_home.ts";
import { UNIX } from "./_support/needing.ts";

const PAGE = new URL("../.github/USAGE.md", import.meta.url);
const SAMPLES = fileURLToPath(new URL("../testdata/demo", import.meta.url));
const UPDATE = process.argv.includes("--update");
const BLOCK = /^```console\n(.*?)^```$/gms;
/** Commands that print tables: they are shown as in a terminal of this width. */
const TABLES = /^(?:list|search|stats|digest|watch)$/;
const COLUMNS = 100;
/** A line to run; a session that is shown may have command lines of its own. */
const OURS = /^\$ (?:reprise|head) /;
const TASKS = [
  ...["Find", "Read", "Go on", "Elsewhere", "Who waits", "Cost", "Keep", "Share", "Team", "Mend"],
];

/** A command line of the page, and the lines that it prints. */
interface Step {
  line: string;
  printed: string[];
}

function stepsOf(block: string): Step[] {
  const steps: Step[] = [];
  for (const line of block.trimEnd().split("\n")) {
    if (OURS.test(line)) steps.push({ line: line.slice(2), printed: [] });
    else steps.at(-1)?.printed.push(line);
  }
  for (const { printed } of steps) while (printed.at(-1) === "") printed.pop();
  return steps;
}

/** Plays the guide's week; remembers what differs from run to run, to show it always alike. */
class Player {
  readonly #home: CliHome;
  readonly #made = new Map<string, string>();

  constructor(home: CliHome) {
    this.#home = home;
  }

  get #directory(): string {
    return join(this.#home.path, "src", "ledger");
  }

  /** Copies the samples to the store, and says where their projects are now, as the page does. */
  async begin(): Promise<void> {
    cpSync(SAMPLES, this.#home.store, { recursive: true });
    await new Deno.Command("chmod", { args: ["-R", "go-rwx", this.#home.store] }).output();
    for (const folder of [".claude", "src/ledger", "src/site"]) {
      Deno.mkdirSync(join(this.#home.path, folder), { recursive: true });
    }
    for (const name of ["ledger", "site"]) {
      const [old, now] = [`/home/ada/src/${name}`, join(this.#home.path, "src", name)];
      await this.#home.succeed(["relink", old, now]);
    }
  }

  /** Runs a line of the page; other programs than ours are run by a shell. */
  async run(line: string): Promise<string[]> {
    const { path } = this.#home;
    const env = {
      REPRISE_IDENTITY: join(path, "key.txt"),
      HOME: path,
      REPRISE_HOME: this.#home.store,
    };
    const words = this.#typed(line);
    if (!line.startsWith("reprise ")) {
      const shell = new Deno.Command("sh", { args: ["-c", words], cwd: this.#directory, env });
      const { stdout } = await shell.output();
      return this.#shown(new TextDecoder().decode(stdout));
    }
    const args = [...words.matchAll(/(?:'[^']*'|[^\s'])+/g)].slice(1)
      .map(([word]) => word.replace(/^~/, path).replaceAll("'", ""));
    this.#comeToTask(args);
    // Both streams go to one place, as on a terminal.
    const output = new CollectedOutput(TABLES.test(args[0] ?? "") ? COLUMNS : undefined);
    const options = { home: path, cwd: this.#directory, env: { ...env, NO_COLOR: "1" } };
    const stdin = (): ReadableStream<Uint8Array<ArrayBuffer>> => new Blob([]).stream();
    await run(args, contextHere(options, { stdin, stdout: output, stderr: output }));
    return this.#shown(output.end());
  }

  /** Lets the session that was handed over wait, when the page asks who does. */
  #comeToTask([command]: readonly string[]): void {
    const [id] = [...this.#made].find(([, name]) => name.startsWith("5e1f")) ?? [];
    if (command !== "watch" || id === undefined) return;
    putStatus(this.#home, id, { status: "waiting", waitingFor: "permission prompt" });
  }

  /** Puts what this run made in place of the names on the page. */
  #typed(line: string): string {
    return [...this.#made].reduce((text, [made, name]) => {
      return text.replaceAll(name, made).replaceAll(name.slice(0, 8), made.slice(0, 8));
    }, line);
  }

  /** Shows the home as `~`, and ids, keys and times that are made anew by names that stay. */
  #shown(text: string): string[] {
    for (const [id] of text.matchAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f-]{17}\b/g)) {
      if (KNOWN.test(id) || this.#made.has(id)) continue;
      this.#made.set(
        id,
        `${NAMES[this.#made.size] ?? assert.fail(id)}-77c2-4d3e-9a10-c2b4d6e8f0a1`,
      );
    }
    const named = [...this.#made].reduce((so_far, [made, name]) => {
      return so_far.replaceAll(made, name).replaceAll(made.slice(0, 8), name.slice(0, 8));
    }, text);
    const plain = named.replaceAll(this.#home.store, "~/demo").replaceAll(this.#home.path, "~")
      .replaceAll(/\bage1[0-9a-z]{58}\b/g, "age1…").replaceAll(/\b[0-9a-f]{64}\b/g, "KEY")
      .replaceAll(Deno.hostname(), "laptop").trimEnd();
    return plain === "" ? [] : plain.split("\n").map(remaining);
  }
}

/** Clears a line that shows how far a command is. */
const CLEAR = "\u001b[2K";

/** Returns a line as a terminal leaves it, without what was overwritten. */
function remaining(line: string): string {
  return line.slice(line.lastIndexOf("\r") + 1).split(CLEAR).at(-1)?.trimEnd() ?? "";
}

/** The ids of the samples. */
const KNOWN = /^(?:8d1f0c4e|3f6a2b91|b7e5d3a0|e49c7f12)-/;
/** The first characters of ids that the page's commands make, in their order. */
const NAMES = ["c0ffee12", "5e1f0a3b", "ba5eba11", "d15c0b01"];

/** Sizes depend on how long the path of the home is. */
const SIZE = /[\d.]+(?= KB)/;

function matches(expected: readonly string[], printed: readonly string[]): boolean {
  const pattern = expected.map((line) =>
    line === "…" ? "(?:.*\\n)*" : `${line.split(SIZE).map(RegExp.escape).join(SIZE.source)}\\n`
  );
  return new RegExp(`^${pattern.join("")}$`).test(printed.map((line) => `${line}\n`).join(""));
}

// Slow: it runs every command of a week, one after the other.
testsAtHome(UNIX).test(
  "the guide has ten tasks, and its commands print what it shows",
  async (home) => {
    const page = Deno.readTextFileSync(PAGE);
    const tasks = [...page.matchAll(/^## \d+\. ([^:\n]+)/gm)].map(([, title]) => title);
    assert.deepEqual(tasks, TASKS);
    const player = new Player(home);
    await player.begin();
    const blocks: string[] = [];
    for (const [, block = ""] of page.matchAll(BLOCK)) {
      const steps: Step[] = [];
      for (const { line, printed: expected } of stepsOf(block)) {
        const printed = await player.run(line);
        if (matches(expected, printed)) steps.push({ line, printed: expected });
        else if (UPDATE) steps.push({ line, printed });
        else assert.deepEqual(printed, expected, line);
      }
      blocks.push(
        steps.map(({ line, printed }) => [`$ ${line}`, ...printed, ""].join("\n")).join("\n"),
      );
    }
    assert.ok(blocks.length >= TASKS.length, `${blocks.length} blocks`);
    if (!UPDATE) return;
    const next = page.replaceAll(BLOCK, () => `\`\`\`console\n${blocks.shift()}\`\`\``);
    Deno.writeTextFileSync(PAGE, next);
  },
);

Deno.test("the README shows output of the guide", () => {
  const steps = (page: string): Step[] =>
    [...page.matchAll(BLOCK)].flatMap(([, block = ""]) => stepsOf(block));
  const guide = steps(Deno.readTextFileSync(PAGE));
  const shown = steps(Deno.readTextFileSync(new URL("../README.md", import.meta.url)));
  assert.equal(shown.length, 5);
  for (const step of shown) {
    assert.deepEqual(step, guide.find(({ line }) => line === step.line), step.line);
  }
});
