/** Builders of logs, and readers of bytes through the real pipeline. */
import assert from "node:assert/strict";
import { encodeEvent } from "../../lib/core/event/encode.ts";
import type { Event, LogEvent, NewEvent } from "../../lib/core/event/envelope.ts";
import { type ByteTally, type Diagnostic, isDamage } from "../../lib/core/log/diagnostic.ts";
import {
  EventParseStream,
  type EventParseStreamOptions,
} from "../../lib/core/log/event_parse_stream.ts";
import { parseLine } from "../../lib/core/log/line_parser.ts";
import {
  MAX_LINE_BYTES,
  splitChunk,
  splitRest,
  startSplit,
} from "../../lib/core/log/line_splitter.ts";
import { LineStream } from "../../lib/core/log/line_stream.ts";
import { emptyTally, type ParseState } from "../../lib/core/log/parse_state.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

export function user(content: string): NewEvent {
  return { kind: "user_message", turn_id: "t1", payload: { content } };
}

export function assistant(content: string): NewEvent {
  return { kind: "assistant_message", turn_id: "t1", payload: { content, message_id: "m1" } };
}

export function toolStart(call_id: string, input: unknown = { path: "a.ts" }): NewEvent {
  const call = { type: "tool_call" as const, call_id, name: "read_file", input };
  return { kind: "assistant_message", turn_id: "t1", payload: { content: [call] } };
}

export function toolEnd(call_id: string, output = "done"): NewEvent {
  return {
    kind: "tool_end",
    turn_id: "t1",
    payload: { call_id, name: "read_file", status: "ok", output },
  };
}

/** Events with `seq` from `from` and a time a second apart. */
export function numbered(events: readonly NewEvent[], from = 1): Event[] {
  const start = Date.UTC(2026, 10, 21, 20, 21, 53, 123);
  return events.map((event, index): Event => ({
    time: new Date(start + ((from + index) % 1e6) * 1000).toISOString(),
    ...event,
    seq: from + index,
  }));
}

/** The lines of events, each with its LF. */
export function linesOf(events: readonly NewEvent[], from = 1): Bytes[] {
  return numbered(events, from).map(encodeEvent);
}

export function logOf(events: readonly NewEvent[], from = 1): Bytes {
  return concat(...linesOf(events, from));
}

/** A line of the smallest shape, without a checksum. */
export function plainLine(seq: number, content = `message ${seq}`): string {
  return JSON.stringify({ seq, kind: "user_message", payload: { content } }) + "\n";
}

export function textBytes(text: string): Bytes {
  return new TextEncoder().encode(text);
}

export function concat(...parts: readonly (Uint8Array | string)[]): Bytes {
  const pieces = parts.map((part) => typeof part === "string" ? textBytes(part) : part);
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** What an event says, without what reading adds: equal texts are equal facts. */
export function factsOf(event: Event | LogEvent): string {
  const { seq, kind, time, turn_id, source, payload } = event as Event;
  return JSON.stringify([seq, kind, time, turn_id, source, payload]);
}

export interface Read {
  events: LogEvent[];
  diagnostics: Diagnostic[];
  tally: ByteTally;
}

export interface ReadOptions extends EventParseStreamOptions {
  /** Bytes of a chunk. @default {all} */
  chunk?: number;
  max_line_bytes?: number;
}

/** Reads bytes through both stages; the chunks' buffers are filled with noise once given back. */
export async function readAll(bytes: Uint8Array, options: ReadOptions = {}): Promise<Read> {
  const { chunk = bytes.length, max_line_bytes = MAX_LINE_BYTES } = options;
  const read: Read = { events: [], diagnostics: [], tally: emptyTally() };
  const parse = new EventParseStream({
    after_seq: 0,
    tally: read.tally,
    report: (diagnostic) => read.diagnostics.push(diagnostic),
    ...options,
  });
  const recycle = (buffer: Uint8Array): void => void buffer.fill(0x58);
  const batches = ReadableStream.from(chunksOf(bytes, Math.max(1, chunk)))
    .pipeThrough(new LineStream({ max_line_bytes, recycle })).pipeThrough(parse);
  for await (const batch of batches) read.events.push(...batch);
  return read;
}

function* chunksOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** Reads bytes whole and in chunks of 1, 2, 7 and 64: each way tells the same, and adds up. */
export async function readEveryWay(bytes: Uint8Array, options: ReadOptions = {}): Promise<Read> {
  const whole = withoutBatches(await readAll(bytes, options));
  for (const chunk of [1, 2, 7, 64]) {
    assert.deepEqual(withoutBatches(await readAll(bytes, { ...options, chunk })), whole);
  }
  if (options.mode === undefined) assertBytesAddUp(whole, bytes.length);
  return whole;
}

/** An unparsed event has a time only where it is the last of its batch. */
function withoutBatches(read: Read): Read {
  for (const event of read.events) if (event.form === "unparsed") delete event.time;
  return read;
}

/** As {@linkcode readAll} in one chunk, by the functions that the stages are made of. */
export function readNow(bytes: Uint8Array, kinds?: ReadonlySet<string>): Read {
  const read: Read = { events: [], diagnostics: [], tally: emptyTally() };
  const report: ParseState["report"] = (diagnostic) => void read.diagnostics.push(diagnostic);
  const state: ParseState = { last_seq: 0, kinds, report, tally: read.tally };
  const split = startSplit();
  for (const line of splitChunk(split, bytes)) parseLine(state, line, read.events);
  const rest = splitRest(split);
  if (rest !== undefined) parseLine(state, rest, read.events);
  return read;
}

export function codesOf(read: Pick<Read, "diagnostics">): string[] {
  return read.diagnostics.map((diagnostic) => diagnostic.code);
}

export function seqsOf(read: Pick<Read, "events">): number[] {
  return read.events.map((event) => event.seq);
}

/** Every byte is an event's, damage or blank, and none is two of them. */
export function assertBytesAddUp({ events, diagnostics, tally }: Read, size: number): void {
  const damage = diagnostics.filter(({ code }) => isDamage(code));
  assert.equal(tally.bytes, size);
  assert.equal(tally.events + tally.damage + tally.blank, size);
  assert.equal(damage.reduce((sum, { length }) => sum + length, 0), tally.damage);
  const taken = events.flatMap((event) => event.position ?? []);
  if (taken.length === events.length) {
    assert.equal(taken.reduce((sum, { length }) => sum + length, 0), tally.events);
  }
  let free = 0;
  for (const { offset, length } of [...taken, ...damage].sort((a, b) => a.offset - b.offset)) {
    assert.ok(offset >= free && length >= 0, `bytes from ${offset} are counted twice`);
    free = offset + length;
  }
  assert.ok(free <= size);
}
