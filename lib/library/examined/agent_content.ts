/** Reads an agent's sessions for what they hold. */
import { SessionError } from "../../event/session_error.ts";
import {
  addContentBytes,
  type ContentBytes,
  type ContentKind,
  contentShares,
} from "../../projection/content_bytes.ts";
import type { Summary } from "../../projection/summary_row.ts";
import { sessionOf } from "../query.ts";
import { openReader } from "../registry.ts";

/**
 * Measures the content of all threads of some sessions. One that cannot be read is left out.
 *
 * @param onRead Called after each session, with the bytes of its row.
 */
export async function agentContent(
  rows: readonly Summary[],
  onRead: (bytes: number) => void,
): Promise<{ kind: ContentKind; bytes: number }[]> {
  const sum: ContentBytes = {};
  for (const row of rows) {
    try {
      const reader = await openReader(sessionOf(row));
      for await (const { events } of reader.readThreads()) addContentBytes(sum, events);
    } catch (error) {
      // Lists and shows tell why.
      if (!(error instanceof SessionError)) throw error;
    }
    onRead(row.bytes ?? 0);
  }
  return contentShares(sum);
}
