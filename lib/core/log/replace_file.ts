/** Replaces a file in one step: a reader sees the old file or the new one. */
import { draftPath } from "../file/draft_file.ts";
import { removeQuietly } from "../file/remove_quietly.ts";
import { openSync, renameSync } from "../platform/files.ts";
import { writeWhole } from "./write_whole.ts";

/**
 * Writes a draft beside a file, and renames the draft to the file.
 *
 * @param mayReplace Gets the path of the complete draft. Returns false to keep the old file.
 * @default {always}
 * @throws The system's error. The old file stays then.
 */
export function replaceFile(
  path: string,
  pieces: readonly (string | Uint8Array)[],
  mayReplace: (draft: string) => boolean = () => true,
): void {
  const draft = draftPath(path);
  try {
    {
      using file = openSync(draft, { write: true, createNew: true, mode: 0o600 });
      for (const piece of pieces) {
        writeWhole(file, typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
      }
    }
    if (mayReplace(draft)) renameSync(draft, path);
  } finally {
    removeQuietly(draft);
  }
}
