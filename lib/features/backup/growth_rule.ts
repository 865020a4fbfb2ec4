/**
 * Decides what becomes of a kept copy when its source may have changed. Either bytes are added to
 * the copy, or a new generation begins. A kept byte is never written over.
 */

/** Number of bytes at the end of a copy that are compared before bytes are added. */
export const MARK_BYTES = 64;

/** Maximum bytes of a copy that is compared whole. Of a longer copy, only the end is compared. */
const SHORT_BYTES = 256 * 1024;

/** Maximum milliseconds between two changes that may have the same time in the file system. */
const TICK_MS = 50;

export interface SourceStat {
  size: number;
  /** Time of the last change of the content, in milliseconds since 1970. */
  mtime: number;
  /** Time of the last change of content or attributes, in milliseconds since 1970. */
  ctime: number;
  /** Inode of the file; 0 if the system has none. */
  ino: number;
}

/** The state of a copy, and of its source at the last comparison. */
export interface CopyState extends Omit<SourceStat, "size"> {
  bytes: number;
  crc: number;
  /** CRC-32 of the last {@linkcode MARK_BYTES} bytes of the copy. */
  mark: number;
  /** Time of the last comparison with the source, in milliseconds since 1970. */
  seen: number;
}

/** The part of a source to read: nothing, the last kept bytes, or as many bytes as the copy has. */
type Evidence = "none" | "mark" | "whole";

/** A change of a source file. After `shrank` or `rewritten`, a new generation of copies begins. */
export type Growth = "same" | "grown" | "shrank" | "rewritten";

/**
 * Returns the part of a source to read before {@linkcode growthOf} can decide.
 *
 * @param thorough True to compare all kept bytes. `"changed"` compares them only if size, times or
 * inode changed. Use it after a pause in watching: another file may have got the same inode.
 */
export function evidenceFor(
  copy: CopyState,
  source: SourceStat,
  thorough: boolean | "changed" = false,
): Evidence {
  if (copy.bytes === 0 || source.size < copy.bytes) return "none";
  if (isUntouched(copy, source)) return thorough === true ? "whole" : "none";
  // A touched file of the same size may have other bytes. So may another file at the same path.
  const replaced = copy.ino !== 0 && source.ino !== 0 && copy.ino !== source.ino;
  const is_short = copy.bytes <= SHORT_BYTES;
  return thorough !== false || replaced || is_short || source.size === copy.bytes
    ? "whole"
    : "mark";
}

/**
 * Returns how a source changed, by its size and by a checksum of its bytes.
 *
 * @param found CRC-32 of the bytes of the source that {@linkcode evidenceFor} asks for.
 */
export function growthOf(
  copy: CopyState,
  source: SourceStat,
  evidence: Evidence,
  found: number | undefined,
): Growth {
  // An empty file has nothing to lose. The bytes that are written to it next are compared.
  if (source.size === 0) return "same";
  if (source.size < copy.bytes) return "shrank";
  if (evidence === "mark" && found !== copy.mark) return "rewritten";
  if (evidence === "whole" && found !== copy.crc) return "rewritten";
  return source.size > copy.bytes ? "grown" : "same";
}

/** True if the source surely did not change since the last comparison, nor shortly before. */
function isUntouched(copy: CopyState, source: SourceStat): boolean {
  return source.size === copy.bytes && source.mtime === copy.mtime &&
    source.ctime === copy.ctime && source.ino === copy.ino &&
    Math.max(source.mtime, source.ctime) < copy.seen - TICK_MS;
}
