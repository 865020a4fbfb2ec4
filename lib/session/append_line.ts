/**
 * Small append-only records beside the logs: marks, and what was removed.
 */
import { openOrMakeOwnFile } from "../log/own_file.ts";
import { writeWhole } from "../log/write_whole.ts";

/**
 * Appends a value as one line of JSON in one write, on a line of its own whatever stands before it,
 * and syncs it.
 *
 * @throws {SessionError} `unsafe-store`, `permission`, `io` where the file cannot be opened; what
 * else the system says passes untouched.
 */
export function appendLine(path: string, value: unknown): void {
  const file = openOrMakeOwnFile(path, { append: true });
  try {
    // An empty line costs nothing; a torn one before it would cost this one.
    writeWhole(file, new TextEncoder().encode(`\n${JSON.stringify(value)}\n`));
    file.syncDataSync();
  } finally {
    file.close();
  }
}
