/** The program and the library, loaded from a URL as from a repository's raw files. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { cliEnvironment, jsonLines } from "./_support/cli.ts";
import { CliHome, sessionId } from "./_support/cli_home.ts";
import { assistant, user } from "./_support/log_bytes.ts";
import { ROOT } from "./_support/source_code.ts";

const TYPES: Record<string, string> = { ts: "application/typescript", json: "application/json" };

/** Serves the product's files, and tells which were asked for. */
class Repository implements AsyncDisposable {
  readonly url: string;
  readonly asked: string[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor() {
    const options = { port: 0, hostname: "127.0.0.1", onListen: (): void => {} };
    this.#server = Deno.serve(options, (request) => this.#answer(new URL(request.url).pathname));
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async #answer(path: string): Promise<Response> {
    this.asked.push(path);
    const type = TYPES[path.slice(path.lastIndexOf(".") + 1)];
    const served = /^\/(?:lib|commands)\/[\w/]+\.ts$|^\/\w+\.ts$|^\/deno\.json$/.test(path);
    if (type === undefined || !served) return new Response(undefined, { status: 404 });
    const body = await Deno.readFile(new URL(`.${path}`, ROOT));
    return new Response(body, { headers: { "content-type": type } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

interface Run {
  success: boolean;
  stdout: string;
  stderr: string;
}

/** Runs Deno with a cache of its own, but for the npm packages. */
async function deno(home: CliHome, args: readonly string[]): Promise<Run> {
  const env = cliEnvironment({ home: home.path });
  const cache = join(home.path, "cache");
  if (!await Deno.stat(cache).catch(() => undefined)) {
    await Deno.mkdir(cache);
    const npm = join(env.DENO_DIR ?? "", "npm");
    await Deno.symlink(npm, join(cache, "npm"), { type: "junction" });
  }
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: home.work,
    env: { ...env, DENO_DIR: cache },
    clearEnv: true,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { success, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("the program runs from a URL", async () => {
  await using repository = new Repository();
  await using home = new CliHome();
  home.keep(sessionId("aaaa"), [user("hi"), assistant("there")]);
  const main = ["run", "--quiet", "-A", `${repository.url}/main.ts`];
  const listed = await deno(home, [...main, "list", "--json"]);
  assert.deepEqual([listed.success, listed.stderr], [true, ""]);
  assert.deepEqual(jsonLines(listed.stdout).map(({ title }) => title), ["hi"]);
  assert.ok(repository.asked.includes("/main.ts") && repository.asked.includes("/deno.json"));
  // What a command loads only when it needs it comes from there too.
  const shown = await deno(home, [...main, "show", "aaaa"]);
  assert.deepEqual([shown.success, shown.stderr], [true, ""]);
  assert.match(shown.stdout, /there/);
  assert.equal((await deno(home, [...main, "--version"])).success, true);
  const lines: [string[], RegExp][] = [
    [["search", "there"], /#3 .*\n +there$/m],
    [["export", "aaaa", "--format", "html"], /<!doctype html>[^]*there/i],
    [["index", "build"], /sessions +1 of 1/],
    [["search", "there"], /#3 .*\n +there$/m],
    [["scan", "aaaa"], /^$/],
    [["fork", "aaaa"], /^[0-9a-f-]{36}\n$/],
  ];
  for (const [args, found] of lines) {
    const { success, stdout, stderr } = await deno(home, [...main, ...args]);
    assert.ok(success, `${args.join(" ")}: ${stderr}`);
    assert.match(stdout, found, args.join(" "));
  }
});

Deno.test("a program imports the library from a URL, keeps a session and loads it again", async () => {
  await using repository = new Repository();
  await using home = new CliHome();
  const program = join(home.work, "agent.ts");
  await Deno.writeTextFile(
    program,
    `import { openStore } from "${repository.url}/mod.ts";
    const store = openStore();
    const session = store.create({ cwd: Deno.cwd() });
    await session.append({ kind: "user_message", payload: { content: "Hello" } });
    await session.close();
    const { messages, summary } = await store.load(session.id);
    console.log(JSON.stringify({ messages, status: summary.status }));\n`,
  );
  const host = new URL(repository.url).host;
  const run = await deno(home, [
    ...["run", "--quiet", "--check", "--allow-read", "--allow-write", "--allow-env", "--allow-sys"],
    `--allow-import=${host}`,
    program,
  ]);
  assert.equal(run.stderr, "");
  assert.deepEqual(JSON.parse(run.stdout), {
    messages: [{ role: "user", content: "Hello" }],
    status: "completed",
  });
  assert.ok(repository.asked.includes("/mod.ts"));
  assert.ok(!repository.asked.some((path) => path.startsWith("/commands/")));
});
