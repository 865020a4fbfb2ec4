/** Reads the segments of a log in place, in one buffer: they are those that a cutter would give. */
import type { LocalLog } from "./local_log.ts";
import { type CutLines, lineTooLong, MAX_SEGMENT_BYTES } from "./segment_cutter.ts";

const LF = 0x0a;
const SEARCH_BYTES = 256 * 1024;

/**
 * Reads the segments of a log from a line's beginning on. The bytes of one last until the next one
 * is asked for. Only a line that is longer than the buffer gets its own.
 *
 * @param buffer Its length is that of a segment. It can be used for one log after the other.
 * @throws {SessionError} `too-large` for a line that no segment takes; `io`
 */
export function* logSegments(
  log: LocalLog,
  from: number,
  buffer: Uint8Array,
): Generator<CutLines> {
  for (let off = from; off < log.size;) {
    const bytes = nextSegment(log, off, buffer);
    // The log became shorter meanwhile: nobody of ours does that.
    if (bytes.length === 0) return;
    yield { off, bytes };
    off += bytes.length;
  }
}

function nextSegment(log: LocalLog, off: number, buffer: Uint8Array): Uint8Array {
  const bytes = log.readInto(off, buffer.subarray(0, log.size - off));
  const end = bytes.lastIndexOf(LF) + 1;
  return end > 0 ? bytes.subarray(0, end) : log.read(off, lineLength(log, off, buffer.length));
}

/** The length of a line that has so many bytes at least. */
function lineLength(log: LocalLog, off: number, least: number): number {
  const buffer = new Uint8Array(SEARCH_BYTES);
  for (let length = least; off + length < log.size;) {
    const bytes = log.readInto(off + length, buffer.subarray(0, log.size - off - length));
    const at = bytes.indexOf(LF);
    if (at >= 0) return length + at + 1;
    length += bytes.length;
    if (length > MAX_SEGMENT_BYTES) throw lineTooLong(off);
    if (bytes.length === 0) return 0;
  }
  return 0;
}
