/**
 * Imported sessions beside their originals. While one contains the other, a list shows one row. If
 * both were continued, it shows both, and each names the other.
 */
import type { ImportInfo } from "../event/payload.ts";
import { SessionError } from "../event/session_error.ts";
import { wasContinued } from "../session/import/was_continued.ts";
import { fileState } from "../session/import/source_state.ts";

/** A session that was imported, and the one that it was made from. */
export interface CopyPair {
  /** The log of the session of ours. */
  path: string;
  imported_from: ImportInfo;
  /** The file of the original. */
  original_path: string;
}

/** Which of the two says all that both say: the original, the copy, or neither. */
export type FullerSide = "original" | "copy" | "neither";

/** Tells which of two sessions holds the other. One that cannot be looked at hides nothing. */
export function fullerSide({ path, imported_from, original_path }: CopyPair): FullerSide {
  try {
    const original = originalSince(imported_from, original_path);
    if (!wasContinued(path)) return original === "changed" ? "neither" : "original";
    return original === "same" ? "copy" : "neither";
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return "neither";
  }
}

/** What became of the original since the import: agents append to their files, or rewrite them. */
function originalSince(
  { bytes, modified_at, imported_at = "" }: ImportInfo,
  path: string,
): "same" | "grown" | "changed" {
  const now = fileState(path);
  // A database holds other sessions too: while nothing was written, it is the same.
  if (bytes === undefined) return now.modified_at <= imported_at ? "same" : "grown";
  if (now.bytes === bytes) {
    // A file of the same size that was written since may say something else.
    return now.modified_at === modified_at || now.modified_at <= imported_at ? "same" : "changed";
  }
  return now.bytes > bytes ? "grown" : "changed";
}
