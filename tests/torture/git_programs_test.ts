/** A repository of somebody else: nothing that its git files name is run, and neither is git. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { cliCommand, cliEnvironment, jsonLines } from "../_support/cli.ts";
import { CliHome } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { lastSession } from "../commands/_chat_terminal.ts";
import { runTraced, STRACE } from "../_support/strace.ts";
import {
  GIT,
  makeTrappedRepository,
  springTraps,
  takeMarks,
} from "../_support/trapped_repository.ts";
import { needing } from "../_support/needing.ts";

const ID = "aaaa0000-0000-4000-8000-000000000001";

interface Scene {
  home: CliHome;
  /** Where programs that ran leave their marks. */
  marks: string;
  /** With a `git` first on the path that leaves one too. */
  env: Record<string, string>;
}

async function withTraps(test: (scene: Scene) => Promise<void>): Promise<void> {
  await using home = new CliHome();
  const marks = join(home.path, "marks");
  makeTrappedRepository(home.work, marks);
  const bin = join(home.path, "bin");
  Deno.mkdirSync(bin);
  const real = Deno.env.get("PATH") ?? "";
  // The false git springs the traps as the real one would.
  const script = `#!/bin/sh\ntouch '${join(marks, "git")}'\nPATH='${real}' exec git "$@"\n`;
  Deno.writeTextFileSync(join(bin, "git"), script, { mode: 0o700 });
  await test({ home, marks, env: { PATH: `${bin}:${real}` } });
}

/** A scripted model that writes a file, and changes another. */
function writeScript(home: CliHome): string {
  const path = join(home.path, "script.json");
  const steps = [
    { text: "I write.", calls: [{ name: "write", input: { path: "b.clean", content: "new\n" } }] },
    {
      text: "I change.",
      calls: [{ name: "edit", input: { path: "a.clean", old_text: "two", new_text: "six" } }],
    },
    { text: "Done." },
  ];
  Deno.writeTextFileSync(path, JSON.stringify(steps));
  return path;
}

Deno.test(
  needing("git runs programs that a repository names: the traps of these tests work", GIT),
  async () => {
    await withTraps(({ home, marks }) => {
      springTraps(home.work);
      const sprung = takeMarks(marks);
      for (const name of ["core.fsmonitor", "filter.clean", "filter.included", "filter.process"]) {
        assert.ok(sprung.includes(name), `${name}: ${sprung}`);
      }
      assert.ok(sprung.includes("filter.apart"), `${sprung}`);
      return Promise.resolve();
    });
  },
);

Deno.test(
  needing("a chat in a repository runs none of the programs that it names", GIT),
  async () => {
    await withTraps(async ({ home, marks, env }) => {
      const args = ["chat", "--json", "--model", `mock:${writeScript(home)}`, "Work"];
      const { stdout } = await home.succeed(args, { env });
      assert.deepEqual(
        jsonLines<{ type: string }>(stdout).filter(({ type }) => type === "tool").length,
        2,
      );
      assert.equal(Deno.readTextFileSync(join(home.work, "a.clean")), "six\n");
      const id = await lastSession(home);
      const { stdout: log } = await home.run(["show", id, "--events"]);
      assert.match(log, /"git":\{"branch":"trapped"\}/);
      assert.match(log, /"git_branch":"trapped"/);
      await home.run(["chat", "--resume", id, "--model", "mock", "On"], { env });
      assert.deepEqual(takeMarks(marks), []);
    });
  },
);

Deno.test(needing("no other command runs them either, nor git", GIT), async () => {
  await withTraps(async ({ home, marks, env }) => {
    home.keep(ID, [user("prompt")]);
    const stdin = '{"kind":"user_message","payload":{"content":"hi"}}\n';
    const recorded = await home.run(["record"], { env, stdin });
    assert.equal(recorded.status, 0, recorded.stderr);
    const lines = [
      ["list"],
      ["show", "aaaa"],
      ["resume", "aaaa"],
      ["search", "prompt"],
      ["stats"],
      ["export", "aaaa"],
      ["fork", "aaaa"],
      ["doctor"],
      ["backup", "--agent", "all", "--dry-run"],
    ];
    // The doctor would find what a fork has not finished.
    for (const args of lines) {
      await home.succeed(args, { env });
    }
    assert.deepEqual(takeMarks(marks), []);
  });
});

Deno.test(needing("a chat whose tools only write starts no process", GIT, STRACE), async () => {
  await withTraps(async ({ home }) => {
    const args = ["chat", "--model", `mock:${writeScript(home)}`, "Work"];
    const env = cliEnvironment({ home: home.path });
    const traced = await runTraced(["-e", "trace=execve,execveat"], [...cliCommand(), ...args], {
      env,
      cwd: home.work,
    });
    assert.equal(traced.status, 0, traced.stderr);
    const started = traced.calls.filter((call) => / execve(at)?\(/.test(call));
    // The program itself is the first.
    assert.equal(started.length, 1, started.join("\n"));
  });
});
