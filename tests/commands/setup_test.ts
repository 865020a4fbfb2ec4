import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { run } from "../../commands/_run.ts";
import { answeringContext } from "../_support/answering.ts";
import { CliHome } from "../_support/cli_home.ts";
import { LINUX, needing, UNIX } from "../_support/needing.ts";

/** A home whose `PATH` has these programs alone; each keeps a line of its words. */
class Machine extends CliHome {
  readonly bin = join(this.path, "bin");
  readonly env = { PATH: this.bin };

  constructor(programs: readonly string[]) {
    super();
    Deno.mkdirSync(this.bin);
    for (const name of programs) this.put(name, "");
  }

  put(name: string, then: string): void {
    const script = `#!/bin/sh\necho "${name} $*" >> "${this.bin}/calls"\n${then}\n`;
    Deno.writeTextFileSync(join(this.bin, name), script, { mode: 0o755 });
  }

  calls(): string[] {
    return (this.text("bin/calls") ?? "").split("\n").filter(Boolean);
  }

  text(path: string): string | undefined {
    try {
      return Deno.readTextFileSync(join(this.path, path));
    } catch {
      return undefined;
    }
  }

  write(path: string, text: string): void {
    Deno.mkdirSync(dirname(join(this.path, path)), { recursive: true });
    Deno.writeTextFileSync(join(this.path, path), text, { mode: 0o640 });
  }

  /** All files but those of the store and the programs. */
  files(folder = this.path): Record<string, string> {
    const found: Record<string, string> = {};
    for (const { name, isDirectory } of Deno.readDirSync(folder)) {
      const path = join(folder, name);
      if (path === this.bin || path === this.store) continue;
      if (isDirectory) Object.assign(found, this.files(path));
      else found[path.slice(this.path.length + 1)] = Deno.readTextFileSync(path);
    }
    return found;
  }

  async setup(...flags: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
    const { status, stdout, stderr } = await this.run(["setup", ...flags], { env: this.env });
    return { status, stderr, stdout: stdout.replaceAll(this.path, "~") };
  }

  /** Runs it where a person answers. Before each answer something may happen. */
  async answer(answers: string, meanwhile = (): void => {}): Promise<string> {
    const options = { home: this.path, cwd: this.work, env: this.env };
    const { context, said } = answeringContext(options, answers.split(" "), meanwhile);
    assert.equal(await run(["setup"], context), 0, said());
    return said();
  }
}

Deno.test(needing("each agent with a command of its own gets the server by it", UNIX), async () => {
  const agents = ["claude", "codex", "gemini", "qwen", "copilot"];
  await using machine = new Machine(["reprise", ...agents]);
  const before = machine.files();
  const shown = await machine.setup();
  assert.equal(shown.status, 0, shown.stderr);
  assert.match(
    shown.stderr,
    /^Nothing was changed\. To make these changes: reprise setup --write\n$/,
  );
  assert.deepEqual(machine.files(), before);
  assert.deepEqual(machine.calls(), []);
  assert.match(
    shown.stdout,
    /^the MCP server for Claude Code: would run claude mcp add --scope user reprise -- ~\/bin\/reprise mcp$/m,
  );
  const done = await machine.setup("--write");
  assert.equal(done.status, 0, done.stderr);
  const program = join(machine.bin, "reprise");
  assert.deepEqual(machine.calls(), [
    `claude mcp add --scope user reprise -- ${program} mcp`,
    `codex mcp add reprise -- ${program} mcp`,
    `gemini mcp add --scope user reprise ${program} mcp`,
    `qwen mcp add --scope user reprise ${program} mcp`,
    `copilot mcp add reprise -- ${program} mcp`,
  ]);
  const { stdout: skill } = await machine.run(["setup", "--print-skill"]);
  for (const folder of [".claude", ".agents", ".copilot", ".gemini", ".qwen"]) {
    assert.equal(machine.text(`${folder}/skills/past-sessions/SKILL.md`), skill, folder);
  }
});

