/**
 * What fen itself makes of the sample sessions, and what this reader makes of them.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { fenAgent } from "../../../lib/agents/fen/fen_agent.ts";
import type { Message, Part } from "../../../lib/core/event/message.ts";
import { pairCalls } from "../../../lib/core/projection/conversation/paired_messages.ts";
import { locateAll } from "../../_support/agent_contract.ts";
import { Reading } from "../_reading.ts";
import { sampleUrl, testRecorded } from "../../_support/samples.ts";

const fen = new Reading(fenAgent);
const SAMPLES = sampleUrl("fen/");
const GENERATED = new URL("generated-by-fen-0.17.0/", SAMPLES);
const MAIN = "01a1ffd9-3760-7a08-9c23-95b9096b2d3d";
const PREFACE =
  "Compaction summary of earlier fen session context. Use this as context for the continuing conversation; do not ask me to restate it.\n\n";

interface Loaded {
  first: string;
  roles: string;
  count: number;
}

type Golden = Record<string, { load: Loaded; transcript?: number }>;

function golden(): Golden {
  return JSON.parse(Deno.readTextFileSync(new URL("GOLDEN-fen-0.17.0.json", SAMPLES)));
}

interface Block {
  type: string;
  text: string;
  thinking: string;
  "thinking-signature": string;
  id: string;
  name: string;
  arguments: unknown;
}

interface FenMessage {
  role: string;
  content: string | Block[] | Record<string, never>;
  "tool-call-id"?: string;
  "tool-name"?: string;
  "is-error?"?: boolean;
}

interface Entry {
  type: string;
  id?: string;
  message?: FenMessage;
  summary?: string;
  "first-kept-entry-id"?: string;
}

function parsed(text: string): Entry | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** fen's `read-entries` and `load`, written again from its source. */
function reference(path: string): { all: FenMessage[]; loaded: FenMessage[] } {
  const lines = Deno.readTextFileSync(path).split("\n").filter((line) => line !== "");
  const entries = lines.map(parsed).filter((entry, index): entry is Entry =>
    typeof entry === "object" && entry !== null && (index > 0 || entry.type === "session") &&
    (entry.type !== "message" || typeof entry.message === "object")
  );
  const messages = entries.filter(({ type }) => type === "message");
  const all = messages.flatMap(({ message }) => message ?? []);
  let loaded = all;
  for (const entry of entries) {
    const kept = entry["first-kept-entry-id"];
    if (entry.type !== "compaction" || !entry.summary || !kept) continue;
    const index = messages.findLastIndex(({ id }) => id === kept);
    if (index < 0) continue;
    loaded = [{ role: "user", content: PREFACE + entry.summary }, ...all.slice(index)];
  }
  return { all, loaded };
}

/** fen's messages in our shape. No provider takes an answer without content: it is left out. */
function sent(messages: readonly FenMessage[]): Message[] {
  return pairCalls(messages.flatMap((message): Message[] => {
    const { role, content } = message;
    const blocks = Array.isArray(content) ? content : [];
    if (role === "user") {
      return [{ role, content: typeof content === "string" ? content : blocks[0]?.text ?? "" }];
    }
    if (role === "tool-result") {
      return [{
        role: "tool",
        content: [{
          type: "tool_result",
          call_id: message["tool-call-id"] ?? "",
          name: message["tool-name"] ?? "",
          status: message["is-error?"] ? "error" : "ok",
          output: blocks.map(({ text }) => text).join(""),
        }],
      }];
    }
    const parts = blocks.map(toPart);
    const [only] = parts;
    if (only === undefined) return [];
    return [{
      role: "assistant",
      content: parts.length === 1 && only.type === "text" ? only.text : parts,
    }];
  }));
}

function toPart(block: Block): Part {
  if (block.type === "text") return { type: "text", text: block.text };
  if (block.type === "tool-call") {
    const { id: call_id, name, arguments: input } = block;
    return { type: "tool_call", call_id, name, input };
  }
  assert.equal(block.type, "thinking");
  const provider_data = { signature: block["thinking-signature"] };
  return { type: "reasoning", text: block.thinking, provider_data };
}

function assertLoads(loaded: readonly FenMessage[], expected: Loaded): void {
  assert.equal(loaded.length, expected.count);
  assert.equal(loaded.map(({ role }) => role).join(), expected.roles);
  assert.ok(String(loaded[0]?.content).startsWith(expected.first));
}

async function mainSession(): Promise<AgentSession> {
  const state = fileURLToPath(GENERATED);
  const variable = (name: string) => name === "XDG_STATE_HOME" ? state : undefined;
  const environment = { home: "/nowhere", os: "linux", variable };
  const sessions = await locateAll(fenAgent, environment);
  assert.equal(sessions.length, 3);
  const session = sessions.find(({ id }) => id === MAIN);
  assert.ok(session !== undefined);
  return session;
}

testRecorded("fen's own session is located, titled and sent as fen does", GENERATED, async () => {
  const session = await mainSession();
  const { all, loaded } = reference(session.path);
  const expected = golden().main;
  assert.ok(expected !== undefined);
  assertLoads(loaded, expected.load);
  assert.equal(all.length, expected.transcript);
  assert.deepEqual(await fen.accepted(session), sent(loaded));
  const summary = await fen.summary(session);
  assert.equal(summary?.title, "Fix the parser ünïcödé ✓");
  assert.equal(summary?.cwd, "/home/dev/src/my-app");
  assert.equal(summary?.last_user_message, "user-only tail (crash before reply)");
  const exact = await fen.summary(session, { exact: true });
  assert.deepEqual(exact?.models, ["claude-sonnet-4-5"]);
  assert.equal(exact?.usage?.output, 30);
  assert.equal(exact?.title, summary?.title);
});

testRecorded(
  "of damaged sessions, the conversation is what fen makes of them",
  GENERATED,
  async () => {
    const cases = Object.entries(golden()).filter(([name]) => name.startsWith("corrupt/"));
    assert.equal(cases.length, 9);
    for (const [name, { load }] of cases) {
      const path = fileURLToPath(new URL(`${name}.jsonl`, GENERATED));
      const { loaded } = reference(path);
      assertLoads(loaded, load);
      const session = await fen.only(path);
      assert.deepEqual(await fen.accepted(session), sent(loaded), name);
      const { account } = await fen.read(session);
      assert.equal(account.total, Deno.statSync(path).size, name);
    }
  },
);

testRecorded("what stood before a compaction stays in the transcript", GENERATED, async () => {
  const items = await fen.transcript(await mainSession());
  assert.ok(items.some((item) => item.type === "reasoning" && item.text === "look first"));
  const tools = items.filter((item) => item.type === "tool");
  assert.deepEqual(tools.map(({ status }) => status), ["ok", "error", "ok"]);
  assert.ok(items.some(({ type }) => type === "compaction"));
  assert.ok(items.some((item) => item.type === "failure" && item.message === "529 overloaded"));
});
