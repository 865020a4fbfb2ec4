/** Modes of what is made: private from the first moment on, whatever the umask. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { cliCommand, cliEnvironment } from "../_support/cli.ts";
import { CliHome } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { HAS_STRACE, runTraced } from "../_support/strace.ts";

const UNIX = { ignore: Deno.build.os === "windows" };

/** Runs command lines one after the other in a shell with a umask. */
async function underUmask(home: CliHome, umask: string, lines: readonly string[][]): Promise<void> {
  Deno.writeTextFileSync(
    join(home.work, "input"),
    '{"kind":"user_message","payload":{"content":"hi"}}\n',
  );
  const program = cliCommand().map((word) => `'${word}'`).join(" ");
  const script = lines.map((args) => `${program} ${args.join(" ")} < input`).join(" && ");
  const { code, stderr } = await new Deno.Command("sh", {
    args: ["-c", `umask ${umask} && ${script}`],
    cwd: home.work,
    env: cliEnvironment({ home: home.path }),
    clearEnv: true,
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
}

/** Files and folders below a path whose mode is not 0600 or 0700. */
function lax(path: string): { seen: number; found: string[] } {
  const { mode, isDirectory } = Deno.lstatSync(path);
  const wanted = isDirectory ? 0o700 : 0o600;
  const own = ((mode ?? 0) & 0o777) === wanted
    ? []
    : [`${path} ${((mode ?? 0) & 0o777).toString(8)}`];
  const below = isDirectory
    ? [...Deno.readDirSync(path)].map(({ name }) => lax(join(path, name)))
    : [];
  return {
    seen: 1 + below.reduce((sum, { seen }) => sum + seen, 0),
    found: [...own, ...below.flatMap(({ found }) => found)],
  };
}

for (const umask of ["000", "077"]) {
  Deno.test(`files are made 0600 and folders 0700 under umask ${umask}`, UNIX, async () => {
    await using home = new CliHome();
    // The parents are made by the program as well.
    const env = cliEnvironment({ home: home.path });
    assert.equal(env.REPRISE_HOME, home.store);
    await underUmask(home, umask, [
      ["record", "--title", "One"],
      ["record", "--title", "Two"],
      ["config", "set", "session.retention_days", "30"],
    ]);
    const { stdout } = await home.run(["list", "--json"]);
    const [one, two] = stdout.trim().split("\n").map((line) => JSON.parse(line).ref);
    const held = home.start(["record", "--resume", one]);
    await held.write('{"kind":"user_message","payload":{"content":"on"}}\n');
    await held.until("seq");
    await underUmask(home, umask, [["rename", one, "Marked"], ["delete", two], [
      "repair",
      one,
      "--out",
      "out.jsonl",
    ]]);
    const { seen, found } = lax(home.store);
    assert.deepEqual(found, []);
    assert.ok(seen >= 15, `${seen} files and folders`);
    assert.deepEqual(lax(join(home.work, "out.jsonl")).found, []);
    await held.endInput();
    await held.end();
  });
}

Deno.test(
  "no file is ever wider than it ends, not for a moment",
  { ignore: !HAS_STRACE },
  async () => {
    await using home = new CliHome();
    const { ref } = { ref: home.keep("aaaa0000-0000-4000-8000-000000000001", [user("p")]).id };
    const env = cliEnvironment({ home: home.path });
    const { calls, status } = await runTraced(
      ["-e", "trace=openat,mkdir,chmod,fchmod,fchmodat"],
      [...cliCommand(), "rename", ref, "Title"],
      { env, cwd: home.work },
    );
    assert.equal(status, 0);
    const made = calls.filter((call) => call.includes(home.store) && call.includes("O_CREAT"));
    assert.ok(made.length >= 2, "the lock and its note");
    for (const call of made) assert.match(call, /O_EXCL.*, 0600\)/);
    const changed = calls.filter((call) => call.includes("chmod") && call.includes(home.store));
    assert.deepEqual(changed.filter((call) => !call.includes(", 0600)")), []);
  },
);
