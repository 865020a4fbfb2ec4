/** herdr keeps no sessions: its panes point to those of agents. */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { CliHome } from "../_support/cli_home.ts";

const DATA = new URL("../../testdata/", import.meta.url);
const CLAUDE = "c0ffee00-0000-4000-8000-000000000001";

/** Makes a home with sessions of Claude Code and pi, and a herdr that points to them. */
function homeWithHerdr(): CliHome {
  const home = new CliHome();
  const pi = `${home.path}/.pi/agent/sessions/--here--/2026-03-01T10-00-00-000Z_` +
    "0195a000-0000-7000-8000-000000000001.jsonl";
  const claude = `${home.path}/.claude/projects/-home-dev-src-app/${CLAUDE}.jsonl`;
  const herdr = `${home.path}/.config/herdr/session.json`;
  for (const path of [pi, claude, herdr]) Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.copyFileSync(new URL("agents/pi/turn.jsonl", DATA), pi);
  Deno.copyFileSync(new URL("agents/claude/turn.jsonl", DATA), claude);
  const snapshot = Deno.readTextFileSync(new URL("herdr/session.json", DATA));
  Deno.writeTextFileSync(herdr, snapshot.replaceAll("@HOME@", home.path));
  return home;
}

Deno.test("list --agent herdr shows the sessions of its panes, and names missing ones", async () => {
  await using home = homeWithHerdr();
  const listed = await home.run(["list", "--all", "--agent", "herdr", "--json"]);
  assert.equal(listed.status, 0);
  const agents = jsonLines<{ agent: string }>(listed.stdout).map(({ agent }) => agent);
  assert.deepEqual(agents.sort(), ["claude", "pi"]);
  assert.match(
    listed.stderr,
    /the pane "gone" of herdr \(.*\) shows session codex:0199aaaa.*dead, which does not exist/,
  );
  assert.match(
    listed.stderr,
    /the pane "other" of herdr .* shows session amp:T-1, which does not exist/,
  );
  const table = await home.run(["list", "--all", "--agent", "herdr"]);
  assert.match(table.stdout, /herdr:api work/);
  const one = await home.run(["list", "--all", "--agent", "herdr", "-n", "1", "--json"]);
  assert.equal(jsonLines(one.stdout).length, 1);
});

Deno.test("a name of herdr opens the session that its pane points to", async () => {
  await using home = homeWithHerdr();
  const shown = await home.run(["show", "herdr:API work", "--json"]);
  assert.equal(shown.status, 0, shown.stderr);
  const plain = await home.run(["show", `claude:${CLAUDE}`, "--json"]);
  assert.equal(shown.stdout, plain.stdout);
  assert.equal((await home.run(["show", "herdr:api work#2"])).status, 0);
  assert.equal((await home.run(["conversation", "herdr:api work"])).status, 0);
});

Deno.test("a name that herdr has not, that several have, or that leads nowhere is said", async () => {
  await using home = homeWithHerdr();
  const cases: [string, RegExp][] = [
    [
      "herdr:nobody",
      /Cannot find "herdr:nobody": herdr \(.*\) has panes with these names: herdr:api work/,
    ],
    [
      "herdr:gone",
      /this pane of herdr \(.*\) shows session codex:0199aaaa.*dead, but this session does not exist/,
    ],
    [
      "herdr:other",
      /this pane of herdr \(.*\) shows session amp:T-1 of the agent amp, and Reprise cannot read sessions of this agent/,
    ],
    [
      "herdr:ledger",
      /Cannot choose "herdr:ledger": \d panes of herdr \(.*\) have this name; name a session/,
    ],
    ["herdr:", /Cannot find "herdr:"/],
  ];
  for (const [ref, message] of cases) {
    const { status, stderr } = await home.run(["show", ref]);
    assert.equal(status, 1, ref);
    assert.match(stderr, message);
  }
  await using empty = new CliHome();
  const { stderr } = await empty.run(["show", "herdr:x"]);
  assert.match(stderr, /no pane of herdr \(a terminal multiplexer\) shows a session/);
  const none = await empty.run(["list", "--agent", "herdr"]);
  assert.deepEqual([none.status, none.stdout], [0, ""]);
  assert.match(none.stderr, /^No pane of herdr \(a terminal multiplexer\) shows a session\n/);
});
