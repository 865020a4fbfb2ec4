/** Adds the origin of handed-over sessions to lists. */
import type { ImportInfo } from "../../core/event/payload.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { type HandoverRecord, readHandovers } from "./handover_record.ts";

/**
 * Adds `imported_from` to the rows of sessions that this machine handed over to other agents.
 *
 * @param onError Receives the error if hand-overs cannot be read. The rows then stay as they are.
 */
export function withHandedFrom(
  root: string,
  rows: readonly Summary[],
  onError: (error: SessionError) => void,
): Summary[] {
  const origins = new Map<string, ImportInfo>();
  for (const { agent, id, source: { ref } } of records(root, onError)) {
    const [from = ""] = ref.split(":", 1);
    origins.set(`${agent}:${id}`, { agent: from, id: ref.slice(from.length + 1) });
  }
  return rows.map((row) => {
    const imported_from = row.imported_from ?? origins.get(`${row.agent}:${row.session_id}`);
    return imported_from === undefined ? row : { ...row, imported_from };
  });
}

function records(root: string, onError: (error: SessionError) => void): HandoverRecord[] {
  try {
    return readHandovers(root);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    onError(error);
    return [];
  }
}
