/**
 * Arbitrary logs: events of every kind that a projection looks at, in orders that nobody meant,
 * with numbers that skip and repeat, compactions of every validity, and damage between them.
 */
import fc from "npm:fast-check@4.10.2";
import { encodeEvent } from "../../lib/core/event/encode.ts";
import type { Event, NewEvent } from "../../lib/core/event/envelope.ts";
import type { Message, Part } from "../../lib/core/event/message.ts";
import type { EventKind } from "../../lib/core/event/payload.ts";
import { type Bytes, concat } from "./log_bytes.ts";
import { foreignLine } from "./event_line.ts";

/** Few of each, so that they repeat and meet. */
const callId = fc.constantFrom("c1", "c2", "c3");
const messageId = fc.constantFrom(undefined, "m1", "m2");
const turnId = fc.constantFrom(undefined, undefined, "t1", "t2");
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: fc.constantFrom("", "x", "y") }),
  fc.constant<Part>({ type: "reasoning", text: "hm", provider_data: 1 }),
  fc.record({
    type: fc.constant("tool_call" as const),
    call_id: callId,
    name: fc.constant("read"),
    input: fc.constant({}),
  }),
  fc.record({
    type: fc.constant("tool_result" as const),
    call_id: callId,
    name: fc.constant("read"),
    status: fc.constant("ok" as const),
    output: fc.constant("part"),
  }),
);
const content = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("", "hi", "two\nlines", "ü".repeat(40)) },
  fc.array(part, { maxLength: 3 }),
);
const message: fc.Arbitrary<Message> = fc.record({
  role: fc.constantFrom("system", "user", "assistant", "tool"),
  content,
});

/** Leaves out what is undefined: an optional field is absent, not empty. */
function present(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function of(
  kind: EventKind,
  fields: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<NewEvent> {
  return fc.record({ payload: fc.record(fields), turn_id: turnId }).map(({ payload, turn_id }) =>
    present({ kind, turn_id, payload: present(payload) }) as unknown as NewEvent
  );
}

const name = fc.constantFrom("read", "write");
const status = fc.constantFrom("ok", "error", "interrupted", "skipped");
const cost = fc.constantFrom(undefined, 0.25, 0.5);
const seqName = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 24 }) },
  fc.constantFrom(undefined, -1, 0, 2.5, 1e6),
);

/** An event that projections look at. */
export const eventDraft: fc.Arbitrary<NewEvent> = fc.oneof(
  { weight: 4, arbitrary: of("user_message", { content }) },
  {
    weight: 4,
    arbitrary: of("assistant_message", {
      content,
      message_id: messageId,
      model: fc.constantFrom(undefined, "a", "b"),
      usage: fc.constantFrom(undefined, {}, { input: 3, output: 1 }, { cache_read: 7 }),
      cost_usd: cost,
    }),
  },
  of("assistant_interrupted", { content, message_id: messageId }),
  of("reasoning_message", { content: fc.constantFrom("", "hm"), message_id: messageId }),
  {
    weight: 3,
    arbitrary: of("assistant_message", {
      content: fc.tuple(
        fc.record({
          type: fc.constant("tool_call"),
          call_id: callId,
          name,
          input: fc.constant({}),
        }),
      ),
      message_id: messageId,
    }),
  },
  {
    weight: 3,
    arbitrary: of("tool_end", {
      call_id: callId,
      name,
      status,
      output: fc.constantFrom(undefined, "out"),
    }),
  },
  of("bash_start", {
    call_id: callId,
    command: fc.constant("ls"),
    origin: fc.constant("user"),
  }),
  of("bash_end", {
    call_id: callId,
    command: fc.constant("ls"),
    status,
    exit_code: fc.constantFrom(0, 2),
  }),
  { weight: 2, arbitrary: of("tool_start", { call_id: callId }) },
  of("bash_start", { call_id: callId, command: fc.constantFrom(undefined, "ls") }),
  of("diff", { lines: fc.constant([]) }),
  of("turn_failed", { reason: fc.constantFrom("error", "cancelled"), message: fc.constant("no") }),
  of("session_renamed", { title: fc.constantFrom("", "T1", "T 2") }),
  of("session_archived", { archived: fc.boolean() }),
  of("session_closed", { status: fc.constantFrom("completed", "failed") }),
  of("workspace_snapshot", { root: fc.constant("/") }),
  of("extension", { agent: fc.constant("pi"), type: fc.constant("x"), data: fc.constant(1) }),
);

