/**
 * What Autohand itself makes of the sample sessions, and what this reader makes of them.
 */
import assert from "node:assert/strict";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { autohandAgent } from "../../../lib/agents/autohand/autohand_agent.ts";
import { contentText, type Message, type Part } from "../../../lib/core/event/message.ts";
import { pairCalls } from "../../../lib/core/projection/conversation/paired_messages.ts";
import { locateAll, makeHome } from "../../_support/agent_contract.ts";
import { Reading } from "../_reading.ts";
import { sampleUrl, testRecorded } from "../../_support/samples.ts";

const autohand = new Reading(autohandAgent);
const SAMPLES = sampleUrl("autohand/");
const GENERATED = new URL("generated-by-autohand-0.8.2/", SAMPLES);
const MAIN = "5d2a23de-52f0-43fd-a8b1-8b9791e3fedc-1795293685886";

interface Loaded {
  loaded: number;
  roles: string;
  chatLog: { role: string; content: string }[];
}

function golden(): Record<string, Loaded | { error: string }> {
  return JSON.parse(Deno.readTextFileSync(new URL("GOLDEN-autohand-0.8.2.json", SAMPLES)));
}

interface Line {
  role: "user" | "assistant" | "system" | "tool";
  content: string;
  toolCalls?: { id: string; tool: string; args: unknown }[];
  tool_call_id?: string;
  name?: string;
  _meta?: { stream?: string };
}

/** Autohand's `Session.load`, but for what it throws on: the lines that are JSON. */
function reference(path: string): Line[] {
  if (basename(path) !== "conversation.jsonl") return [];
  return Deno.readTextFileSync(path).split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

/** Autohand's `restoreAgentSessionState` in our shape, without the pieces of streamed outputs. */
function sent(lines: readonly Line[]): Message[] {
  return pairCalls(lines.filter(({ _meta }) => _meta?.stream === undefined).map(toMessage));
}

function toMessage(line: Line): Message {
  const { role, content, toolCalls = [], tool_call_id: call_id = "", name = "" } = line;
  if (role === "tool") {
    return {
      role,
      content: [{ type: "tool_result", call_id, name, status: "ok", output: content }],
    };
  }
  if (toolCalls.length === 0) return { role, content };
  const said: Part[] = content === "" ? [] : [{ type: "text", text: content }];
  const calls = toolCalls.map(({ id, tool, args }): Part => ({
    type: "tool_call",
    call_id: id,
    name: tool,
    input: args,
  }));
  return { role, content: [...said, ...calls] };
}

/** What a person reads of it: prompts and answers. */
async function chatLog(session: AgentSession): Promise<unknown[]> {
  return (await autohand.transcript(session)).flatMap((item) => {
    if (item.type !== "message") return [];
    const content = contentText(item.content).trim();
    return content === "" ? [] : [{ role: item.role, content }];
  });
}

async function samples(): Promise<AgentSession[]> {
  const home = fileURLToPath(GENERATED);
  const variable = (name: string) => name === "AUTOHAND_HOME" ? home : undefined;
  return await locateAll(autohandAgent, { home: "/nowhere", os: "linux", variable });
}

testRecorded("Autohand's own sessions are shown and sent as Autohand does", GENERATED, async () => {
  const sessions = await samples();
  assert.equal(sessions.length, 5);
  for (const session of sessions) {
    const expected = golden()[session.id] as Loaded;
    const lines = reference(session.path);
    assert.equal(lines.length, expected.loaded);
    assert.equal(lines.map(({ role }) => role).join(), expected.roles);
    assert.deepEqual(await autohand.accepted(session), sent(lines), session.id);
    assert.deepEqual(await chatLog(session), expected.chatLog, session.id);
    const { account } = await autohand.read(session);
    assert.equal(account.total, Deno.statSync(session.path).size);
  }
});

testRecorded("a session is titled, placed and closed as its metadata says", GENERATED, async () => {
  const rows = await Promise.all(
    (await samples()).map((session) => autohand.summary(session)),
  );
  assert.equal(rows.length, 5);
  const clone = rows.find((row) => row?.session_id.startsWith("64984d4f"));
  assert.equal(clone?.title, "Implemented user authentication with JWT");
  assert.equal(clone?.status, "completed");
  assert.deepEqual(clone?.parent, { session_id: MAIN, reason: "clone" });
  const main = rows.find((row) => row?.session_id === MAIN);
  assert.equal(main?.title, "Add JWT auth ünïcödé ✓");
  assert.equal(main?.status, "idle");
  // Its last message, whatever its metadata says.
  assert.equal(main?.updated_at, "2026-02-03T10:00:20.400Z");
  const empty = rows.find((row) => row?.session_id.startsWith("5c4594ab"));
  assert.equal(empty?.title, "");
});

testRecorded("where Autohand fails on a line, all others are read", GENERATED, async () => {
  for (const name of ["torn-tail", "garbage-line"]) {
    assert.match((golden()[`corrupt/${name}`] as { error: string }).error, /^SyntaxError/);
    const path = fileURLToPath(new URL(`corrupt/${name}/${MAIN}/conversation.jsonl`, GENERATED));
    const session = await autohand.only(path);
    assert.equal(session.id, basename(dirname(path)));
    const lines = reference(path);
    assert.equal(lines.length, 12);
    assert.deepEqual(await autohand.accepted(session), sent(lines), name);
    const { account, found } = await autohand.read(session);
    assert.equal(account.total, Deno.statSync(path).size, name);
    assert.deepEqual(found.map(({ code }) => code), [
      name === "torn-tail" ? "torn-tail" : "malformed-line",
    ]);
  }
});

testRecorded("a session without lines is one, as in Autohand", GENERATED, async () => {
  const path = fileURLToPath(new URL(`corrupt/empty/${MAIN}/conversation.jsonl`, GENERATED));
  const session = await autohand.only(path);
  assert.deepEqual(await autohand.accepted(session), []);
  assert.equal((await autohand.summary(session))?.cwd, "/home/dev/code/my-app");
});

testRecorded("an index that Autohand has reset hides no session", GENERATED, async () => {
  const session = new URL(`sessions/${MAIN}/`, GENERATED);
  await using home = await makeHome({
    ".autohand/sessions/index.json": new URL("corrupt/bad-index/index.json", GENERATED),
    [`.autohand/sessions/${MAIN}/metadata.json`]: new URL("metadata.json", session),
    [`.autohand/sessions/${MAIN}/conversation.jsonl`]: new URL("conversation.jsonl", session),
  });
  const found = await locateAll(autohandAgent, home.environment);
  assert.deepEqual(found.map(({ id }) => id), [MAIN]);
});
