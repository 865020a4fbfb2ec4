/**
 * A session that is kept elsewhere, looked at before it is imported: whether that was done before,
 * and nothing has changed since.
 */
import { SessionError } from "../../lib/event/session_error.ts";
import type { Summary } from "../../lib/projection/summary_row.ts";
import {
  findImports,
  type FoundImport,
  type FoundImports,
  importKey,
} from "../../lib/session/import/find_imports.ts";
import { readManifest } from "../../lib/session/import/kept_source.ts";
import { isWithin } from "../../lib/session/relinks.ts";
import { sessionsDirectory } from "../../lib/session/session_folder.ts";
import {
  fileState,
  hashEvents,
  hashFile,
  type SourceState,
} from "../../lib/session/import/source_state.ts";
import type { Context } from "../_context.ts";
import type { SessionSource } from "../_session_source.ts";
import { contextStore } from "../_store.ts";

/** What to look for. */
export interface LookUpOptions {
  /** Of another agent's session: a record on the branch to read. */
  thread?: string;
  /** Keep the source too, and check all that was written. @default {false} */
  keep?: boolean;
  /** Earlier imports, where many are made. @default {those that the store has now} */
  found?: FoundImports;
  signal?: AbortSignal;
}

/** A source, looked at before it is read. */
export interface Subject {
  source: SessionSource;
  row: Summary;
  /** Files that are the session's alone. */
  files: readonly string[];
  /** What was made of it before, the oldest first. */
  earlier: readonly FoundImport[];
  /** The one of them that was made of the source as it is now. */
  same: FoundImport | undefined;
}

/** Looks whether a session was imported before, and has not changed since. */
export async function lookUp(
  context: Context,
  source: SessionSource,
  options: LookUpOptions,
): Promise<Subject> {
  const { root } = contextStore(context);
  const { found = findImports(root) } = options;
  assertElsewhere(root, source, options);
  const row = await source.summary();
  const files = await source.files?.() ?? [source.path];
  const earlier = earlierImports(found, row, options);
  const same = await findSame(earlier, source, files, options);
  return { source, row, files, earlier, same };
}

function assertElsewhere(
  root: string,
  { id, path, ref }: SessionSource,
  { keep }: LookUpOptions,
): void {
  if (id === undefined && !isWithin(path, sessionsDirectory(root))) return;
  const message = `Cannot ${keep ? "keep" : "import"} session "${ref}": ` +
    `this store has it already; to copy it: reprise fork ${ref}`;
  throw new SessionError("invalid-ref", message, { ref });
}

/** Those that were made of the same branch; to keep one, only those that were kept count. */
function earlierImports(
  found: FoundImports,
  { agent, session_id: id }: Summary,
  { thread, keep }: LookUpOptions,
): FoundImport[] {
  return (found.get(importKey({ agent, id })) ?? []).filter((one) =>
    one.imported_from.branch === thread &&
    (!keep || readManifest(one.directory) !== undefined)
  );
}

/** The one that was made of the source as it is now. Only what may be the same is read to tell. */
async function findSame(
  earlier: readonly FoundImport[],
  source: SessionSource,
  files: readonly string[],
  options: LookUpOptions,
): Promise<FoundImport | undefined> {
  if (earlier.length === 0) return undefined;
  if (files.length === 0) {
    const sha256 = await hashEvents(source.events(readOptions(options)));
    return earlier.findLast(({ imported_from }) => imported_from.sha256 === sha256);
  }
  const { bytes, modified_at } = fileState(source.path);
  const sized = earlier.filter(({ imported_from }) => imported_from.bytes === bytes);
  const timed = sized.findLast(({ imported_from }) => imported_from.modified_at === modified_at);
  if (timed !== undefined || sized.length === 0) return timed;
  const sha256 = await hashFile(source.path);
  return sized.findLast(({ imported_from }) => imported_from.sha256 === sha256);
}

/** What reading takes of the options. */
export function readOptions(
  { thread, signal }: LookUpOptions,
): { thread?: string; signal?: AbortSignal } {
  return {
    ...(thread === undefined ? {} : { thread }),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** What the source is like now. */
export async function stateOf(
  source: SessionSource,
  files: readonly string[],
  options: LookUpOptions,
): Promise<SourceState> {
  const branch = options.thread === undefined ? {} : { branch: options.thread };
  if (files.length === 0) {
    return { sha256: await hashEvents(source.events(readOptions(options))), ...branch };
  }
  const { path } = source;
  return { ...fileState(path), sha256: await hashFile(path), ...branch };
}
