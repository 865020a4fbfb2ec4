/**
 * What Keen Code itself makes of the sample sessions, and what this reader makes of them.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { keenAgent } from "../../../lib/agents/keen/keen_agent.ts";
import type { Message, Part } from "../../../lib/core/event/message.ts";
import { locateAll } from "../../_support/agent_contract.ts";
import { Reading } from "../_reading.ts";
import { sampleUrl, testRecorded } from "../../_support/samples.ts";

const keen = new Reading(keenAgent);
const SAMPLES = sampleUrl("keen/");
const GENERATED = new URL("generated-by-keen-0.38.1/", SAMPLES);

interface Activity {
  text_offset: number;
  tool: string;
  input?: Record<string, unknown>;
  status: string;
  exit_code?: number;
}

interface KeenMessage {
  Role: "user" | "assistant";
  Content: string;
  TurnMemory: { tool_activity: Activity[] } | null;
}

interface Golden {
  corrupt: Record<string, { conversationRoles: string; events: number }>;
  cwd: string;
  list: {
    conversation: KeenMessage[] | null;
    events: number;
    id: string;
    last: string;
  }[];
}

function golden(): Golden {
  return JSON.parse(Deno.readTextFileSync(new URL("GOLDEN-keen-0.38.1.json", SAMPLES)));
}

interface Line {
  seq?: unknown;
  kind?: string;
  user_message?: { content: string };
  assistant_turn?: { message?: string; turn_memory?: KeenMessage["TurnMemory"] };
  compaction_applied?: { messages: KeenMessage[] | null };
}

/** Keen's `loadEvents` and `BuildConversation`, written again from its source. */
function reference(path: string): { events: number; conversation: KeenMessage[] } {
  let events = 0;
  let conversation: KeenMessage[] = [];
  for (const text of Deno.readTextFileSync(path).split("\n")) {
    const event = parsed(text);
    if (event === undefined || typeof event.seq !== "number") continue;
    events++;
    const turn = event.assistant_turn;
    if (event.kind === "user_message" && event.user_message) {
      conversation.push({
        Role: "user",
        Content: event.user_message.content,
        TurnMemory: null,
      });
    } else if (event.kind === "assistant_turn" && (turn?.message || turn?.turn_memory)) {
      const { message = "", turn_memory = null } = turn;
      conversation.push({ Role: "assistant", Content: message, TurnMemory: turn_memory });
    } else if (event.kind === "compaction_applied" && event.compaction_applied) {
      conversation = [...event.compaction_applied.messages ?? []];
    }
  }
  return { events, conversation };
}

function parsed(text: string): Line | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keen's `historicalMessageSteps`, written again: what its providers send. */
function sent(conversation: readonly KeenMessage[]): Message[] {
  const messages: Message[] = [];
  conversation.forEach(({ Role, Content, TurnMemory }, index) => {
    if (TurnMemory === null) {
      messages.push({ role: Role, content: Content });
      return;
    }
    const bytes = new TextEncoder().encode(Content);
    const text = (from: number, to?: number) => new TextDecoder().decode(bytes.slice(from, to));
    const groups = Map.groupBy(
      TurnMemory.tool_activity.map((activity, number) => ({ activity, number })),
      ({ activity }) => activity.text_offset,
    );
    let cursor = 0;
    for (const [offset, group] of groups) {
      const parts: Part[] = offset === cursor ? [] : [{ type: "text", text: text(cursor, offset) }];
      const ids = group.map(({ number }) => `historical_${index + 1}_${number}`);
      messages.push({
        role: "assistant",
        content: [
          ...parts,
          ...group.map(({ activity: { tool: name, input = {} } }, at): Part => ({
            type: "tool_call",
            call_id: ids[at] as string,
            name,
            input,
          })),
        ],
      }, {
        role: "tool",
        content: group.map(({ activity: { tool: name, status, exit_code } }, at): Part => ({
          type: "tool_result",
          call_id: ids[at] as string,
          name,
          status: status === "success" ? "ok" : "error",
          output: JSON.stringify({ status, exit_code }),
        })),
      });
      cursor = offset;
    }
    if (cursor < bytes.length) messages.push({ role: "assistant", content: text(cursor) });
  });
  return messages;
}

/**
 * The same messages with their calls numbered in order: where lines are lost or there twice, the index
 * of a message, which Keen makes ids of, is not the number of its line.
 */
function numbered(messages: readonly Message[]): unknown {
  const ids = new Map<unknown, number>();
  return JSON.parse(JSON.stringify(messages), (name, value) => {
    if (name !== "call_id") return value;
    if (!ids.has(value)) ids.set(value, ids.size);
    return ids.get(value);
  });
}

testRecorded(
  "Keen's own sessions are located, titled and sent as Keen does",
  GENERATED,
  async () => {
    const { list, cwd } = golden();
    const home = fileURLToPath(new URL("home", GENERATED));
    const environment = { home, os: "linux", variable: () => undefined };
    const sessions = await locateAll(keenAgent, environment);
    assert.deepEqual(sessions.map(({ id }) => id).sort(), list.map(({ id }) => id).sort());
    for (const row of list) {
      const session = sessions.find(({ id }) => id === row.id);
      assert.ok(session !== undefined);
      const { events, conversation } = reference(session.path);
      assert.equal(events, row.events);
      assert.deepEqual(conversation, row.conversation ?? []);
      assert.deepEqual(await keen.accepted(session), sent(conversation));
      const summary = await keen.summary(session);
      assert.equal(summary?.title, row.last);
      assert.equal(summary?.cwd, cwd);
      const { account } = await keen.read(session);
      assert.equal(account.total, Deno.statSync(session.path).size);
    }
  },
);

testRecorded(
  "of damaged sessions, the conversation is what Keen makes of them",
  GENERATED,
  async () => {
    for (const [name, { conversationRoles, events }] of Object.entries(golden().corrupt)) {
      const path = fileURLToPath(new URL(`corrupt/${name}/transcript_events.jsonl`, GENERATED));
      const expected = reference(path);
      assert.equal(expected.events, events, name);
      assert.equal(expected.conversation.map(({ Role }) => Role).join(), conversationRoles, name);
      const session = await keen.only(path);
      const messages = numbered(await keen.accepted(session));
      assert.deepEqual(messages, numbered(sent(expected.conversation)), name);
      const { account } = await keen.read(session);
      assert.equal(account.total, Deno.statSync(path).size, name);
    }
  },
);

testRecorded("what stood before a compaction stays in the transcript", GENERATED, async () => {
  const path = "corrupt/compaction-null-messages/transcript_events.jsonl";
  const session = await keen.only(fileURLToPath(new URL(path, GENERATED)));
  assert.deepEqual(await keen.accepted(session), []);
  const items = await keen.transcript(session);
  const types = items.map(({ type }) => type);
  for (const type of ["message", "reasoning", "tool", "bash", "diff", "failure", "compaction"]) {
    assert.ok(types.includes(type as typeof types[number]), type);
  }
  const big = items.find((item) => item.type === "bash" && item.command === "seq 1 30000");
  assert.ok(big?.type === "bash" && (big.output?.length ?? 0) > 100_000);
});
