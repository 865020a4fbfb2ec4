/**
 * Tells if any line before an offset of a log has a checksum. After the first line with a checksum,
 * a line without a checksum counts as changed.
 */
import { checkLine } from "../event/checksum.ts";
import type { Integrity } from "../event/envelope.ts";
import { openToRead } from "./byte_source.ts";
import { toSessionError } from "./io_error.ts";
import { trimLine } from "./line_splitter.ts";
import { readAt } from "./read_whole.ts";

/** Returns true if a line before the given byte offset has a checksum, right or wrong. */
export type ChecksumHistory = (offset: number) => boolean;

/** Maximum bytes to search at the log's start, and again before each queried offset. */
const LOOK_BYTES = 64 * 1024;
const LF = 0x0a;

/**
 * Returns a {@linkcode ChecksumHistory} for readers that begin within a log. A call searches up to
 * 64 KiB before the offset. The first call opens the log, and searches its first 64 KiB, too.
 */
export function checksumHistory(path: string): ChecksumHistory {
  let known: number | undefined;
  // The stretch that is known to have no checksum.
  let bare = { from: 0, to: 0 };
  return (offset) => {
    known ??= firstChecksum(path, 0, LOOK_BYTES);
    if (offset > known) return true;
    if (offset > bare.from && offset <= bare.to) return false;
    const near = Math.max(0, offset - LOOK_BYTES);
    const goesOn = bare.to > near && bare.to < offset;
    const found = firstChecksum(path, goesOn ? bare.to : near, offset);
    if (found < offset) known = found;
    else bare = { from: goesOn ? bare.from : near, to: offset };
    return found < offset;
  };
}

/** Checks a line's checksum. A line without a checksum after a line with one is a `mismatch`. */
export function lineIntegrity(
  bytes: Uint8Array,
  offset: number,
  history: ChecksumHistory,
): Integrity {
  const checksum = checkLine(bytes);
  return checksum === "unverified" && history(offset) ? "mismatch" : checksum;
}

function firstChecksum(path: string, from: number, to: number): number {
  const bytes = readStretch(path, from, to);
  let start = 0;
  for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
    if (checkLine(trimLine(bytes.subarray(start, end))) !== "unverified") return from + start;
    start = end + 1;
  }
  return Infinity;
}

function readStretch(path: string, from: number, to: number): Uint8Array {
  using file = openToRead(path);
  try {
    return readAt(file, from, new Uint8Array(to - from));
  } catch (error) {
    throw toSessionError(error, "read log", path);
  }
}
