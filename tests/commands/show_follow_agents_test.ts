/** `show --follow` of other agents' sessions, while real files and databases grow. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, testsAtHome } from "../_support/cli_home.ts";
import type { RunningCli } from "../_support/running_cli.ts";
import { insert } from "../_support/database_bytes.ts";
import * as goose from "../agents/goose/_store.ts";
import * as opencode from "../agents/opencode/_store.ts";
import { keepClaudeSession } from "./_fake_agent.ts";
import { answerInPi, keepPiSession } from "./_pi_session.ts";
import { UNIX } from "../_support/needing.ts";

const onUnix = testsAtHome(UNIX);

const UUID = "3f2a91c0-1111-4222-8333-444455556666";

/** A running `show --follow --json`, whose lines are all kept. */
class Follower {
  readonly #cli: RunningCli;
  #lines: string[] = [];

  constructor(home: CliHome, ref: string, flags: readonly string[] = ["--json"]) {
    this.#cli = home.talk(["show", ref, "--follow", ...flags]);
  }

  async until(text: string): Promise<void> {
    for (;;) {
      const line = await this.#cli.line();
      if (line === undefined) throw new Error(`Ended without ${text}: ${this.#lines.join("\n")}`);
      this.#lines.push(line);
      if (line.includes(text)) return;
    }
  }

