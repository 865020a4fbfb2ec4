import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { jsonLines } from "../../_support/cli.ts";
import { type CliHome, inHome } from "../../_support/cli_home.ts";

type Json = Record<string, unknown>;

const GONE = "99999999-2222-4333-8444-555555555555";
const THERE = "11111111-2222-4333-8444-555555555555";
const TIME = Date.parse("2026-09-03T04:18:00.000Z");

function putLines(home: CliHome, name: string, lines: (Json | string)[]): string {
  const path = join(home.path, name);
  Deno.mkdirSync(dirname(path), { recursive: true });
  const texts = lines.map((line) => typeof line === "string" ? line : JSON.stringify(line));
  Deno.writeTextFileSync(path, texts.join("\n") + "\n");
  return path;
}

/** Puts a history of Claude Code into a home, and one of the sessions that it names. */
function putClaude(home: CliHome): string {
  const { work } = home;
  putLines(home, `.claude/projects/${work.replace(/[^a-zA-Z0-9]/g, "-")}/${THERE}.jsonl`, [{
    ...{ type: "user", uuid: "u1", parentUuid: null, isSidechain: false, sessionId: THERE },
    ...{ cwd: work, timestamp: "2026-11-21T20:00:00.000Z", version: "2.1.330" },
    message: { role: "user", content: "Still there" },
  }]);
  const said = { project: work, pastedContents: {} };
  return putLines(home, ".claude/history.jsonl", [
    { ...said, display: "Paint the zebra", timestamp: TIME, sessionId: GONE },
    { ...said, display: "Still there", timestamp: TIME, sessionId: THERE },
    "{broken",
    {
      ...said,
      display: "As in [Pasted text #1]",
      timestamp: TIME + 5000,
      sessionId: GONE,
      pastedContents: { 1: { id: 1, type: "text", content: "stripes and more stripes" } },
    },
    // Before sessions were named.
    { ...said, display: "Anonymous", timestamp: TIME },
  ]);
}

inHome.test("list --gone has deleted sessions with their prompts, and no others", async (home) => {
  const path = putClaude(home);
  const id = "0199aaaa-0000-7000-8000-000000000001";
  putLines(home, ".codex/history.jsonl", [{ session_id: id, ts: TIME / 1000, text: "Codex said" }]);
  const spoken = "7c2a1d0f-63d2-4a7b-8e2f-1b5e7a2c3d4e";
  putLines(home, ".gemini/antigravity-cli/history.jsonl", [
    { display: "Fly", timestamp: TIME, workspace: home.work, conversationId: spoken },
  ]);
  const { stdout } = await home.succeed(["list", "--gone", "--all", "--json"]);
  const rows = jsonLines(stdout);
  assert.deepEqual(
    rows.map(({ ref, title, turn_count }) => [ref, title, turn_count]).sort(),
    [
      [`antigravity:${spoken}`, "Fly", 1],
      [`claude:${GONE}`, "Paint the zebra", 2],
      [`codex:${id}`, "Codex said", 1],
    ],
  );
  const claude = rows.find(({ agent }) => agent === "claude");
  assert.deepEqual([claude?.path, claude?.cwd, claude?.updated_at], [
    path,
    home.work,
    "2026-09-03T04:18:05.000Z",
  ]);
  const usual = await home.run(["list", "--all", "--json"]);
  assert.deepEqual(jsonLines(usual.stdout).map(({ ref }) => ref), [`claude:${THERE}`]);
});

inHome.test("a deleted session is shown as its prompts, searched on demand, and not resumed", async (home) => {
  const path = putClaude(home);
  const before = await Deno.readTextFile(path);
  const shown = await home.run(["show", "claude:9999", "--json"]);
  const items = jsonLines(shown.stdout);
  assert.deepEqual(items.map(({ type }) => type), ["session", "message", "message"]);
  assert.match(shown.stdout, /As in \[Pasted text #1\]\\n\\nstripes and more stripes/);
  const [found, usual] = await home.runAll([
    ["search", "stripes", "--gone", "--all", "--json"],
    ["search", "stripes", "--all"],
  ]);
  assert.deepEqual(jsonLines(found?.stdout ?? "").map(({ ref }) => ref), [`claude:${GONE}`]);
  assert.match(usual?.stderr ?? "", /No session mentions: stripes/);
  const resumed = await home.run(["resume", "claude:9999", "--print"]);
  assert.equal(resumed.status, 1);
  assert.match(
    resumed.stderr,
    /Claude Code no longer has the session; only the session's prompts remain/,
  );
  const fixed = await home.run(["doctor", "agents", "--fix", "claude:9999"]);
  assert.match(fixed.stderr, /the session was deleted; only its prompts remain/);
  assert.equal(await Deno.readTextFile(path), before);
});

inHome.test("doctor agents counts deleted sessions whose prompts are left", async (home) => {
  putClaude(home);
  const { stdout } = await home.run(["doctor", "agents"]);
  assert.match(
    stdout,
    /deleted {2}1 session \(by the agent\); to list their prompts: reprise list --gone --all --agent claude/,
  );
});

inHome.test("a prompt at a time that no date holds is listed and shown", async (home) => {
  putLines(
    home,
    ".claude/history.jsonl",
    [8640000000000001, -1e300].map((timestamp) => ({
      ...{ project: home.work, pastedContents: {}, display: `At ${timestamp}`, timestamp },
      sessionId: GONE,
    })),
  );
  const [listed, shown] = await home.runInOrder([["list", "--gone", "--all"], ["show", GONE]]);
  assert.match(listed?.stdout ?? "", /99999999 .* At 8640000000000001/);
  assert.match(shown?.stdout ?? "", /At 8640000000000001[^]*At -1e\+300/);
});