/** A compaction of any validity. */
export const compactionDraft: fc.Arbitrary<NewEvent> = of("compaction_applied", {
  status: fc.constantFrom("", "Compacted."),
  summary: fc.constantFrom(undefined, "so far", "so far", ""),
  messages: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    fc.array(message, { maxLength: 3 }),
  ),
  first_kept_seq: seqName,
});

/** How the line of an event is written. */
type Form = "checksum" | "plain" | "mismatch" | "invalid" | "unknown" | "no newline";
/** What stands behind it. */
type Damage = "none" | "noise" | "blank" | "nul" | "torn" | "deep";

interface Step {
  event: NewEvent;
  form: Form;
  damage: Damage;
  /** How far its number is from the one expected. */
  skip: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  event: fc.oneof({ weight: 6, arbitrary: eventDraft }, compactionDraft),
  form: fc.oneof(
    { weight: 3, arbitrary: fc.constant<Form>("checksum") },
    fc.constantFrom<Form>("plain", "plain", "mismatch", "invalid", "unknown", "no newline"),
  ),
  damage: fc.oneof(
    { weight: 6, arbitrary: fc.constant<Damage>("none") },
    fc.constantFrom<Damage>("noise", "blank", "nul", "torn", "deep"),
  ),
  skip: fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    fc.constantFrom(1, 2, -1, -2, -4),
  ),
});

const START = Date.UTC(2026, 10, 21, 20, 0, 0);
const encoder = new TextEncoder();
const header: NewEvent = {
  kind: "session_started",
  payload: {
    session_id: "s1",
    created_at: "2026-11-21T20:00:00.000Z",
    cwd: "/home/ada",
    parent: { session_id: "p1", seq: 4 },
  },
};

/** A kind that no empty payload fits: one after the other. */
function kindOf(index: number): EventKind {
  const kinds: EventKind[] = ["user_message", "session_renamed", "tool_end", "extension", "diff"];
  return kinds[index % kinds.length] ?? "diff";
}

/** The line of one event in a form. */
function lineOf({ event, form }: Step, seq: number, index: number): Bytes {
  const time = new Date(START + index * 1000).toISOString();
  const numbered = { time, ...event, seq } as Event;
  switch (form) {
    case "plain":
      return encoder.encode(JSON.stringify(numbered) + "\n");
    case "mismatch": {
      const line = encodeEvent(numbered);
      const at = line.length - 4;
      line[at] = line[at] === 0x30 ? 0x31 : 0x30;
      return line;
    }
    case "invalid":
      return foreignLine({ v: 1, seq, kind: kindOf(index), time, payload: {} }) as Bytes;
    case "unknown":
      return foreignLine({ v: 1, seq, kind: "later_kind", time, payload: {} }) as Bytes;
    case "no newline":
      return encodeEvent(numbered).subarray(0, -1);
    default:
      return encodeEvent(numbered);
  }
}

function damageOf(damage: Damage): string {
  if (damage === "noise") return "noise {\n";
  if (damage === "blank") return " \n\r\n";
  if (damage === "nul") return "\0\0\0";
  if (damage === "torn") return '{"v":1,"seq":7,"kind":"user_message","payload":{"content":"to';
  return damage === "deep" ? "[".repeat(600) + "]".repeat(600) + "\n" : "";
}

/** Bytes of a log. */
export const randomLog: fc.Arbitrary<Bytes> = fc.tuple(
  fc.boolean(),
  fc.array(step, { maxLength: 24, size: "max" }),
).map(([headed, steps]) => {
  const pieces: (Uint8Array | string)[] = headed
    ? [lineOf({ event: header, form: "checksum", damage: "none", skip: 0 }, 1, 0)]
    : [];
  let seq = pieces.length;
  for (const [index, each] of steps.entries()) {
    seq = Math.max(1, seq + 1 + each.skip);
    pieces.push(lineOf(each, seq, index + 1), damageOf(each.damage));
  }
  return concat(...pieces);
});
