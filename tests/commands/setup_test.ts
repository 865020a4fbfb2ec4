/** `setup` where a person answers, and where there are links. Its transcript tells the rest. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { run } from "../../commands/_run.ts";
import { answeringContext } from "../_support/answering.ts";
import { CliHome } from "../_support/cli_home.ts";
import { filesBelow } from "../_support/files_below.ts";
import { UNIX } from "../_support/needing.ts";
import { testsWith } from "../_support/tests_in.ts";

const SETTINGS = ".config/opencode/opencode.json";
const CLAUDE = ".claude/settings.json";

/** A home with `reprise` alone on its `PATH`. */
class Machine extends CliHome {
  readonly env = { PATH: join(this.path, "bin") };

  constructor() {
    super();
    this.install("reprise");
  }

  install(...programs: string[]): void {
    for (const name of programs) this.write(`bin/${name}`, "#!/bin/sh\n", 0o755);
  }

  write(path: string, text: string, mode = 0o640): void {
    Deno.mkdirSync(dirname(join(this.path, path)), { recursive: true });
    Deno.writeTextFileSync(join(this.path, path), text, { mode });
  }

  text(path: string): string {
    return Deno.readTextFileSync(join(this.path, path));
  }

  /** Puts a link to a path of this home. */
  link(to: string, path: string): string {
    const link = join(this.path, path);
    Deno.mkdirSync(dirname(link), { recursive: true });
    Deno.symlinkSync(join(this.path, to), link);
    return link;
  }

  /** Files of agents. */
  files(): string[] {
    const names = filesBelow(this.path).map((path) => path.slice(this.path.length + 1));
    return names.filter((name) => name.startsWith("."));
  }

  async setup(...flags: string[]): Promise<string> {
    return (await this.run(["setup", ...flags], { env: this.env })).stdout;
  }

  /** Answers yes to the questions of `setup` with these words. Before each something may happen. */
  async answer(wanted: RegExp, meanwhile = (): void => {}): Promise<string> {
    const steps = (await this.setup()).split("\n").filter((line) => line.includes(": would "));
    const answers = steps.map((line) => wanted.test(line) ? "y" : "n");
    const options = { home: this.path, cwd: this.work, env: this.env };
    const { context, said } = answeringContext(options, answers, meanwhile);
    assert.equal(await run(["setup"], context), 0, said());
    return said();
  }
}

const onMachine = testsWith(() => new Machine(), UNIX);

onMachine.test("on a terminal each step is asked for, and none is done without a yes", async (machine) => {
  machine.install("pi", "codex");
  Deno.mkdirSync(join(machine.path, ".claude"));
  const said = await machine.answer(/nothing/);
  assert.match(said, /the skill for pi: write .*\? \[y\/N\] /);
  assert.match(said, /Done: 0 of \d+ steps\n$/);
  assert.deepEqual(machine.files(), []);
  const skill = ".pi/agent/skills/past-sessions/SKILL.md";
  assert.match(
    await machine.answer(/skill for pi|messages a compaction dropped: .*claude/),
    /Done: 2 of \d+ steps\n$/,
  );
  assert.deepEqual(machine.files(), [CLAUDE, skill]);
  assert.match(machine.text(skill), /^---\nname: past/);
  assert.match(machine.text(CLAUDE), /hook compact/);
  assert.doesNotMatch(machine.text(CLAUDE), /hook start|statusline/);
  await machine.setup("--remove", "--write");
  assert.deepEqual(machine.files(), []);
});

onMachine.test("an edit by the agent during a question stays", async (machine) => {
  machine.install("opencode");
  machine.write(SETTINGS, '{\n  "theme": "dark"\n}\n');
  await machine.answer(/skill|server/, () => {
    machine.write(SETTINGS, machine.text(SETTINGS).replace("dark", "light"));
  });
  assert.match(machine.text(SETTINGS), /"theme": "light",\n {2}"mcp": \{\n {4}"reprise"/);
});

onMachine.test("a link to settings stays a link, and settings keep their mode", async (machine) => {
  machine.install("opencode");
  machine.write("dotfiles/opencode.json", "{}\n");
  const link = machine.link("dotfiles/opencode.json", SETTINGS);
  await machine.setup("--write");
  assert.ok(Deno.lstatSync(link).isSymlink);
  assert.match(machine.text("dotfiles/opencode.json"), /"reprise"/);
  assert.equal(Deno.statSync(link).mode! & 0o777, 0o640);
});

onMachine.test("a copy of settings replaces no file and follows no link, not even one to nowhere", async (machine) => {
  machine.install("opencode");
  machine.write(SETTINGS, '{"a":1}');
  machine.write("victim", "precious");
  machine.link("victim", `${SETTINGS}.reprise-backup`);
  machine.write(`${SETTINGS}.reprise-backup-2`, "mine");
  await machine.setup("--write");
  const copies = ["victim", `${SETTINGS}.reprise-backup-2`, `${SETTINGS}.reprise-backup-3`];
  assert.deepEqual(copies.map((path) => machine.text(path)), ["precious", "mine", '{"a":1}']);
  Deno.removeSync(join(machine.path, SETTINGS));
  const link = machine.link("gone.json", SETTINGS);
  assert.match(
    await machine.setup("--write"),
    /unchanged: .*the settings file is a link to a file that does not exist/,
  );
  assert.ok(Deno.lstatSync(link).isSymlink);
});

onMachine.test("settings with megabytes of history are read", async (machine) => {
  machine.install("claude");
  const history = "x".repeat(9_000_000);
  machine.write(".claude.json", JSON.stringify({ projects: { "/a": { history } } }));
  const { stdout } = await machine.succeed(["setup", "--write"], { env: machine.env });
  assert.match(stdout, /^the MCP server for Claude Code: to run claude mcp add /m);
});
