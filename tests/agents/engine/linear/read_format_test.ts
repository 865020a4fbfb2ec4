/** The engine on a toy format that writes to any sink, skips lines, and compacts. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { hasBytesAt } from "../../../../lib/core/event/bytes.ts";
import type { LogEvent } from "../../../../lib/core/event/envelope.ts";
import type { Message } from "../../../../lib/core/event/message.ts";
import type { EventSink } from "../../../../lib/agents/engine/events/event_writer.ts";
import { formatReader, messageReader } from "../../../../lib/agents/engine/format_reader.ts";
import { asText } from "../../../../lib/agents/engine/json.ts";
import type { SourceRecord } from "../../../../lib/agents/engine/records/source_record.ts";
import { LATER, type SessionFormat } from "../../../../lib/agents/engine/session_format.ts";
import { lineSource } from "../../../../lib/agents/engine/sources/line_source.ts";
import type { AgentSession } from "../../../../lib/agents/contract/agent.ts";
import { emptyAccount } from "../../../../lib/agents/contract/source_account.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";

/** Echoes that wait for the prompt that they repeat. */
type ToyState = SourceRecord[];

const NOISE = new TextEncoder().encode('{"role":"noise"');

const TOY: SessionFormat<ToyState, null, EventSink> = {
  source: ({ path }) => ({
    ...lineSource(path),
    async inForce(): ReturnType<NonNullable<ReturnType<typeof lineSource>["inForce"]>> {
      const { records } = await lineSource(path).last(Infinity);
      const last = records.findLast(({ value }) => value.role === "begin");
      const position = { offset: last?.position.offset ?? 0, line: 1 };
      return await Promise.resolve({ position, settled: last !== undefined });
    },
  }),
  skips: (needs) => ({ finder: { bytes } }, start) =>
    needs !== undefined && hasBytesAt(bytes, NOISE, start) ? "noise" : undefined,
  threads: () => Promise.resolve([{ id: "main", kind: "main", records: 1 }]),
  threadWith: ({ path }, id) => {
    const is_there = Deno.readTextFileSync(path).includes(`"${id}"`);
    return Promise.resolve(is_there ? { id: "main", kind: "main", records: 1 } : undefined);
  },
  begin({ session, writer }): ToyState {
    writer.emit("session_started", { session_id: session.id, created_at: "", cwd: "/" });
    return [];
  },
  emit(record, state, { writer, count }): string | typeof LATER | void {
    const { role, text } = record.value;
    if (role === "noise") return "noise";
    if (role === "echo") {
      state.push(record);
      return LATER;
    }
    for (const echo of state.splice(0)) count(echo, "echo");
    writer.emit("user_message", { content: asText(text) ?? "" }, { record });
  },
  end(state, { count }): void {
    for (const echo of state) count(echo);
  },
  standsAlone: ({ value }) => value.role === "user",
  startState: () => Promise.resolve([]),
  saveState: () => null,
  restoreState: () => [],
};

const open = formatReader(TOY, { messages: messageReader(TOY) });

async function withLines(
  lines: readonly object[],
  run: (session: AgentSession) => Promise<void>,
): Promise<void> {
  await withDirectory(async (folder) => {
    const path = join(folder, "toy.jsonl");
    Deno.writeTextFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await run({ agent: "fen", id: "toy", path });
  });
}

const LINES = [
  { role: "user", text: "one" },
  { role: "noise" },
  { role: "echo" },
  { role: "begin", text: "two" },
  { role: "user", text: "three" },
  { role: "echo" },
];

Deno.test("messages come without events in between, from where the conversation begins", async () => {
  await withLines(LINES, async (session) => {
    const batches: (readonly Message[])[] = [];
    for await (const batch of open(session).messages()) batches.push(batch);
    assert.deepEqual(batches.flat().map(({ content }) => content), ["two", "three"]);
    const events: LogEvent[] = [];
    for await (const batch of open(session).read({ in_force: true })) events.push(...batch);
    assert.equal(events.length, 3);
  });
});

Deno.test("a record is counted once a later one tells what it is", async () => {
  await withLines(LINES, async (session) => {
    const account = emptyAccount();
    for await (const _ of open(session).read({ account, in_force: true })) { /* counted */ }
    assert.deepEqual(account.side, { noise: 17, echo: 16 });
    assert.equal(account.total, Deno.statSync(session.path).size);
  });
});

Deno.test("a line that tells nothing of what is wanted is counted, and not parsed", async () => {
  await withLines(LINES, async (session) => {
    Deno.writeTextFileSync(session.path, '{"role":"noise" no JSON\n{"role":"noise"', {
      append: true,
    });
    const codes: string[] = [];
    const needs = new Set(["user_message"] as const);
    const options = { needs, in_force: true, account: emptyAccount() };
    const report = ({ code }: { code: string }): unknown => codes.push(code);
    for await (const _ of open(session).read({ ...options, report })) { /* counted */ }
    assert.deepEqual(codes, ["torn-tail"]);
    assert.equal(options.account.side.noise, 17 + 24);
  });
});

Deno.test("a thread is named by a record that only the format finds", async () => {
  await withLines(LINES, async (session) => {
    const events: LogEvent[] = [];
    for await (const batch of open(session).read({ thread: "three" })) events.push(...batch);
    assert.equal(events.length, 4);
    await assert.rejects(async () => {
      for await (const _ of open(session).read({ thread: "nowhere" })) { /* none comes */ }
    }, /Cannot find branch or subagent "nowhere": the session has none with this name/);
  });
});
