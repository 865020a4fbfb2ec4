/**
 * The names that users gave to threads. Codex, codex-rs/rollout/src/session_index.rs: an append-only
 * `session_index.jsonl` of `{id, thread_name, updated_at}`; of an id the newest row wins.
 */
import { dirname, join } from "node:path";
import { asName, asText } from "../../reading/json_value.ts";
import { readHeadRecords } from "../../reading/records/file_edges.ts";
import { SessionError } from "../../event/session_error.ts";

/** The folder that a rollout belongs to: above `sessions` or `archived_sessions`. */
export function codexHome(rollout: string): string | undefined {
  const folder = dirname(rollout);
  for (const home of [dirname(folder), dirname(dirname(dirname(dirname(folder))))]) {
    const below = folder.slice(home.length + 1).split(/[\\/]/);
    if (below[0] === "archived_sessions" && below.length === 1) return home;
    if (below[0] === "sessions" && (below.length === 1 || below.length === 4)) return home;
  }
  return undefined;
}

/** Names by id of the thread; empty where there is no index. */
export function readThreadNames(home: string): Map<string, string> {
  const names = new Map<string, string>();
  try {
    for (const { value } of readHeadRecords(join(home, "session_index.jsonl"), INDEX_BYTES)) {
      const id = asText(value.id);
      const name = asName(value.thread_name);
      if (id !== undefined && name !== undefined) names.set(id, name);
    }
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    // No index, or one that cannot be read: threads go by their first prompt.
  }
  return names;
}

/** More than any index holds: a row takes some 130 bytes. */
const INDEX_BYTES = 16 * 1024 * 1024;
