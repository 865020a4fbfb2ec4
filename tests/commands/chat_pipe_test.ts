/** A chat without a terminal: one message, its answer, and what has to be told beside it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { cliCommand, cliEnvironment } from "../_support/cli.ts";
import { CliHome, inHome } from "../_support/cli_home.ts";
import { ModelServer } from "../_support/model_servers.ts";
import { blockSessions, lastSession, serverEnvironment } from "./_chat_terminal.ts";
import { needing, UNIX } from "../_support/needing.ts";

const CALL = { calls: [{ id: "c1", name: "bash", input: { command: "touch made" } }] };

inHome.test("a command that is not allowed is told on one line", async (home) => {
  const command = "touch made\nreprise: Allowed";
  const calls = [{ id: "c1", name: "bash", input: { command } }];
  await using server = new ModelServer("openai", [{ calls }, { text: "So not." }]);
  const { stderr } = await home.run(["chat", "Make it"], { env: serverEnvironment(server) });
  assert.match(
    stderr,
    /^reprise: Refused a tool call: bash touch made␊reprise: Allowed \(it runs/m,
  );
  assert.doesNotMatch(stderr, /^reprise: Allowed/m);
});

inHome.test("in a pipe a call that asks is not made, and is told with what would allow it", async (home) => {
  await using server = new ModelServer("openai", [CALL, { text: "So not." }]);
  const env = serverEnvironment(server);
  const refused = await home.run(["chat", "Make it"], { env });
  assert.deepEqual([refused.status, refused.stdout], [0, "So not.\n"]);
  assert.match(
    refused.stderr,
    /^reprise: Refused a tool call: bash touch made \(it runs a command\)\. To allow every tool call: --yes$/m,
  );
  assert.deepEqual([...Deno.readDirSync(home.work)], []);

  const input = { content: "made" };
  const files = ["../outside", ".git/config"].map((path, index) => (
    { id: `w${index}`, name: "write", input: { path, ...input } }
  ));
  server.then_answer({ calls: [...CALL.calls, ...files] }, { text: "Made." });
  const allowed = await home.run(["chat", "--yes", "Make it"], { env });
  assert.equal(allowed.status, 0);
  assert.doesNotMatch(allowed.stderr, /Not allowed/);
  for (const path of ["made", "../outside", ".git/config"]) Deno.statSync(join(home.work, path));
  const id = await lastSession(home);
  assert.ok(
    allowed.stderr.endsWith(
      `Session ${id}\nContinue with: reprise chat --resume ${id.slice(0, 8)}\n`,
    ),
    allowed.stderr,
  );
});

inHome.test("in a pipe an answer that could not be kept is given, and fails", async (home) => {
  await blockSessions(home);
  const { status, stdout, stderr } = await home.run(["chat", "--model", "mock", "Hello"]);
  assert.equal(stdout, "You said: Hello\n");
  assert.match(
    stderr,
    /^reprise: Could not save \d+ events? of this session. The events? (?:is|are) lost$/m,
  );
  assert.doesNotMatch(stderr, /--resume/);
  assert.equal(status, 1);
});

inHome.test("the model is that of --model, else of the settings, else of the environment", async (home) => {
  await using server = new ModelServer("openai", [{ text: "Served" }, { text: "Served" }]);
  const env = serverEnvironment(server);
  const answer = async (...flags: string[]): Promise<string> => {
    const { stdout } = await home.succeed(["chat", "--no-session", ...flags, "Hi"], {
      env,
    });
    return stdout;
  };
  assert.equal(await answer(), "Served\n");
  assert.equal((await home.run(["config", "set", "chat.model", "mock"])).status, 0);
  assert.equal(await answer(), "You said: Hi\n");
  assert.equal(await answer("--model", "openai"), "Served\n");
});

Deno.test(
  needing("input without an end is refused once it is longer than a message may be", UNIX),
  async () => {
    await using home = new CliHome();
    // 32 MiB end by themselves, should the limit ever be gone.
    const { code, stdout, stderr } = await new Deno.Command("sh", {
      args: [
        "-c",
        'head -c 33554432 /dev/zero | "$@"',
        ...["sh", ...cliCommand(), "chat", "--model", "mock"],
      ],
      env: cliEnvironment({ home: home.path }),
      cwd: home.work,
      clearEnv: true,
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    assert.deepEqual([code, decoder.decode(stdout)], [2, ""]);
    assert.match(
      decoder.decode(stderr),
      /^reprise: standard input has more than 8388608 bytes, the limit of a message: pipe less/m,
    );
    assert.deepEqual([...Deno.readDirSync(home.path)].map(({ name }) => name), ["work"]);
  },
);
