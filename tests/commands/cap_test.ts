import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { keepClaudeSession } from "./_fake_agent.ts";

/** Keeps a session of Claude Code whose answer of now cost so many dollars. */
function costly(
  home: CliHome,
  prefix: string,
  usd: number,
  { model = "claude-sonnet-4-5", cwd = home.work, at = new Date() } = {},
): { path: string; id: string } {
  const id = sessionId(prefix);
  const { path } = keepClaudeSession(home, id, cwd);
  const record = {
    ...{ type: "assistant", uuid: "u2", parentUuid: "u1", isSidechain: false, sessionId: id },
    ...{ cwd, timestamp: at.toISOString(), version: "2.1.330", requestId: `r-${prefix}` },
    message: {
      ...{ id: `m-${prefix}`, role: "assistant", model, type: "message" },
      content: [{ type: "text", text: "Done" }],
      // Output of this model costs 15 dollars a million tokens.
      usage: { input_tokens: 1, output_tokens: Math.round(usd * 1e6 / 15) },
    },
  };
  Deno.writeTextFileSync(path, `${JSON.stringify(record)}\n`, { append: true });
  return { path, id };
}

interface Answer {
  continue?: boolean;
  stopReason?: string;
  systemMessage?: string;
}

/** Asks as Claude Code 2.1.330 asks before a call; gives what is printed. */
async function check(
  home: CliHome,
  { path, id }: { path: string; id: string },
  cwd = home.work,
): Promise<Answer | undefined> {
  const input = {
    ...{ session_id: id, transcript_path: path, cwd, prompt_id: sessionId("9999") },
    ...{ permission_mode: "default", hook_event_name: "PreToolUse", tool_name: "Bash" },
    tool_input: { command: "npm test", description: "Runs it" },
    tool_use_id: "toolu_1",
  };
  const { status, stdout, stderr } = await home.run(["cap", "check"], {
    stdin: JSON.stringify(input),
  });
  assert.deepEqual([status, stderr], [0, ""]);
  return stdout === "" ? undefined : JSON.parse(stdout);
}

inHome.test("a cap of a session warns once at 80 %, stops above it, and lets go once it is lifted", async (home) => {
  await home.succeed(["cap", "15", "--session"]);
  assert.equal(await check(home, costly(home, "aaaa", 11)), undefined);
  const near = costly(home, "bbbb", 12.5);
  const { systemMessage = "", ...rest } = await check(home, near) ?? {};
  assert.deepEqual(rest, {});
  assert.match(systemMessage, /^Reprise: this session has cost ~\$12\.50, and the cap is \$15\. /);
  assert.equal(await check(home, near), undefined, "a warning comes once");
  assert.equal(await check(home, costly(home, "cccc", 14.99)) === undefined, false);
  const above = costly(home, "dddd", 15.5);
  for (let call = 0; call < 2; call++) {
    const { stopReason = "", ...order } = await check(home, above) ?? {};
    assert.deepEqual(order, {
      continue: false,
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: stopReason,
      },
    });
    assert.match(
      stopReason,
      /^Stopped by Reprise: this session has cost ~\$15\.50, more than the cap of \$15\. .*reprise cap lift --session.*reprise cap 30 --session$/,
    );
  }
  await home.succeed(["cap", "30", "--session"]);
  assert.equal(await check(home, above), undefined);
  await home.succeed(["cap", "15", "--session"]);
  assert.equal((await check(home, above))?.continue, false);
  await home.succeed(["cap", "lift"]);
  assert.equal(await check(home, above), undefined);
});

inHome.test("an unknown price never stops, and known costs beside it count", async (home) => {
  await home.succeed(["cap", "1", "--session"]);
  assert.equal(await check(home, costly(home, "aaaa", 100, { model: "no-such-model" })), undefined);
  await home.succeed(["cap", "1", "--day"]);
  assert.equal(await check(home, costly(home, "bbbb", 0.1)), undefined);
  const { stopReason } = await check(home, costly(home, "cccc", 2)) ?? {};
  assert.match(stopReason ?? "", /~\$2\.00, more/);
});

