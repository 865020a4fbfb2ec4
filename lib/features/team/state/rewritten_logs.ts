/**
 * Logs that were rewritten on this machine, as by a scrub. The next push replaces them in the store.
 * Each has a file of its own, so that a push that is running loses none.
 */
import { join } from "node:path";
import { fields, parsedAs, text } from "../../../core/event/guard.ts";
import { sha256 } from "../../../core/event/sha256.ts";
import { removeQuietly } from "../../../core/file/remove_quietly.ts";
import { RECORDS_BYTES, shortTextIn } from "../../../core/file/short_file.ts";
import { readDirSync } from "../../../core/platform/files.ts";
import { replaceRecord, sharedIn, syncDirectory } from "./sync_state.ts";

/** A note of one rewrite. A later rewrite of the same session has another stamp. */
interface RewriteNote {
  session: string;
  stamp: string;
}

const GUARD = fields({ session: text, stamp: text });

function folderOf(root: string): string {
  return join(syncDirectory(root), "rewritten");
}

function pathOf(root: string, session: string): string {
  return join(folderOf(root), sha256(new TextEncoder().encode(session)).slice(0, 32));
}

/**
 * Notes that the logs of sessions are rewritten. Sessions that no store has need no note.
 *
 * @param sessions Their ids.
 * @throws {SessionError} `permission`, `disk-full`, `unsafe-store`, `io`
 */
export function noteRewritten(root: string, sessions: readonly string[]): void {
  for (const session of sessions) {
    if (sharedIn(root, session).length === 0) continue;
    const note: RewriteNote = { session, stamp: crypto.randomUUID() };
    replaceRecord(pathOf(root, session), note);
  }
}

/** Returns the stamps of rewritten logs by the ids of their sessions. */
export function rewrittenLogs(root: string): Map<string, string> {
  const notes = noteNames(root).flatMap((name) => parsedNote(join(folderOf(root), name)) ?? []);
  return new Map(notes.map(({ session, stamp }) => [session, stamp]));
}

/** Removes the note of a session that was replaced in the store, unless it was rewritten again. */
export function dropRewritten(root: string, session: string, stamp: string): void {
  const path = pathOf(root, session);
  if (parsedNote(path)?.stamp === stamp) removeQuietly(path);
}

function noteNames(root: string): string[] {
  try {
    return [...readDirSync(folderOf(root))].map(({ name }) => name);
  } catch {
    // Nothing was rewritten.
    return [];
  }
}

function parsedNote(path: string): RewriteNote | undefined {
  return parsedAs<RewriteNote>(shortTextIn(path, RECORDS_BYTES, { follow: false }), GUARD);
}
