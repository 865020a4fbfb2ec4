/** Records sessions that were compressed in place, one a line, so that this can be undone. */
import { dirname, join } from "node:path";
import type { AgentName } from "../../core/event/agent_name.ts";
import { fields, number, parsedAs, text } from "../../core/event/guard.ts";
import { readShortText, RECORDS_BYTES } from "../../core/file/short_file.ts";
import { isNotFound } from "../../core/platform/system_error.ts";
import { appendLine } from "../../core/log/own_file.ts";
import { makeDirectories } from "../../core/store/create_log.ts";

export interface PackedInPlace {
  id: string;
  /** Absolute path of the session's file before it was compressed. */
  path: string;
  suffix: string;
  /** SHA-256 of the session's file before it was compressed. */
  sha256: string;
  packed_bytes: number;
}

const PACKED = fields({ id: text, path: text, suffix: text, sha256: text, packed_bytes: number });

function recordPath(root: string, agent: AgentName): string {
  return join(root, "packed", `${agent}.jsonl`);
}

/** Records a compressed session, before its plain file is removed. */
export function notePacked(root: string, agent: AgentName, packed: PackedInPlace): void {
  const path = recordPath(root, agent);
  makeDirectories(dirname(path));
  appendLine(path, packed);
}

/** Returns the sessions that were compressed. If a path has several records, the last counts. */
export function readPackedRecord(root: string, agent: AgentName): PackedInPlace[] {
  const found = new Map<string, PackedInPlace>();
  for (const line of recordText(recordPath(root, agent)).split("\n")) {
    const one = parsedAs<PackedInPlace>(line, PACKED);
    if (one !== undefined) found.set(one.path, one);
  }
  return [...found.values()];
}

function recordText(path: string): string {
  try {
    return readShortText(path, RECORDS_BYTES, { follow: false });
  } catch (error) {
    if (isNotFound(error)) return "";
    throw error;
  }
}
