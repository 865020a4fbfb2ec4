/** Lines that are longer than what is held of a line: looked at, copied and cut chunk by chunk. */
import { isObject } from "../event/guard.ts";
import { openToRead } from "../log/byte_source.ts";
import { toSessionError } from "../log/io_error.ts";
import { SeekMode } from "../platform/file_system.ts";
import type { LinePosition } from "../event/envelope.ts";
import { cutChunk, startCutter, type StringCutter } from "./cut_strings.ts";

const CHUNK_BYTES = 256 * 1024;
/** Enough of each string to tell what a record is. */
const SKETCH_STRING_BYTES = 4096;
const SKETCH_BYTES = 8 * 1024 * 1024;

const decoder = new TextDecoder();

/**
 * Reads a range of a file. Each chunk is valid until the next is asked for.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function* rangeOf(
  path: string,
  { offset, length }: Pick<LinePosition, "offset" | "length">,
): Generator<Uint8Array> {
  const file = openToRead(path);
  try {
    file.seekSync(offset, SeekMode.Start);
    const buffer = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(length, 1)));
    for (let left = length; left > 0;) {
      const count = file.readSync(buffer.subarray(0, Math.min(left, buffer.length)));
      if (count === null) return;
      left -= count;
      yield buffer.subarray(0, count);
    }
  } catch (error) {
    throw toSessionError(error, "read session", path);
  } finally {
    file.close();
  }
}

/** Begins to cut all long strings of a record, so that it can be held. */
export function startSketch(): StringCutter {
  return startCutter({ limitOf: () => SKETCH_STRING_BYTES, note: () => "" });
}

/** The record of a long line with its long strings cut; undefined where that is none. */
export function sketchOf(
  path: string,
  place: Pick<LinePosition, "offset" | "length">,
): Record<string, unknown> | undefined {
  const cutter = startSketch();
  let text = "";
  for (const chunk of rangeOf(path, place)) {
    text += decoder.decode(cutChunk(cutter, chunk), { stream: true });
    if (text.length > SKETCH_BYTES) break;
  }
  text += decoder.decode();
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // Damaged, or made of a million small values.
    return undefined;
  }
}

/** The chunks of a range, cut. */
export function* cutRange(
  chunks: Iterable<Uint8Array>,
  cutter: StringCutter,
): Generator<Uint8Array> {
  for (const chunk of chunks) yield cutChunk(cutter, chunk);
}
