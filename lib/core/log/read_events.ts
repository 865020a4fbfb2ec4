/**
 * Reads a log as a stream of events.
 *
 * @module
 */
import type { LogEvent } from "../event/envelope.ts";
import { present } from "../event/present.ts";
import { type ByteSource, CHUNK_BYTES } from "./byte_source.ts";
import { checksumHistory } from "./checksum_history.ts";
import {
  eventParser,
  EventParseStream,
  type EventParseStreamOptions,
} from "./event_parse_stream.ts";
import { lineBlocksInTurns } from "./line_blocks.ts";
import { LineStream } from "./line_stream.ts";

/** The range of a log to read, and how to parse its events. */
export interface ReadEventsOptions extends EventParseStreamOptions {
  /** Offset of the first byte to read. @default {0} */
  from?: number;
  /** Offset after the last byte. @default {the end of the file} */
  to?: number;
  /** A signal that stops the reading and closes the file. */
  signal?: AbortSignal | undefined;
  /** Maximum bytes of a line. Longer lines are reported and skipped. @default {67108864} */
  max_line_bytes?: number;
}

/**
 * Reads a log through the pipeline, in memory that does not grow with the file. The file is opened
 * at the first read. It closes at the end, on error, on cancel and on leaving the loop. Read the
 * stream, or cancel it.
 *
 * @param path Any file that holds events, one a line.
 * @param options The range to read, the kinds to parse, the reaction to faults, and the signal.
 * @returns Batches of events in the order of the file.
 * @throws {SessionError} From the stream: `not-found`, `permission`, `unsupported-source`, `io`;
 * `damaged` in strict mode.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm, writeFile } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { readEvents } from "@reprise/reprise/pipeline";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const path = join(root, "log.jsonl");
 * await writeFile(path, '{"seq":1,"kind":"user_message","payload":{"content":"hi"}}\n');
 * let count = 0;
 * for await (const batch of readEvents(path)) count += batch.length;
 * assert.equal(count, 1);
 * await rm(root, { recursive: true });
 * ```
 */
export function readEvents(
  path: string,
  options: ReadEventsOptions = {},
): ReadableStream<readonly LogEvent[]> & AsyncIterable<readonly LogEvent[]> {
  const { from = 0 } = options;
  const history = from === 0 ? undefined : checksumHistory(path);
  return ReadableStream.from(eventBatches(path, { history, ...options }));
}

/**
 * Yields the events of a log, one batch for each block. Makes no streams for the stages, because
 * with a short log they would take longer than the reading.
 *
 * @throws {SessionError} As the stream of {@linkcode readEvents}.
 */
export async function* eventBatches(
  path: string,
  options: ReadEventsOptions,
): AsyncGenerator<readonly LogEvent[]> {
  const { from, to, max_line_bytes, signal } = options;
  const parser = eventParser(parserOptions(options), firstLine(from));
  const reading = { to, block_bytes: CHUNK_BYTES, action: "read log" };
  for await (const block of lineBlocksInTurns(path, signal, from, max_line_bytes, reading)) {
    const { events, ended } = parser.parseBlock(block, max_line_bytes);
    if (events.length > 0) yield events;
    if (ended === true) return;
    if (ended !== undefined) throw ended;
  }
}

export function readEventsOf(
  { readable, recycle }: ByteSource,
  options: ReadEventsOptions = {},
): ReadableStream<readonly LogEvent[]> & AsyncIterable<readonly LogEvent[]> {
  const { signal, max_line_bytes, from = 0 } = options;
  const pipe = present({ signal });
  return readable
    .pipeThrough(
      new LineStream(present({ offset: from, line: firstLine(from), recycle, max_line_bytes })),
      pipe,
    )
    .pipeThrough(new EventParseStream(parserOptions(options)), pipe);
}

function parserOptions(options: ReadEventsOptions): ReadEventsOptions {
  return { after_seq: (options.from ?? 0) === 0 ? 0 : undefined, ...options };
}

/** Returns the number of the line at an offset, or 0 if the number is unknown. */
function firstLine(from = 0): number {
  return from === 0 ? 1 : 0;
}