/** What the agents' own commands leave, as their settings have it. */
const ADDED = {
  ".claude.json":
    '{"mcpServers":{"reprise":{"type":"stdio","command":"/old/reprise","args":["mcp"]}}}',
  ".codex/config.toml": "[mcp_servers.reprise]\nargs = [\"mcp\"]\ncommand = '/old/reprise'\n",
  ".gemini/settings.json":
    '{"mcpServers":{"reprise":{"command":"C:\\\\old\\\\reprise.exe","args":["mcp"]}}}',
};

Deno.test(
  needing("a server that is there is not added again, and removed by the agent's command", UNIX),
  async () => {
    await using machine = new Machine(["reprise", "claude", "codex", "gemini"]);
    for (const [path, text] of Object.entries(ADDED)) machine.write(path, text);
    await machine.setup("--write");
    assert.deepEqual(machine.calls(), []);
    const again = await machine.setup("--write");
    assert.deepEqual([again.status, again.stderr], [0, "Nothing to do\n"]);
    assert.match(
      again.stdout,
      /^the MCP server for OpenAI Codex: already done: ~\/\.codex\/config\.toml$/m,
    );
    const removed = await machine.setup("--remove", "--write");
    assert.equal(removed.status, 0, removed.stderr);
    assert.deepEqual(machine.calls(), [
      "gemini mcp remove --scope user reprise",
      "codex mcp remove reprise",
      "claude mcp remove --scope user reprise",
    ]);
    assert.deepEqual(machine.files(), ADDED);
  },
);

Deno.test(
  needing("the status line of Claude Code is offered, and another one stays", UNIX),
  async () => {
    await using machine = new Machine(["reprise", "claude"]);
    const path = ".claude/settings.json";
    const plain = '{\n  "model": "opus"\n}\n';
    machine.write(path, plain);
    assert.match(
      (await machine.setup()).stdout,
      /^the status line of Claude Code: would change ~\/\.claude\/settings\.json$/m,
    );
    await machine.setup("--write");
    const command = `${join(machine.bin, "reprise")} statusline`;
    const written = machine.text(path) ?? "";
    const { hooks: _, ...settings } = JSON.parse(written);
    assert.deepEqual(settings, { model: "opus", statusLine: { type: "command", command } });
    assert.match(
      (await machine.setup("--write")).stdout,
      /^the status line of Claude Code: already done: /m,
    );
    // Without the copy beside it, our entry alone goes.
    machine.write(path, written.replace("opus", "sonnet"));
    await machine.setup("--remove", "--write");
    assert.equal(machine.text(path), plain.replace("opus", "sonnet"));
    const own = '{"statusLine": {"type": "command", "command": "mine"}}';
    machine.write(path, own);
    for (const flags of [["--write"], ["--remove", "--write"]]) {
      const { status, stdout } = await machine.setup(...flags);
      assert.equal(status, 0);
      const said = "left unchanged, because you added this entry yourself: ~/.claude/settings.json";
      assert.ok(stdout.includes(`the status line of Claude Code: ${said}\n`), stdout);
      const { statusLine } = JSON.parse(machine.text(path) ?? "");
      assert.equal(statusLine.command, "mine");
    }
    assert.equal(machine.text(path), own);
  },
);

const SETTINGS = {
  ".claude.json": '{\n  "theme": "dark",\n  "mcpServers": {}\n}\n',
  ".codex/config.toml": '# mine\nmodel = "m"',
  ".config/goose/config.yaml": "extensions:\n  developer:\n    enabled: true\n",
  ".config/opencode/opencode.jsonc": '{\n  // mine\n  "theme": "dark",\n}\n',
  ".gemini/settings.json": '{ "mcpServers": { "a": { "command": "b" } } }',
  ".qwen/projects/p": "",
};

