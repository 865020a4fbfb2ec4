/**
 * Whether the real Claude Code asks about a cap before its calls, is warned, and stops above it: with
 * a scripted model and the hook as setup writes it. `deno test -A tests/clients/caps/caps.ts`.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { carryOut, readSetupText } from "../../../lib/features/setup/carry_out.ts";
import { agentItems } from "../../../lib/features/setup/setup_item.ts";
import { planStep } from "../../../lib/features/setup/plan_setup.ts";
import { writeCaps } from "../../../lib/core/workspace/caps_file.ts";
import { cliCommand, cliEnvironment } from "../../_support/cli.ts";
import { CliHome } from "../../_support/cli_home.ts";
import { claude } from "../resume/client/claude.ts";
import { installClient, type NpmClient, RunningClient } from "../resume/npm_client.ts";
import { ScriptedServer } from "../resume/scripted_server.ts";

/** An answer of the scripted model costs so much at the prices of its name, Opus 4.5. */
const ANSWER_USD = 0.00075;

async function installHook(home: CliHome): Promise<void> {
  const variable = (name: string): string | undefined => name === "HOME" ? home.path : undefined;
  const words = [...cliCommand(), "cap", "check"].map((word) => `'${word}'`).join(" ");
  const environment = { home: home.path, variable, os: Deno.build.os };
  const facts = { environment, isProgram: (name: string) => name === "claude", skill: "" };
  const item = agentItems({
    ...{ ...facts, command: ["reprise"], status_line: "reprise", hooks: { call: words } },
  }).find(({ what }) => what.startsWith("the hook that stops Claude Code above"));
  assert.ok(item !== undefined);
  const step = planStep(item, readSetupText, false);
  assert.equal(step.action, "write");
  await carryOut(step, () => Promise.reject(new Error("no command is run")));
}

Deno.test(`claude ${claude.version} is warned near a cap, and stops above it`, async () => {
  const command = await installClient(claude);
  if (command === undefined) return;
  await using home = new CliHome();
  const made = ["a", "b", "c"].map((name) => join(home.work, name));
  const calls = made.map((path) => claude.shell(`touch ${path}`));
  await using server = new ScriptedServer({ shell: claude.shell, recall: () => calls });
  const place = { home: home.path, cwd: home.work, url: server.url };
  const client: NpmClient = {
    ...claude,
    env: (at) => ({
      ...cliEnvironment({ home: home.path }),
      PATH: command.path,
      ...claude.env(at),
    }),
  };
  claude.setUp(place);
  await installHook(home);
  // Two answers are 80 % of it.
  const cap = {
    scope: "session",
    usd: 2.4 * ANSWER_USD,
    set_at: new Date().toISOString(),
  } as const;
  writeCaps(home.store, [cap]);
  const ask = async (prompt: string): Promise<string> => {
    const args = claude.args({ prompt }) ?? [];
    const more = ["--output-format", "stream-json", "--verbose", "--include-hook-events"];
    const { code, output } = await new RunningClient(client, command, place, [...args, ...more])
      .ended;
    assert.equal(code, 0, output);
    return output;
  };
  const output = await ask("step:recalled");
  assert.deepEqual(made.map(existsSync), [true, true, false], output);
  assert.equal(server.asked.length, 3, "the model is not asked again");
  assert.match(output, /Reprise: this session has cost ~<\$0\.01, and the cap is \$0\.00\. /);
  assert.match(output, /Stopped by Reprise: this session has cost .* reprise cap lift --session/);
  await home.succeed(["cap", "lift"]);
  await ask("step:recalled");
  assert.deepEqual(made.map(existsSync), [true, true, true]);
});
