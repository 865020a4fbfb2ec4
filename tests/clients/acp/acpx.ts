/**
 * A client from npm lists, begins, continues and resumes sessions of `reprise acp`: `deno task
 * test:clients`. Where npm cannot be reached it is skipped.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { furnishEditorHome, OTHERS } from "../../_support/acp_home.ts";
import { cliCommand, cliEnvironment, jsonLines } from "../../_support/cli.ts";
import { CliHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { installClient } from "../resume/npm_client.ts";

const ACPX = { package: "acpx", version: "0.19.1", program: ".bin/acpx" };

/** A script that starts the program in the home's world: clients pass on few variables. */
function agentScript(home: CliHome): string {
  const variables = Object.entries(cliEnvironment({ home: home.path }))
    .map(([name, value]) => `export ${name}='${value}'\n`).join("");
  const words = [...cliCommand(), "acp", "--model", "mock"].map((word) => `'${word}'`).join(" ");
  const path = join(home.path, "agent.sh");
  Deno.writeTextFileSync(path, `#!/bin/sh\n${variables}exec ${words}\n`, { mode: 0o755 });
  return path;
}

Deno.test("acpx lists, begins, continues and resumes sessions", async (test) => {
  const acpx = await installClient(ACPX);
  // deno-lint-ignore no-console
  if (acpx === undefined) return console.log("skipped: npm cannot be reached");
  await using home = new CliHome();
  furnishEditorHome(home);
  const elsewhere = join(home.path, "elsewhere");
  Deno.mkdirSync(elsewhere);
  const away = home.keep(sessionId("0b0b"), [user("Elsewhere")], { cwd: elsewhere });
  const agent = agentScript(home);
  const own_home = join(home.path, "acpx");
  Deno.mkdirSync(own_home);

  async function run(...args: string[]): Promise<string> {
    const usual = ["--cwd", home.work, "--agent", agent, "--ttl", "1", "--approve-all"];
    const { success, stdout, stderr } = await new Deno.Command(acpx?.program ?? "", {
      args: [...usual, ...args],
      env: { PATH: acpx?.path ?? "", HOME: own_home },
      clearEnv: true,
    }).output();
    const [text, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    assert.ok(success, `${args.join(" ")}\n${text}\n${errors}`);
    return text ?? "";
  }

  const json = ["--format", "json", "--json-strict"];
  await test.step("sessions list", async () => {
    const { sessions } = JSON.parse(await run(...json, "sessions", "list"));
    assert.deepEqual(sessions.length, 3);
    const filtered = await run(...json, "sessions", "list", "--filter-cwd", elsewhere);
    const [only, ...others] = JSON.parse(filtered).sessions;
    assert.deepEqual([only?.sessionId, others], [away.id, []]);
  });
  await test.step("sessions new, and a prompt with a tool", async () => {
    await run("sessions", "new");
    assert.match(await run("prompt", "Hello there"), /You said: Hello there/);
    assert.match(await run("prompt", "run echo made > made.txt"), /ended as ok/);
    assert.equal(await Deno.readTextFile(join(home.work, "made.txt")), "made\n");
    const { stdout } = await home.run(["list", "--all", "--json"]);
    const [row] = jsonLines(stdout);
    assert.deepEqual([row?.["title"], row?.["turn_count"]], ["Hello there", 2]);
  });
  await test.step("a session of another agent, resumed and continued", async () => {
    await run("sessions", "new", "--name", "other", "--resume-session", OTHERS.claude);
    assert.match(await run("prompt", "-s", "other", "And now?"), /You said: And now\?/);
    const { stdout } = await home.run(["list", "--all", "--json"]);
    const [row] = jsonLines<{ title: string; imported_from: { id: string } }>(stdout);
    assert.equal(`claude:${row?.imported_from.id}`, OTHERS.claude);
  });
});
