/**
 * `tombstones.jsonl` in the trash: a line for each removal, restoration and final deletion. The
 * record tells where each session was. The folders tell which sessions are in the trash.
 */
import { basename, dirname, join } from "node:path";
import { fields, type Guard, number, optional, text } from "../../event/guard.ts";
import { parsedJson } from "../../event/parsed_json.ts";
import { readShortText, RECORDS_BYTES } from "../../file/short_file.ts";
import { toSessionError } from "../../log/io_error.ts";
import { appendLine } from "../../log/own_file.ts";
import { isNotFound } from "../../platform/system_error.ts";
import type { Summary } from "../../projection/summary_row.ts";
import { trashDirectory } from "../session_folder.ts";

/** The record of a session's removal to the trash. */
export interface Tombstone {
  /** Id of the removed session: a UUID v4, or the id that its program gave. */
  session_id: string;
  /** The title in the session's summary; may be empty. */
  title: string;
  /** True if an event in the summary was changed after it was written. */
  altered?: true;
  /** The former path of the session's folder. */
  from: string;
  /** Path of the session's folder in the trash. */
  to: string;
  /** Size of all files of the session in bytes; absent in records of earlier versions. */
  bytes?: number;
  /** The command or rule that removed the session; absent in records of earlier versions. */
  reason?: "deleted" | "pruned";
  /** ISO 8601: time of the removal. */
  removed_at: string;
  /** Id of the parent session, if this subagent's session was removed together with it. */
  with?: string;
}

export type ShownTitle = Pick<Summary, "title" | "altered">;

export function shownTitle({ title, altered }: ShownTitle): ShownTitle {
  return altered ? { title, altered: true } : { title };
}

export interface TrashOutcome {
  session_id: string;
  /** Path of the session's folder in the trash. */
  to: string;
  restored_at?: string;
  deleted_at?: string;
}

export function tombstonesPath(root: string): string {
  return join(trashDirectory(root), "tombstones.jsonl");
}

/** Returns a trash folder's key, `<namespace>/<folder>`. It stays valid if the store moves. */
export function trashKey(path: string): string {
  return `${basename(dirname(path))}/${basename(path)}`;
}

export function appendTrashRecord(root: string, record: Tombstone | TrashOutcome): void {
  appendLine(tombstonesPath(root), record);
}

export interface Removal {
  tombstone: Tombstone;
  /** True if the session was restored or deleted after the removal. */
  settled: boolean;
}

/** Maps the `trashKey` of each folder to its last removal, oldest first. Skips invalid lines. */
export function readRemovals(root: string): Map<string, Removal> {
  const removals = new Map<string, Removal>();
  for (const line of readText(tombstonesPath(root)).split("\n")) {
    const record = parseRecord(line);
    if (record === undefined) continue;
    const key = trashKey(record.to);
    if ("removed_at" in record) {
      // Removed again: it comes last.
      removals.delete(key);
      removals.set(key, { tombstone: record, settled: false });
    } else {
      const removal = removals.get(key);
      if (removal !== undefined) removal.settled = true;
    }
  }
  return removals;
}

function readText(path: string): string {
  try {
    return readShortText(path, RECORDS_BYTES, { follow: false, what: "trash" });
  } catch (error) {
    if (isNotFound(error)) return "";
    throw toSessionError(error, "read trash", path);
  }
}

const PLACE = { session_id: text, to: text };
const REMOVED = {
  removed_at: text,
  title: text,
  from: text,
  bytes: optional(number),
  with: optional(text),
};
const KINDS: readonly Readonly<Record<string, Guard>>[] = [
  { restored_at: text },
  { deleted_at: text },
  REMOVED,
];
const GUARDS = KINDS.map((more) => fields({ ...PLACE, ...more }));

function parseRecord(line: string): Tombstone | TrashOutcome | undefined {
  const record = parsedJson(line) as Tombstone | TrashOutcome;
  return GUARDS.some((guard) => guard(record) === undefined) ? record : undefined;
}
