/**
 * A session has one writer, whichever runtimes its writers run on; also with the share modes of
 * Windows, which are simulated for Node and Bun.
 */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { cliEnvironment } from "../_support/cli.ts";
import { installedPackage, type InstalledRuntime } from "../_support/installed_package.ts";
import { ROOT } from "../_support/source_code.ts";
import { withDirectory } from "../_support/temp_directory.ts";

/** A program that can write a session: says `held` on its first line, or exits with 1. */
interface Writer {
  name: string;
  program: string;
  args: (directory: string, id: string) => string[];
}

const MAIN = fileURLToPath(new URL("main.ts", ROOT));

const PYTHON = `
import fcntl, os, sys
lock = os.open(sys.argv[1] + "/lock", os.O_RDWR)
try:
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    sys.exit(1)
print('{"state":"held"}', flush=True)
sys.stdin.read()
`;

/** Another executable, such as one of an earlier version, can be named to take part. */
const OTHER = Deno.env.get("REPRISE_BIN");

async function writers(): Promise<Writer[]> {
  const { runtimes, command } = await installedPackage();
  const record = (_: string, id: string): string[] => ["record", "--resume", id];
  return [
    {
      name: "deno",
      program: Deno.execPath(),
      args: (...of) => ["run", "-A", MAIN, ...record(...of)],
    },
    ...runtimes.map(({ name, program }): Writer => ({
      name,
      program,
      args: (...of) => [command, ...record(...of)],
    })),
    { name: "python", program: "python3", args: (directory) => ["-c", PYTHON, directory] },
    ...(OTHER === undefined ? [] : [{ name: "executable", program: OTHER, args: record }]),
  ];
}

const EVENT = '{"kind":"user_message","payload":{"content":"held"}}\n';

/** A writer that was started. */
class Running {
  readonly #child: Deno.ChildProcess;
  readonly #reader: ReadableStreamDefaultReader<string>;

  constructor({ program, args }: Writer, home: string, directory: string, id: string) {
    this.#child = new Deno.Command(program, {
      args: args(directory, id),
      cwd: home,
      clearEnv: true,
      env: cliEnvironment({ home }),
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#reader = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** True once it has written under the lock; false if it was refused. */
  async holds(): Promise<boolean> {
    const writer = this.#child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(EVENT)).catch(() => {/* it was refused */});
    writer.releaseLock();
    const { value } = await this.#reader.read();
    return value !== undefined && value.includes("state");
  }

  async end(signal: Deno.Signal): Promise<{ code: number; stderr: string }> {
    try {
      this.#child.kill(signal);
    } catch {
      // It has ended.
    }
    const stderr = await new Response(this.#child.stderr).text();
    await this.#reader.cancel();
    await this.#child.stdin.close().catch(() => {/* it has ended */});
    return { code: (await this.#child.status).code, stderr };
  }
}

/** Makes a session; gives its folder and id. */
async function makeSession(home: string): Promise<{ directory: string; id: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", MAIN, "record"],
    cwd: home,
    clearEnv: true,
    env: cliEnvironment({ home }),
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const event = { kind: "user_message", payload: { content: "Hello" } };
  await writer.write(new TextEncoder().encode(JSON.stringify(event) + "\n"));
  await writer.close();
  const { stdout } = await child.output();
  const { session_id: id } = JSON.parse(new TextDecoder().decode(stdout).split("\n")[0] ?? "");
  const args = ["run", "-A", MAIN, "path", id];
  const env = cliEnvironment({ home });
  const path = await new Deno.Command(Deno.execPath(), { args, env, clearEnv: true, cwd: home })
    .output();
  return { directory: dirname(new TextDecoder().decode(path.stdout).trim()), id };
}

/** Asserts that each writer keeps out every other until it is killed. */
async function assertOneWriter(all: readonly Writer[]): Promise<void> {
  await withDirectory(async (home) => {
    const { directory, id } = await makeSession(home);
    for (const first of all) {
      const holder = new Running(first, home, directory, id);
      assert.equal(await holder.holds(), true, `${first.name} takes a free lock`);
      for (const second of all) {
        const refused = new Running(second, home, directory, id);
        const pair = `${second.name} while ${first.name} writes`;
        assert.equal(await refused.holds(), false, pair);
        const { code, stderr } = await refused.end("SIGTERM");
        assert.equal(code, 1, pair);
        if (second.name !== "python") {
          assert.match(stderr, /process \d+ on .+ has been writing the session since/);
        }
      }
      await holder.end("SIGKILL");
    }
  });
}

Deno.test("the second of two writers is refused until the first is killed", async () => {
  await assertOneWriter(await writers());
});

const SHARE_MODES = fileURLToPath(new URL("tests/_support/share_modes.cjs", ROOT));

/** Returns the arguments that start the command where locks are handles that share nothing. */
function onWindows({ name }: InstalledRuntime, ...args: string[]): string[] {
  return [name === "bun" ? "--preload" : "--require", SHARE_MODES, ...args];
}

Deno.test("so it is where a lock is a handle that shares nothing, as on Windows", async () => {
  const { runtimes, command } = await installedPackage();
  await assertOneWriter(runtimes.map((runtime): Writer => ({
    ...runtime,
    args: (_, id) => onWindows(runtime, command, "record", "--resume", id),
  })));
});

Deno.test("a list tells there that a session is written, until its writer is killed", async () => {
  const { runtimes, command } = await installedPackage();
  for (const runtime of runtimes) {
    await withDirectory(async (home) => {
      const { directory, id } = await makeSession(home);
      const args = onWindows(runtime, command, "record", "--resume", id);
      const writer = new Running({ ...runtime, args: () => args }, home, directory, id);
      assert.equal(await writer.holds(), true);
      const list = onWindows(runtime, command, "list", "--all", "--json");
      const status = async (): Promise<string> => {
        const env = cliEnvironment({ home });
        const options = { args: list, cwd: home, clearEnv: true, env };
        const { stdout } = await new Deno.Command(runtime.program, options).output();
        return JSON.parse(new TextDecoder().decode(stdout)).status;
      };
      assert.equal(await status(), "running", runtime.name);
      await writer.end("SIGKILL");
      assert.notEqual(await status(), "running", runtime.name);
    });
  }
});