inHome.test("a cap of a day adds up all sessions since midnight", async (home) => {
  await home.succeed(["cap", "10", "--day"]);
  const first = costly(home, "aaaa", 6);
  costly(home, "bbbb", 90, { at: new Date(Date.now() - 25 * 3_600_000) });
  assert.equal(await check(home, first), undefined);
  const { stopReason } = await check(home, costly(home, "cccc", 5)) ?? {};
  assert.match(stopReason ?? "", /today's sessions together have cost ~\$11\.00, more than .*\$10/);
  assert.match(
    (await home.succeed(["cap"])).stdout,
    /^\$10 for all sessions of one day, added up, ~\$11\.00 so far$/m,
  );
});

inHome.test("a cap of a project counts its sessions since it was set, and stops there alone", async (home) => {
  const other = join(home.path, "other");
  Deno.mkdirSync(other);
  costly(home, "aaaa", 50, { at: new Date(Date.now() - 3_600_000) });
  await home.succeed(["cap", "8", "--project"]);
  const here = costly(home, "bbbb", 7);
  const there = costly(home, "cccc", 70, { cwd: other });
  assert.match((await check(home, here))?.systemMessage ?? "", /cost ~\$7\.00 since 20\d\d-/);
  const { stopReason } = await check(home, costly(home, "dddd", 2)) ?? {};
  assert.match(
    stopReason ?? "",
    /this project's sessions together have cost ~\$9\.00 since .*\$8\./,
  );
  assert.equal(await check(home, there, other), undefined);
});

inHome.test("cap lists, replaces and lifts caps", async (home) => {
  assert.match((await home.succeed(["cap"])).stderr, /^No cap on costs is set\. To set one: /);
  assert.match((await home.succeed(["cap", "lift"])).stderr, /^No cap on costs is set\n$/);
  const set = await home.succeed(["cap", "$15", "--session"]);
  assert.match(set.stderr, /^Cap set: \$15 for each session\n.* To install it: reprise setup$/m);
  await home.succeed(["cap", "0.5", "--session"]);
  await home.succeed(["cap", "40", "--day"]);
  await home.succeed(["cap", "7", "--project"]);
  const { stdout } = await home.succeed(["cap"]);
  assert.equal(
    stdout,
    "$0.50 for each session\n$40 for all sessions of one day, added up, $0.00 so far\n" +
      `$7 for project ${home.work}, $0.00 so far\n`,
  );
  const caps = jsonLines<Record<string, unknown>>((await home.succeed(["cap", "--json"])).stdout);
  assert.deepEqual(caps.map(({ scope, usd, project }) => [scope, usd, project]), [
    ...[["session", 0.5, undefined], ["day", 40, undefined], ["project", 7, home.work]],
  ]);
  assert.equal((await home.succeed(["cap", "lift", "--day"])).stderr, "Lifted 1 cap\n");
  await home.succeed(["cache", "clear"]);
  assert.equal((await home.succeed(["cap", "lift"])).stderr, "Lifted 2 caps\n");
});

inHome.test("a cap without an amount or a scope is refused with a reason", async (home) => {
  for (
    const amount of ["0", "-5", "NaN", "Infinity", "1e3", "", "fifteen", "0.001", "1e999", "15,5"]
  ) {
    const { status, stderr } = await home.run(["cap", amount, "--session"]);
    assert.equal(status, 2, amount);
    assert.match(stderr, /above 0/, amount);
  }
  assert.match(
    (await home.run(["cap", "15"])).stderr,
    /Choose what the limit applies to: --session, --day/,
  );
  assert.match((await home.run(["cap", "--day"])).stderr, /Give the limit in US dollars: .* --day/);
  assert.match((await home.run(["cap", "1", "--day", "--session"])).stderr, /cannot be used with/);
  assert.deepEqual(await home.succeed(["cap", "--json"]).then(({ stdout }) => stdout), "");
});

inHome.test("a fault of the check is silent, and the agent goes on", async (home) => {
  await home.succeed(["cap", "1", "--session"]);
  const above = costly(home, "aaaa", 2);
  const silent = async (stdin: string): Promise<void> => {
    const { status, stdout, stderr } = await home.run(["cap", "check"], { stdin });
    assert.deepEqual([status, stdout, stderr], [0, "", ""], stdin.slice(0, 40));
  };
  for (
    const stdin of ["", "{", "[]", "null", '{"transcript_path":7}', '{"transcript_path":"/no"}']
  ) {
    await silent(stdin);
  }
  const asked = JSON.stringify({ transcript_path: above.path, session_id: above.id });
  Deno.writeTextFileSync(above.path, "no session\n");
  await silent(asked);
  await home.succeed(["cap", "15", "--session"]);
  for (const text of ["{", "{}", '[{"scope":"session","usd":-1}]', "[7]"]) {
    Deno.writeTextFileSync(join(home.store, "caps.json"), text);
    await silent(asked);
    const { status, stderr } = await home.run(["cap"]);
    assert.equal(status, 1, text);
    assert.match(
      stderr,
      /Cannot read caps: the file is damaged; delete the file, then set the caps again: /,
    );
  }
});
