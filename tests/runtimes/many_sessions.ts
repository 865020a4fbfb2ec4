/** Many sessions of one process under Node and Bun: how they are locked, and what lists tell. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  installedPackage,
  type InstalledRuntime,
  placeWithKoffi,
} from "../_support/installed_package.ts";
import { ROOT } from "../_support/source_code.ts";
import { withDirectory } from "../_support/temp_directory.ts";

const PROGRAM = "many_sessions.mjs";
const SESSIONS = 200;

/** What the program says of its sessions. */
interface Said {
  seqs: (number | null)[];
  errors: Record<string, number>;
  statuses: Record<string, number>;
}

/** The program, which has begun its sessions. */
class Server implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #lines: ReadableStreamDefaultReader<string>;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  #rest = "";

  constructor(runtime: string, folder: string, root: string, path: string, count = SESSIONS) {
    this.#child = new Deno.Command(runtime, {
      args: [join(folder, PROGRAM), root, String(count)],
      clearEnv: true,
      env: { PATH: path, HOME: root },
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    this.#lines = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    this.#stdin = this.#child.stdin.getWriter();
  }

  async said(): Promise<Said> {
    while (!this.#rest.includes("\n")) {
      const { value, done } = await this.#lines.read();
      if (done) throw new Error("the program has ended");
      this.#rest += value;
    }
    const end = this.#rest.indexOf("\n");
    const line = this.#rest.slice(0, end);
    this.#rest = this.#rest.slice(end + 1);
    return JSON.parse(line);
  }

  async ask(line: "list" | "finish"): Promise<Said> {
    await this.#stdin.write(new TextEncoder().encode(`${line}\n`));
    return await this.said();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.status;
    await this.#lines.cancel();
    await this.#stdin.close().catch(() => {/* it has ended */});
  }
}

/** Puts the program where it finds the package. */
async function withProgram(): Promise<{ folder: string; node: string; bun: string }> {
  const { folder, runtimes } = await installedPackage();
  place(folder);
  const program = (wanted: InstalledRuntime["name"]): string =>
    runtimes.find(({ name }) => name === wanted)?.program ?? "";
  return { folder, node: program("node"), bun: program("bun") };
}

function place(folder: string): void {
  Deno.copyFileSync(
    fileURLToPath(new URL("tests/runtimes/_many_sessions.mjs", ROOT)),
    join(folder, PROGRAM),
  );
}

/** Makes a folder of programs that note each start in `starts` and go on as the real ones. */
function notingPath(folder: string, names: readonly string[], before = ""): string {
  const bin = join(folder, "bin");
  Deno.mkdirSync(bin);
  for (const name of names) {
    const real = `/usr/bin/${name}`;
    const text = `#!/bin/sh\necho ${name} >> ${folder}/starts\n${before}exec ${real} "$@"\n`;
    Deno.writeTextFileSync(join(bin, name), text, { mode: 0o755 });
  }
  return bin;
}

function startsIn(folder: string): number {
  try {
    return Deno.readTextFileSync(join(folder, "starts")).trim().split("\n").length;
  } catch {
    return 0;
  }
}

const RUNNING = { seqs: [2, 3], errors: {}, statuses: { running: SESSIONS } };

Deno.test("Node locks the sessions that begin at once by few programs, Bun by none", async () => {
  const { folder, node, bun } = await withProgram();
  for (const [runtime, most] of [[node, SESSIONS / 2], [bun, 0]] as const) {
    await withDirectory(async (root) => {
      await using server = new Server(runtime, folder, root, notingPath(root, ["perl", "flock"]));
      assert.deepEqual(await server.said(), RUNNING);
      assert.ok(startsIn(root) <= most, `${startsIn(root)} starts`);
      // Its own sessions need no question.
      assert.deepEqual(await server.ask("list"), RUNNING);
      assert.ok(startsIn(root) <= most);
      assert.deepEqual((await server.ask("finish")).statuses, { completed: SESSIONS });
    });
  }
});

Deno.test("Node locks without a program where koffi is installed", async () => {
  const { folder, node } = await withProgram();
  const own = await placeWithKoffi();
  place(own);
  await withDirectory(async (root) => {
    await using server = new Server(node, own, root, notingPath(root, ["perl", "flock"]));
    assert.deepEqual(await server.said(), RUNNING);
    await withDirectory(async (home) => {
      // Node without koffi sees the same locks.
      await using other = new Server(node, folder, root, notingPath(home, ["perl", "flock"]), 0);
      assert.deepEqual((await other.said()).statuses, { running: SESSIONS });
    });
    assert.equal(startsIn(root), 0);
  });
});

Deno.test("the sessions of a process that was killed are free, and are asked by few programs", async () => {
  const { folder, node, bun } = await withProgram();
  for (const runtime of [node, bun]) {
    await withDirectory(async (root) => {
      const path = notingPath(root, ["perl", "flock"]);
      {
        await using server = new Server(runtime, folder, root, path);
        assert.deepEqual(await server.said(), RUNNING);
      }
      const before = startsIn(root);
      await using other = new Server(runtime, folder, root, path, 0);
      assert.deepEqual((await other.said()).statuses, { interrupted: SESSIONS });
      assert.ok(startsIn(root) - before <= 2);
    });
  }
});

Deno.test("without Perl a shell asks flock for each file", async () => {
  const { folder, node } = await withProgram();
  await withDirectory(async (root) => {
    const path = notingPath(root, ["flock"]);
    Deno.symlinkSync("/bin/sh", join(path, "sh"));
    await using server = new Server(node, folder, root, path, 20);
    assert.deepEqual(await server.said(), { ...RUNNING, statuses: { running: 20 } });
    await using other = new Server(node, folder, root, path, 0);
    assert.deepEqual((await other.said()).statuses, { running: 20 });
  });
});

Deno.test("a program that is killed, or is not there, refuses the append and leaves no folder", async () => {
  const { folder, node } = await withProgram();
  for (const [names, reason] of [[["perl"], /perl ended with SIGKILL/], [[], /install/]] as const) {
    await withDirectory(async (root) => {
      const path = notingPath(root, names, "kill -9 $$\n");
      await using server = new Server(node, folder, root, path, 1);
      const { errors, statuses } = await server.said();
      assert.deepEqual(statuses, {});
      for (const message of Object.keys(errors)) assert.match(message, reason);
      assert.equal(Object.values(errors).reduce((sum, count) => sum + count, 0), 2);
      assert.deepEqual([...Deno.readDirSync(join(root, "sessions"))], []);
    });
  }
});

Deno.test("too many open files are told as that, and no folder is left", async () => {
  const { folder, node, bun } = await withProgram();
  for (const runtime of [node, bun]) {
    await withDirectory(async (root) => {
      const path = notingPath(root, []);
      const few = join(root, "few");
      const text = `#!/bin/sh\nulimit -n 150\nPATH=/usr/bin:/bin\nexec ${runtime} "$@"\n`;
      Deno.writeTextFileSync(few, text, { mode: 0o755 });
      await using server = new Server(few, folder, root, path);
      const { errors, statuses } = await server.said();
      const messages = Object.keys(errors);
      assert.ok(messages.length > 0);
      for (const message of messages) assert.match(message, /too many open files; end sessions/);
      const folders = [...Deno.readDirSync(join(root, "sessions"))].flatMap(({ name }) => [
        ...Deno.readDirSync(join(root, "sessions", name)),
      ]);
      assert.equal(folders.length, Object.values(statuses).reduce((sum, count) => sum + count, 0));
    });
  }
});
