import assert from "node:assert/strict";
import { join } from "node:path";
import { type CliHome, inHome } from "../_support/cli_home.ts";
import { keepClaudeSession } from "./_fake_agent.ts";

const DAY_MS = 86_400_000;

/** Puts a session where Claude Code keeps its own, last changed so many days ago. */
function keepOld(home: CliHome, digit: string, days: number): string {
  const id = `${digit.repeat(8)}-2222-4333-8444-555555555555`;
  const { path } = keepClaudeSession(home, id, home.work);
  const time = new Date(Date.now() - days * DAY_MS);
  Deno.utimeSync(path, time, time);
  return path;
}

function day(days: number): string {
  const time = new Date(Date.now() + days * DAY_MS);
  return `${time.getFullYear()}-${String(time.getMonth() + 1).padStart(2, "0")}-` +
    String(time.getDate()).padStart(2, "0");
}

inHome.test("list says which sessions their agent deletes soon, and how to keep them", async (home) => {
  for (const [digit, days] of [["1", 29], ["2", 28], ["3", 1]] as const) keepOld(home, digit, days);
  const { stdout, stderr } = await home.run(["list", "--agent", "claude"]);
  assert.equal(stdout.trim().split("\n").length, 4);
  assert.equal(
    stderr,
    `reprise: claude will delete 2 of these sessions within 3 days (the first on ${day(1)}), ` +
      "because cleanupPeriodDays is 30 days by default. " +
      "To back them up: reprise backup --agent claude. " +
      "To back up every session continuously: reprise backup --watch\n",
  );
  const all = await home.run(["list", "--agent", "all", "--all"]);
  assert.match(all.stderr, /To back them up: reprise backup --agent claude --all\. .*--watch\n$/);
  // For programs, and of sessions that nobody deletes, nothing is said.
  for (const flags of [["--json"], ["--agent", "reprise", "--all"], ["--agent", "pi"]]) {
    assert.doesNotMatch((await home.run(["list", ...flags])).stderr, /delete/);
  }
});

inHome.test("the table notes when each session is deleted, and nothing of those that stay", async (home) => {
  const ages = [["1", 40], ["2", 29.5], ["3", 27.5], ["4", 26]] as const;
  for (const [digit, days] of ages) keepOld(home, digit, days);
  const { stdout } = await home.run(["list", "--agent", "claude"]);
  const notes = stdout.trimEnd().split("\n").slice(1).map((line) => [
    /\b(\d)\1{7}\b/.exec(line)?.[1],
    /deleted (?:when the agent next starts|in \d+ days?)/.exec(line)?.[0],
  ]);
  assert.deepEqual(notes.sort(), [
    ["1", "deleted when the agent next starts"],
    ["2", "deleted in 1 day"],
    ["3", "deleted in 3 days"],
    ["4", undefined],
  ]);
});

inHome.test("list follows the agent's settings, and leaves out backed-up sessions", async (home) => {
  const path = keepOld(home, "1", 40);
  keepOld(home, "2", 39);
  const settings = join(home.path, ".claude", "settings.json");
  const list = async (): Promise<string> =>
    (await home.run(["list", "--agent", "claude", "--all"])).stderr;
  assert.match(await list(), /will delete 2 .*\(the first when the agent next starts\)/);
  Deno.writeTextFileSync(settings, '{"cleanupPeriodDays": 41}');
  assert.match(
    await list(),
    /will delete 2 .*cleanupPeriodDays is 41 days in ~.\.claude.settings\.json\./,
  );
  await home.succeed(["backup", "claude:11111111"]);
  assert.match(await list(), new RegExp(`will delete 1 of these .*\\(on ${day(2)}\\)`));
  const { mtime } = Deno.statSync(path);
  Deno.writeTextFileSync(path, "\n", { append: true });
  Deno.utimeSync(path, mtime ?? 0, mtime ?? 0);
  assert.match(await list(), /will delete 2 /);
  Deno.writeTextFileSync(settings, '{"cleanupPeriodDays": 36500}');
  assert.equal(await list(), "");
});