  /** Interrupts it; gives all that it wrote. */
  async stop(): Promise<{ status: number; stdout: string; stderr: string }> {
    this.#cli.kill("SIGINT");
    const { status, stdout, stderr } = await this.#cli.end();
    return { status, stdout: [...this.#lines, stdout].join("\n"), stderr };
  }
}

/** Counts the occurrences of a text. */
function times(text: string, whole: string): number {
  return whole.split(text).length - 1;
}

function append(path: string, record: unknown, end = "\n"): void {
  Deno.writeTextFileSync(path, JSON.stringify(record) + end, { append: true });
}

function claudeRecord(uuid: string, parentUuid: string, message: unknown): object {
  const type = (message as { role: string }).role;
  const time = { timestamp: "2026-11-21T20:01:00.000Z", version: "2.1.100", userType: "external" };
  return { type, uuid, parentUuid, isSidechain: false, sessionId: UUID, ...time, message };
}

function answer(uuid: string, parent: string, id: string, ...content: object[]): object {
  return claudeRecord(uuid, parent, { id, role: "assistant", model: "m", content });
}

// Slow: a follower looks five times a second, and some texts need a quiet second.
onUnix.test("pi's appended text is shown as it comes, and once", async (home) => {
  const { ref, path } = keepPiSession(home);
  const follower = new Follower(home, ref);
  await follower.until("Asked of pi");
  answerInPi(path, 7);
  await follower.until("Answered by pi");
  const { status, stdout, stderr } = await follower.stop();
  assert.deepEqual([status, stderr], [130, ""]);
  assert.equal(times("Asked of pi", stdout), 1);
  assert.equal(times("Answered by pi", stdout), 1);
  const seqs = jsonLines<{ seq: number }>(stdout).map(({ seq }) => seq);
  assert.deepEqual(seqs, seqs.toSorted((one, other) => one - other));
});

// Slow: a follower looks five times a second, and some texts need a quiet second.
onUnix.test("a response that Claude Code writes part by part, in torn lines, is shown once", async (home) => {
  const { ref, path } = keepClaudeSession(home, UUID, home.work);
  const followers = [[], ["--json"], ["--last", "1"]].map((flags) =>
    new Follower(home, ref, flags)
  );
  const each = (text: string): Promise<unknown> =>
    Promise.all(followers.map((follower) => follower.until(text)));
  await each("Asked of Claude");
  append(path, answer("a1", "u1", "m1", { type: "text", text: "First part" }));
  // The session is quiet for long enough that it is shown.
  await each("First part");
  const call = { type: "tool_use", id: "t1", name: "Read", input: { file_path: "/x" } };
  const line = JSON.stringify(answer("a2", "a1", "m1", call));
  await Deno.writeTextFile(path, line.slice(0, 90), { append: true });
  await new Promise((resolve) => setTimeout(resolve, 500));
  await Deno.writeTextFile(path, `${line.slice(90)}\n`, { append: true });
  const content = [{ type: "tool_result", tool_use_id: "t1", content: "what was read" }];
  append(path, claudeRecord("r1", "a2", { role: "user", content }));
  await each("what was read");
  append(path, answer("a3", "r1", "m2", { type: "text", text: "At last" }));
  await each("At last");
  for (const follower of followers) {
    const { status, stdout, stderr } = await follower.stop();
    assert.deepEqual([status, stderr], [130, ""]);
    for (const text of ["First part", "what was read", "At last"]) {
      assert.equal(times(text, stdout), 1, `${text}\n${stdout}`);
    }
  }
});

// Slow: a follower looks five times a second, and some texts need a quiet second.
onUnix.test("a file that was replaced, or cut off and written anew, is said, and its new events shown", async (home) => {
  const { ref, path } = keepPiSession(home);
  const follower = new Follower(home, ref);
  await follower.until("Asked of pi");
  const whole = await Deno.readTextFile(path);
  await Deno.writeTextFile(
    `${path}.tmp`,
    whole.replaceAll("a1", "n1").replace("Asked", "Begged"),
  );
  await Deno.rename(`${path}.tmp`, path);
  await follower.until("Begged of pi");
  // In place: shorter for a moment, then with other records.
  await Deno.truncate(path, whole.indexOf("\n") + 1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const [, second = ""] = whole.split("\n");
  const other = second.replaceAll("a1", "o1").replace("Asked", "Told");
  await Deno.writeTextFile(path, `${other}\n`, { append: true });
  await follower.until("Told of pi");
  const { status, stdout, stderr } = await follower.stop();
  assert.equal(status, 130);
  for (const text of ["Asked of pi", "Begged of pi", "Told of pi"]) {
    assert.equal(times(text, stdout), 1, stdout);
  }
  assert.match(
    stderr,
    /^(reprise: pi:1111aaaa was rewritten by its agent; showing only what is new\n)+$/,
  );
});

onUnix.test("a session whose user goes back continues on a new branch", async (home) => {
  const claude = keepClaudeSession(home, UUID, home.work);
  const pi = keepPiSession(home);
  const qwen = join(home.path, `.qwen/projects/-w/chats/${UUID}.jsonl`);
  const qwenRecord = (uuid: string, parentUuid: string | null, fields: object): object => ({
    ...{ uuid, parentUuid, sessionId: UUID, timestamp: "2026-11-21T20:00:00.000Z", cwd: "/w" },
    ...fields,
  });
  const asked = (text: string): object => ({
    type: "user",
    message: { role: "user", parts: [{ text }] },
  });
  await Deno.mkdir(dirname(qwen), { recursive: true });
  append(qwen, qwenRecord("u1", null, asked("First of Qwen")));
  append(qwen, qwenRecord("u2", "u1", asked("Asked of Qwen")));
  const piEntry = (id: string, text: string): object => ({
    ...{ type: "message", id, parentId: "a1", timestamp: "2026-11-21T20:02:00.000Z" },
    message: { role: "user", content: [{ type: "text", text }] },
  });
  const claudeEntry = (uuid: string, text: string): object =>
    claudeRecord(uuid, "u1", { role: "user", content: text });
  append(claude.path, claudeEntry("u2", "This way"));
  append(pi.path, piEntry("b1", "This way"));
  const sessions = [[claude.ref, "This way"], [pi.ref, "This way"], [
    `qwen:${UUID}`,
    "Asked of Qwen",
  ]];
  const followers = sessions.map(([ref = ""]) => new Follower(home, ref));
  for (const [at, follower] of followers.entries()) await follower.until(sessions[at]?.[1] ?? "");
  const later = { timestamp: "2026-11-21T20:05:00.000Z" };
  append(claude.path, { ...claudeEntry("u3", "That way"), ...later });
  append(pi.path, piEntry("b2", "That way"));
  append(qwen, qwenRecord("w1", "u1", { type: "system", subtype: "rewind", systemPayload: {} }));
  append(qwen, qwenRecord("u3", "w1", asked("That way")));
  for (const [at, follower] of followers.entries()) {
    await follower.until("That way");
    const { stdout, stderr } = await follower.stop();
    const ref = sessions[at]?.[0];
    const how = `to see the earlier branch: reprise show ${ref} --threads`;
    assert.equal(stderr, `reprise: session ${ref} now continues from an earlier message; ${how}\n`);
    assert.equal(times("That way", stdout), 1);
  }
});

// Slow: a follower looks five times a second, and some texts need a quiet second.
onUnix.test("a session that its agent moves is followed where it is now", async (home) => {
  const id = "0199aaaa-0000-7000-8000-000000000001";
  const name = `rollout-2026-03-01T09-00-00-${id}.jsonl`;
  const path = join(home.path, ".codex/sessions/2026/03/01", name);
  await Deno.mkdir(dirname(path), { recursive: true });
  const fixture = new URL("../../testdata/agents/codex/legacy.jsonl", import.meta.url);
  await Deno.copyFile(fixture, path);
  const follower = new Follower(home, `codex:${id}`);
  await follower.until("Twelve.");
  const moved = join(home.path, ".codex/archived_sessions", name);
  await Deno.mkdir(dirname(moved));
  await Deno.rename(path, moved);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const content = [{ type: "input_text", text: "And now?" }];
  const timestamp = "2026-03-01T09:01:00.000Z";
  const payload = { type: "message", role: "user", content };
  append(moved, { timestamp, type: "response_item", payload });
  await follower.until("And now?");
  const { status, stdout, stderr } = await follower.stop();
  assert.deepEqual([status, stderr], [130, ""]);
  assert.equal(times("Twelve.", stdout), 1);
});

// Slow: a follower looks five times a second, and some texts need a quiet second.
onUnix.test("OpenCode's database is followed: a text that grows in its row, and new rows", async (home) => {
  const path = join(home.path, ".local/share/opencode/opencode.db");
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeFile(path, opencode.databaseOf(opencode.exported("small")));
  const follower = new Follower(home, "opencode:ses_small");
  using database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0");
  await follower.until("Two entries.");
  const times_of = { time_created: 1763700010000, time_updated: 1763700010000 };
  const message = (id: string, data: object): void =>
    insert(database, "message", {
      ...{ id, session_id: "ses_small", ...times_of, data: JSON.stringify(data) },
    });
  const part = (id: string, message_id: string, text: string): void =>
    insert(database, "part", {
      ...{ id, message_id, session_id: "ses_small", ...times_of },
      data: JSON.stringify({ type: "text", text }),
    });
  const created = 1763700010000;
  message("msg_3", { role: "user", time: { created } });
  part("prt_3", "msg_3", "Add them.");
  await follower.until("Add them.");
  const model = { providerID: "anthropic", modelID: "claude-x", parentID: "msg_3" };
  message("msg_4", { role: "assistant", ...model, time: { created: created + 1 } });
  part("prt_4", "msg_4", "It");
  for (const text of ["It is", "It is forty", "It is forty-two."]) {
    await new Promise((resolve) => setTimeout(resolve, 150));
    const data = JSON.stringify({ type: "text", text });
    database.prepare("UPDATE part SET data = ? WHERE id = 'prt_4'").run(data);
  }
  await follower.until("forty-two.");
  const { status, stdout, stderr } = await follower.stop();
  assert.deepEqual([status, stderr], [130, ""]);
  for (const text of ["Two entries.", "Add them.", "forty"]) assert.equal(times(text, stdout), 1);
});

// Slow: a follower looks five times a second, and some texts need a quiet second.
onUnix.test("goose's database is followed", async (home) => {
  const path = join(home.path, ".local/share/goose/sessions/sessions.db");
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeFile(path, goose.databaseOf(goose.talk("talk")));
  const follower = new Follower(home, "goose:20251121_1");
  await follower.until("What is in the ledger?");
  using database = new DatabaseSync(path);
  insert(database, "messages", {
    ...{ message_id: "msg_90", session_id: "20251121_1", role: "user" },
    content_json: JSON.stringify([{ type: "text", text: "One thing more" }]),
    created_timestamp: 1763700100,
  });
  await follower.until("One thing more");
  const { status, stdout } = await follower.stop();
  assert.equal(status, 130);
  assert.equal(times("What is in the ledger?", stdout), 1);
  assert.equal(times("One thing more", stdout), 1);
});