Deno.test(
  needing("without its program, an agent's settings are edited, and given back as they were", UNIX),
  async () => {
    await using machine = new Machine(["reprise", "goose", "opencode"]);
    Deno.mkdirSync(join(machine.path, ".claude"));
    for (const [path, text] of Object.entries(SETTINGS)) machine.write(path, text);
    const done = await machine.setup("--write");
    assert.equal(done.status, 0, done.stderr);
    const server = join(machine.bin, "reprise");
    const claude = JSON.parse(machine.text(".claude.json") ?? "");
    assert.deepEqual(claude.mcpServers.reprise, {
      ...{ type: "stdio", command: server, args: ["mcp"], env: {} },
    });
    const opencode = machine.text(".config/opencode/opencode.jsonc") ?? "";
    assert.match(opencode, /^\{\n {2}\/\/ mine\n {2}"theme": "dark",\n {2}"mcp": \{/);
    const goose = machine.text(".config/goose/config.yaml") ?? "";
    assert.match(goose, new RegExp(`^extensions:\n  reprise: \\{.*"cmd":"${server}"`));
    assert.ok(
      machine.text(".codex/config.toml")?.startsWith('# mine\nmodel = "m"\n\n[mcp_servers.'),
    );
    assert.ok(machine.text(".qwen/settings.json")?.includes(server));
    assert.equal(Deno.statSync(join(machine.path, ".claude.json")).mode! & 0o777, 0o640);
    for (const [path, text] of Object.entries(SETTINGS)) {
      if (text !== "") assert.equal(machine.text(`${path}.reprise-backup`), text, path);
    }
    assert.equal((await machine.setup("--write")).stderr, "Nothing to do\n");
    const removed = await machine.setup("--remove", "--write");
    assert.equal(removed.status, 0, removed.stderr);
    assert.deepEqual(machine.files(), SETTINGS);
    assert.equal((await machine.setup("--remove", "--write")).stderr, "Nothing to do\n");
  },
);

Deno.test(
  needing("changed files stay, and so do settings that cannot be parsed", UNIX),
  async () => {
    await using machine = new Machine(["reprise", "opencode"]);
    const [settings, skill] = [
      ".config/opencode/opencode.json",
      ".config/opencode/skills/past-sessions/SKILL.md",
    ];
    machine.write(settings, '{\n  "theme": "dark"\n}\n');
    await machine.setup("--write");
    const grown = machine.text(settings)?.replace('"dark"', '"light"') ?? "";
    machine.write(settings, grown);
    machine.write(skill, "My own");
    const removed = await machine.setup("--remove", "--write");
    assert.equal(removed.status, 1);
    assert.match(
      removed.stdout,
      /^the skill for OpenCode: unchanged: somebody edited the file, or another version of Reprise wrote it; /m,
    );
    assert.equal(machine.text(settings), '{\n  "theme": "light"\n}\n');
    assert.equal(machine.text(`${settings}.reprise-backup-2`), grown);
    assert.equal(machine.text(skill), "My own");
    await machine.setup("--write");
    assert.equal(machine.text(`${skill}.reprise-backup`), "My own");
    machine.write(settings, "{ broken");
    const refused = await machine.setup("--write");
    assert.equal(refused.status, 1);
    assert.match(
      refused.stdout,
      /^the MCP server for OpenCode: unchanged: Cannot edit settings: /m,
    );
    assert.equal(machine.text(settings), "{ broken");
  },
);

Deno.test(needing("the user's own entry and files stay", UNIX), async () => {
  await using machine = new Machine(["reprise", "opencode"]);
  const path = ".config/opencode/opencode.json";
  const victim = join(machine.path, "victim");
  Deno.writeTextFileSync(victim, "precious");
  const entries = [
    '{"type":"remote","url":"http://mine"}',
    '{"type":"local","command":["/opt/reprise","mcp","--agent","claude"]}',
    '{"type":"local","command":["docker","run","reprise","mcp"]}',
    '{"command":"/opt/reprise-mcp","args":["mcp"]}',
    '{"command":"reprise"}',
  ];
  for (const entry of entries) {
    const text = `{"mcp":{"reprise":${entry}}}`;
    machine.write(path, text);
    const { stdout } = await machine.setup("--remove", "--write");
    assert.match(
      stdout,
      /^the MCP server for OpenCode: left unchanged, because you added this entry yourself/m,
    );
    assert.equal(machine.text(path), text);
  }
  const moved = '{"command":["/old/place/reprise","mcp"],"enabled":false,"type":"local"}';
  machine.write(path, `{"a":1,"mcp":{"reprise":${moved}}}`);
  await machine.setup("--remove", "--write");
  assert.equal(machine.text(path), '{"a":1}');
  // Neither a link in the place of the copy nor a file of its name is written to.
  Deno.removeSync(join(machine.path, `${path}.reprise-backup`));
  Deno.symlinkSync(victim, join(machine.path, `${path}.reprise-backup`));
  machine.write(`${path}.reprise-backup-2`, "mine");
  await machine.setup("--write");
  assert.deepEqual([machine.text("victim"), machine.text(`${path}.reprise-backup-2`)], [
    ...["precious", "mine"],
  ]);
  assert.equal(machine.text(`${path}.reprise-backup-3`), '{"a":1}');
  // A link that leads nowhere is not replaced.
  Deno.removeSync(join(machine.path, path));
  Deno.symlinkSync(join(machine.path, "gone.json"), join(machine.path, path));
  assert.match(
    (await machine.setup("--write")).stdout,
    /unchanged: .*the settings file is a link to a file that does not exist/,
  );
  assert.ok(Deno.lstatSync(join(machine.path, path)).isSymlink);
});

Deno.test(needing("an agent's folder stays when our settings in it go", UNIX), async () => {
  await using machine = new Machine(["reprise"]);
  Deno.mkdirSync(join(machine.path, ".codex"));
  await machine.setup("--write");
  assert.match(machine.text(".codex/config.toml") ?? "", /^\[mcp_servers\.reprise\]\n/);
  await machine.setup("--remove", "--write");
  assert.deepEqual(machine.files(), {});
  assert.ok(Deno.statSync(join(machine.path, ".codex")).isDirectory);
});

Deno.test(needing("a link to settings stays a link", UNIX), async () => {
  await using machine = new Machine(["reprise", "opencode"]);
  machine.write("dotfiles/opencode.json", "{}\n");
  Deno.mkdirSync(join(machine.path, ".config/opencode"), { recursive: true });
  const link = join(machine.path, ".config/opencode/opencode.json");
  Deno.symlinkSync(join(machine.path, "dotfiles/opencode.json"), link);
  await machine.setup("--write");
  assert.ok(Deno.lstatSync(link).isSymlink);
  assert.match(machine.text("dotfiles/opencode.json") ?? "", /"reprise"/);
});

Deno.test(needing("completions, the manual page and the service come and go", LINUX), async () => {
  await using machine = new Machine(["reprise", "bash", "zsh", "fish", "systemctl"]);
  machine.write("bin/reprise.1", ".TH reprise 1\n");
  const before = machine.files();
  const done = await machine.setup("--write");
  assert.equal(done.status, 0, done.stderr);
  const made = Object.keys(machine.files()).sort();
  assert.deepEqual(made, [
    ".config/systemd/user/reprise-backup.service",
    ".local/share/bash-completion/completions/reprise",
    ".local/share/fish/vendor_completions.d/reprise.fish",
    ".local/share/man/man1/reprise.1",
    ".local/share/zsh/site-functions/_reprise",
  ]);
  assert.deepEqual(machine.calls(), ["systemctl --user enable --now reprise-backup"]);
  assert.equal((await machine.setup("--write")).stderr, "Nothing to do\n");
  await machine.setup("--remove", "--write");
  assert.deepEqual(machine.files(), before);
  assert.equal(machine.calls().at(-1), "systemctl --user disable --now reprise-backup");
});

Deno.test(needing("a relative folder of XDG counts as unset", LINUX), async () => {
  await using machine = new Machine(["reprise", "bash", "systemctl"]);
  const env = { ...machine.env, XDG_DATA_HOME: "data", XDG_CONFIG_HOME: "config" };
  const { stdout } = await machine.run(["setup"], { env });
  for (const place of [".local/share/bash-completion/", ".config/systemd/user/"]) {
    assert.ok(stdout.includes(`would write ${join(machine.path, place)}`), stdout);
  }
});

Deno.test(needing("on a terminal each step is asked for", UNIX), async () => {
  await using machine = new Machine(["reprise", "pi", "codex"]);
  const said = await machine.answer("n y y");
  assert.match(said, /the skill for pi: write .*\? \[y\/N\] /);
  assert.match(said, /Done: 2 of 7 steps\n$/);
  assert.equal(machine.text(".agents/skills/past-sessions/SKILL.md"), undefined);
  assert.match(machine.text(".pi/agent/skills/past-sessions/SKILL.md") ?? "", /^---\nname: past/);
  assert.equal(machine.calls().length, 1);
});

Deno.test(needing("an edit by the agent during a question stays", UNIX), async () => {
  await using machine = new Machine(["reprise", "opencode"]);
  const settings = ".config/opencode/opencode.json";
  machine.write(settings, '{\n  "theme": "dark"\n}\n');
  await machine.answer("y y", () => {
    machine.write(settings, machine.text(settings)?.replace("dark", "light") ?? "");
  });
  assert.match(machine.text(settings) ?? "", /"theme": "light",\n {2}"mcp": \{\n {4}"reprise"/);
});

Deno.test(needing("settings with megabytes of history are read", UNIX), async () => {
  await using machine = new Machine(["reprise", "claude"]);
  const history = "x".repeat(9_000_000);
  machine.write(".claude.json", JSON.stringify({ projects: { "/a": { history } } }));
  const { status, stdout } = await machine.setup("--write");
  assert.equal(status, 0, stdout.slice(0, 1000));
  assert.match(machine.calls()[0] ?? "", /^claude mcp add /);
});

Deno.test(needing("a service that does not start is not left behind", LINUX), async () => {
  await using machine = new Machine(["reprise", "systemctl"]);
  const unit = ".config/systemd/user/reprise-backup.service";
  // As without a bus of the user: the link is made, and then it fails.
  const wants = join(machine.path, ".config/systemd/user/default.target.wants");
  const link = join(wants, "reprise-backup.service");
  const linked = `mkdir -p ${wants}; ln -sf ${join(machine.path, unit)} ${link}; exit 1`;
  machine.put("systemctl", `PATH=/usr/bin:/bin; ${linked}`);
  assert.equal((await machine.setup("--write")).status, 1);
  assert.equal(machine.text(unit), undefined);
  assert.throws(() => Deno.lstatSync(link), Deno.errors.NotFound);
  machine.put("systemctl", "exit 1");
  machine.write(unit, "mine");
  assert.equal((await machine.setup("--write")).status, 1);
  assert.deepEqual(machine.files(), { [unit]: "mine" });
  machine.put("systemctl", "");
  assert.equal((await machine.setup("--write")).status, 0);
  assert.match(machine.text(unit) ?? "", /backup --watch/);
});

Deno.test(needing("a command that fails is told, and the other steps are done", UNIX), async () => {
  await using machine = new Machine(["reprise", "pi"]);
  machine.put("codex", "echo no such thing; exit 3");
  const { status, stderr } = await machine.setup("--write");
  assert.equal(status, 1);
  assert.match(
    stderr,
    /for OpenAI Codex: Cannot run codex: the program exited with status 3: no such thing\n/,
  );
  assert.ok(machine.text(".pi/agent/skills/past-sessions/SKILL.md"));
});
