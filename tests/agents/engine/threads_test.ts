import assert from "node:assert/strict";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import { deriveReader } from "../../../lib/agents/engine/session_reader.ts";
import type { AgentSession, SessionReader } from "../../../lib/agents/contract/agent.ts";

const SESSION: AgentSession = { agent: "pi", id: "s1", path: "/s1.jsonl" };

function event(seq: number, kind: "user_message" | "tool_start", id: string): LogEvent {
  const source = { agent: "pi", session_id: "s1", id };
  const payload = kind === "user_message"
    ? { content: id }
    : { call_id: id, name: "task", input: {} };
  return { form: "known", integrity: "unverified", seq, kind, source, payload } as LogEvent;
}

/** A reader of threads that are given. */
function reader(threads: Record<string, LogEvent[]>): SessionReader {
  return deriveReader({
    summarize: () => Promise.resolve(undefined),
    threads: () =>
      Promise.resolve(
        Object.keys(threads).map((id) => ({
          id,
          kind: id === "main" ? "main" : "branch",
          records: 0,
        })),
      ),
    async *read(_, { thread = "main" } = {}): AsyncGenerator<readonly LogEvent[]> {
      yield threads[thread] ?? [];
    },
  })(SESSION);
}

async function idsOf(reader: SessionReader): Promise<string[]> {
  const found: string[] = [];
  for await (const { thread, events } of reader.readThreads()) {
    for (const one of events) {
      if (one.form !== "unparsed") found.push(`${thread} ${one.kind} ${one.source?.id}`);
    }
  }
  return found;
}

Deno.test("records that a branch shares with the thread that it left come once", async () => {
  const [a, b, c] = ["a", "b", "c"].map((id, index) => event(index + 1, "user_message", id));
  assert.ok(a !== undefined && b !== undefined && c !== undefined);
  assert.deepEqual(await idsOf(reader({ main: [a, b], other: [a, c] })), [
    "main user_message a",
    "main user_message b",
    "other user_message c",
  ]);
});

Deno.test("a record that is a call in one thread and a message in another is given as both", async () => {
  const threads = reader({
    main: [event(1, "tool_start", "r")],
    agent: [event(1, "user_message", "r")],
  });
  assert.deepEqual(await idsOf(threads), ["main tool_start r", "agent user_message r"]);
});

Deno.test("an agent without threads has its main one", async () => {
  const open = deriveReader({
    summarize: () => Promise.resolve(undefined),
    async *read(): AsyncGenerator<readonly LogEvent[]> {},
  });
  assert.deepEqual((await open(SESSION).threads()).map(({ id }) => id), ["main"]);
});
