/** Replaces a file in one step: a reader sees the old one or the new one. */
import { draftPath } from "../file/draft_file.ts";
import { removeQuietly } from "../file/remove_quietly.ts";
import { openSync, renameSync } from "../platform/files.ts";
import { writeWhole } from "./write_whole.ts";

/**
 * Writes a draft beside a file, and gives it the file's name.
 *
 * @param mayReplace Asked about the whole draft. @default {always}
 * @throws What the system says; then the old file stays.
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
