/**
 * Reads the lines of a rollout, compressed or not. Codex compresses cold rollouts as they are,
 * zstd level 3 (codex-rs/rollout/src/compression.rs): offsets mean the bytes before that.
 */
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { createZstdDecompress } from "node:zlib";
import type { Report } from "../../log/diagnostic.ts";
import type { Line } from "../../log/line_splitter.ts";
import { splitChunk, splitRest, startSplit } from "../../log/line_splitter.ts";
import { type ByteRange, byteSource } from "../../log/byte_source.ts";
import { readLines, type RecordOptions } from "../../reading/records/jsonl_records.ts";
import { rolloutForm } from "./rollout_name.ts";

/** A part of a rollout. */
export interface RolloutRange extends ByteRange {
  path: string;
  /** Number of its first line. @default {1} */
  line?: number;
}

/**
 * Yields the lines of a part, in batches. Their bytes are valid until the next batch is asked for.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* rolloutLines(
  range: RolloutRange,
  options: Pick<RecordOptions, "report" | "signal"> = {},
): AsyncGenerator<readonly Line[]> {
  if (rolloutForm(range.path) === "compressed") yield* compressedLines(range, options);
  else yield* readLines(range.path, { ...range, ...options });
}

async function* compressedLines(
  { path, from = 0, to = Infinity }: RolloutRange,
  { report, signal }: Pick<RecordOptions, "report" | "signal">,
): AsyncGenerator<Line[]> {
  const split = startSplit(undefined, from);
  let at = 0;
  for await (const chunk of decompressed(path, report)) {
    signal?.throwIfAborted();
    const part = chunk.subarray(Math.max(0, from - at), Math.max(0, to - at));
    at += chunk.length;
    const lines = splitChunk(split, part);
    if (lines.length > 0) yield lines;
    if (at >= to) break;
  }
  const rest = splitRest(split);
  if (rest !== undefined) yield [rest];
}

/** Yields what a compressed file holds, as far as it can be decompressed. */
async function* decompressed(path: string, report?: Report): AsyncGenerator<Uint8Array> {
  const { readable } = byteSource(path);
  let at = 0;
  let failure: unknown;
  const source = Readable.fromWeb(readable as NodeReadableStream);
  const frames = createZstdDecompress();
  source.on("error", (error) => {
    failure = error;
    frames.destroy();
  });
  try {
    for await (const chunk of source.pipe(frames)) {
      at += chunk.length;
      yield chunk;
    }
  } catch (error) {
    if (failure !== undefined) throw failure;
    // The compressed bytes are damaged: what came before them is whole.
    const detail = `cannot be decompressed from here on: ${(error as Error).message}`;
    report?.({ code: "torn-tail", offset: at, length: 0, line: 0, detail });
  } finally {
    source.destroy();
    frames.destroy();
  }
}
