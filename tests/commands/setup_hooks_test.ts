/** Whether `setup` installs hooks where the user agrees, and takes them back byte for byte. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { run } from "../../commands/_run.ts";
import { answeringContext } from "../_support/answering.ts";
import { CliHome } from "../_support/cli_home.ts";
import { filesBelow } from "../_support/files_below.ts";
import { needing, UNIX } from "../_support/needing.ts";

const CLAUDE = ".claude/settings.json";
const CODEX = ".codex/hooks.json";

/** A home with agents, and `reprise` on its `PATH`. */
class Machine extends CliHome {
  readonly bin = join(this.path, "bin");

  constructor(folders: readonly string[]) {
    super();
    this.write("bin/reprise", "#!/bin/sh\n");
    Deno.chmodSync(join(this.bin, "reprise"), 0o755);
    for (const folder of folders) Deno.mkdirSync(join(this.path, folder), { recursive: true });
  }

  write(path: string, text: string): void {
    Deno.mkdirSync(dirname(join(this.path, path)), { recursive: true });
    Deno.writeTextFileSync(join(this.path, path), text);
  }

  text(path: string): string {
    return Deno.readTextFileSync(join(this.path, path));
  }

  /** Contents of the files of agents, by path. */
  files(): Record<string, string> {
    const names = filesBelow(this.path).map((path) => path.slice(this.path.length + 1));
    const paths = names.filter((name) => name.startsWith("."));
    return Object.fromEntries(paths.map((path) => [path, this.text(path)]));
  }

  async setup(...flags: string[]): Promise<string> {
    const env = { PATH: this.bin };
    return (await this.succeed(["setup", ...flags], { env })).stdout;
  }

  /** Answers the questions of `setup` by the words in them. */
  async answer(wanted: RegExp): Promise<void> {
    const options = { home: this.path, cwd: this.work, env: { PATH: this.bin } };
    const steps = (await this.setup()).split("\n").filter((line) => line.includes(": would "));
    const answers = steps.map((line) => wanted.test(line) ? "y" : "n");
    const { context, said } = answeringContext(options, answers, () => {});
    assert.equal(await run(["setup"], context), 0, said());
  }
}

const USUAL = {
  [CLAUDE]: `{
  "hooks": {
    "SessionStart": [
      { "matcher": "startup", "hooks": [{ "type": "command", "command": "mine" }] }
    ]
  }
}
`,
  [CODEX]: '{"hooks": {"SessionStart": [], "Stop": []}}',
  ".gemini/settings.json": '{\n\t// mine\n\t"hooks": {\n\t\t"SessionStart": [],\n\t},\n}\n',
  ".qwen/settings.json": '{\r\n  "theme": "dark"\r\n}\r\n',
  ".copilot/hooks/mine.json": "{}\n",
  ".pi/agent/extensions/mine.js": "",
  ".config/opencode/plugins/mine.js": "",
};
const AGENTS = [".local/share/opencode"];

Deno.test(needing("the hooks of all agents come, and go byte for byte", UNIX), async () => {
  await using machine = new Machine(AGENTS);
  for (const [path, text] of Object.entries(USUAL)) machine.write(path, text);
  const before = machine.files();
  await machine.setup("--write");
  const with_hooks = machine.files();
  const moments = (path: string): string[] => {
    const found = with_hooks[path]?.matchAll(/reprise hook (start|compact)\b/g) ?? [];
    return [...new Set([...found].map(([, moment = ""]) => moment))];
  };
  const both = ["start", "compact"];
  assert.deepEqual(moments(CLAUDE), both);
  assert.deepEqual(moments(CODEX), both);
  assert.deepEqual(moments(".qwen/settings.json"), both);
  assert.deepEqual(moments(".gemini/settings.json"), ["start"]);
  assert.deepEqual(moments(".copilot/hooks/reprise.json"), ["start"]);
  for (const folder of [".pi/agent/extensions", ".config/opencode/plugins"]) {
    for (const moment of both) {
      assert.deepEqual(moments(`${folder}/reprise-${moment}.js`), [moment], folder);
    }
  }
  const { hooks } = JSON.parse(with_hooks[CLAUDE] ?? "");
  assert.deepEqual(hooks.SessionStart.map(({ matcher }: { matcher: string }) => matcher), [
    ...["startup", "startup|resume", "compact"],
  ]);
  assert.match(
    await machine.setup(),
    /which messages a compaction dropped: already done: .*settings\.json$/m,
  );
  await machine.setup("--remove", "--write");
  assert.deepEqual(machine.files(), before);
});

Deno.test(needing("each hook is installed by itself, and none without a yes", UNIX), async () => {
  await using machine = new Machine([".claude"]);
  await machine.answer(/nothing/);
  assert.deepEqual(machine.files(), {});
  await machine.answer(/which messages a compaction dropped/);
  assert.match(machine.text(CLAUDE), /hook compact/);
  assert.doesNotMatch(machine.text(CLAUDE), /hook start|statusline/);
  await machine.setup("--remove", "--write");
  assert.deepEqual(machine.files(), {});
});

Deno.test(
  needing("an agent that wrote its settings meanwhile loses our hooks alone", UNIX),
  async () => {
    await using machine = new Machine([]);
    machine.write(CLAUDE, USUAL[CLAUDE] ?? "");
    await machine.setup("--write");
    const changed = { ...JSON.parse(machine.text(CLAUDE)), model: "opus" };
    machine.write(CLAUDE, JSON.stringify(changed, null, 2));
    await machine.setup("--remove", "--write");
    const { hooks, model, statusLine } = JSON.parse(machine.text(CLAUDE));
    assert.deepEqual({ hooks }, JSON.parse(USUAL[CLAUDE] ?? ""));
    assert.deepEqual([model, statusLine], ["opus", undefined]);
  },
);

Deno.test(needing("settings without a list of hooks are left alone", UNIX), async () => {
  await using machine = new Machine([]);
  const odd = '{"hooks": {"SessionStart": {"a": 1}}}';
  machine.write(CLAUDE, odd);
  const env = { PATH: machine.bin };
  const { status, stdout } = await machine.run(["setup", "--write"], { env });
  assert.equal(status, 1);
  assert.match(stdout, /Cannot edit settings: "SessionStart" is not a list/);
  assert.equal(machine.text(CLAUDE).includes("hook start"), false);
});
