/** `setup`: the hook by which Claude Code checks caps. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type CliHome, testsAtHome } from "../_support/cli_home.ts";
import { UNIX } from "../_support/needing.ts";

const onUnix = testsAtHome(UNIX);

const PATH = ".claude/settings.json";

/** Settings of users, with hooks of their own. */
const SETTINGS: readonly string[] = [
  "",
  "{}\n",
  '{\n  "model": "opus"\n}\n',
  '{\r\n\t"hooks": {\r\n\t\t"PreToolUse": []\r\n\t}\r\n}\r\n',
  '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"mine"}]}]}}',
  '{\n  // mine\n  "hooks": {\n    "SessionStart": [],\n    "PreToolUse": [\n      {"hooks": []},\n    ],\n  },\n}\n',
];

/** The variables with which `reprise` alone is on `PATH`. */
function env(home: CliHome): Record<string, string> {
  const bin = join(home.path, "bin");
  Deno.mkdirSync(bin, { recursive: true });
  Deno.writeTextFileSync(join(bin, "reprise"), "#!/bin/sh\n", { mode: 0o755 });
  return { PATH: bin };
}

function write(home: CliHome, text: string): void {
  const path = join(home.path, PATH);
  Deno.mkdirSync(dirname(path), { recursive: true });
  if (text !== "") Deno.writeTextFileSync(path, text);
}

function read(home: CliHome): string {
  try {
    return Deno.readTextFileSync(join(home.path, PATH));
  } catch {
    return "";
  }
}

/** Runs a setup; gives its lines about caps. */
async function setup(home: CliHome, ...flags: string[]): Promise<string[]> {
  const { stdout } = await home.succeed(["setup", ...flags], { env: env(home) });
  return stdout.split("\n").filter((line) => line.includes("above a limit on cost (cap)"));
}

for (const [index, text] of SETTINGS.entries()) {
  // Slow: runs setup five times.
  onUnix.test(`setup adds the check of caps once a cap is set, and removes it byte for byte: ${index}`, async (home) => {
    write(home, text);
    assert.deepEqual(await setup(home), []);
    await home.succeed(["cap", "15", "--session"]);
    const [would = ""] = await setup(home);
    assert.match(
      would,
      /^the hook that stops Claude Code above a limit on cost \(cap\): would (?:write|change) .*settings\.json$/,
    );
    await setup(home, "--write");
    assert.match(read(home), /"command": ".* cap check",\r?\n\s*"timeout": 10/);
    for (const own of ["mine", '{"hooks": []}']) {
      assert.equal(read(home).includes(own), text.includes(own), own);
    }
    assert.match((await setup(home, "--write"))[0] ?? "", /already done/);
    await home.succeed(["cap", "lift"]);
    await setup(home, "--remove", "--write");
    assert.equal(read(home), text);
  });
}

onUnix.test("a setup removes its check of caps alone, where settings changed since", async (home) => {
  write(home, '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"mine"}]}]}}');
  await home.succeed(["cap", "15", "--day"]);
  await setup(home, "--write");
  const changed = read(home).replace('"mine"', '"my own cap check"');
  write(home, changed);
  await setup(home, "--remove", "--write");
  assert.deepEqual(JSON.parse(read(home)), {
    hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "my own cap check" }] }] },
  });
});
