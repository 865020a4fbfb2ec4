/** Checks before an import whether the session was imported before, and has not changed since. */
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { isThere } from "../../../core/file/presence.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import {
  findImports,
  type FoundImport,
  type FoundImports,
  importKey,
} from "../../../core/store/import/find_imports.ts";
import { readManifest } from "../../../core/store/import/source_copy.ts";
import {
  fileState,
  hashEvents,
  hashFile,
  type SourceState,
} from "../../../core/store/import/source_state.ts";
import type { SessionHandle } from "../session_handle.ts";

/** Options for looking up a session's earlier imports. */
export interface LookUpOptions {
  /** The thread to read. @default {the thread that the reference names, else the main thread} */
  thread?: string;
  /** True to copy the source beside the log and check all that was written. @default {false} */
  backup?: boolean;
  /** Known imports, to look them up only once. @default {the store's current imports} */
  found?: FoundImports;
  /** Stops the import, which then leaves nothing behind. */
  signal?: AbortSignal;
}

export interface ImportPlan {
  session: SessionHandle;
  row: Summary;
  /** The files that hold this session alone. */
  files: readonly string[];
  /** Earlier imports of the session, the oldest first. */
  earlier: readonly FoundImport[];
  /** The import of the session's current state. Undefined if there is none. */
  same: FoundImport | undefined;
}

/**
 * Checks whether a session was imported before, and has not changed since.
 *
 * @param root The data root of the store that gets the import.
 * @throws {SessionError} `invalid-ref` if the session is already in this store
 */
export async function planImport(
  root: string,
  session: SessionHandle,
  options: LookUpOptions,
): Promise<ImportPlan> {
  const { found = findImports(root) } = options;
  assertElsewhere(session, options);
  const row = await session.summary();
  const files = await session.files();
  const earlier = earlierImports(found, row, threadOf(session, options));
  const usable = options.backup
    ? earlier.filter(({ directory }) => readManifest(directory) !== undefined)
    : earlier;
  const same = await findSame(usable, session, files, options);
  return { session, row, files, earlier: usable, same };
}

function assertElsewhere({ writable, ref }: SessionHandle, { backup }: LookUpOptions): void {
  if (!writable) return;
  const message = `Cannot ${backup ? "back up" : "import"} session "${ref}": ` +
    `the session is already in this store; to copy it: reprise fork ${ref}`;
  throw new SessionError("invalid-ref", message, { ref });
}

/** Returns the thread to read. Undefined for the main thread. */
function threadOf({ thread }: SessionHandle, options: LookUpOptions): string | undefined {
  return options.thread ?? thread;
}

/** Returns imports of the session's thread, except if their original still exists elsewhere. */
function earlierImports(
  found: FoundImports,
  { agent, session_id: id, path }: Summary,
  thread: string | undefined,
): FoundImport[] {
  return (found.get(importKey({ agent, id })) ?? []).filter(({ imported_from: origin }) =>
    origin.branch === thread &&
    (origin.path === undefined || origin.path === path || !isThere(origin.path))
  );
}

/** Finds the import of the source's current state. Reads the source only if an import may match. */
async function findSame(
  earlier: readonly FoundImport[],
  session: SessionHandle,
  files: readonly string[],
  options: LookUpOptions,
): Promise<FoundImport | undefined> {
  if (earlier.length === 0) return undefined;
  if (files.length === 0) {
    const sha256 = await hashEvents(session.events(readOptions(options)));
    return earlier.findLast(({ imported_from }) => imported_from.sha256 === sha256);
  }
  const { bytes, modified_at } = fileState(session.path);
  const sized = earlier.filter(({ imported_from }) => imported_from.bytes === bytes);
  const timed = sized.findLast(({ imported_from }) => imported_from.modified_at === modified_at);
  if (timed !== undefined || sized.length === 0) return timed;
  const sha256 = await hashFile(session.path);
  return sized.findLast(({ imported_from }) => imported_from.sha256 === sha256);
}

export function readOptions(
  { thread, signal }: LookUpOptions,
): { thread?: string; signal?: AbortSignal; all_branches?: boolean } {
  // A log of Reprise is copied with its abandoned branches.
  return present({ thread, signal, all_branches: thread === undefined });
}

export async function stateOf(
  session: SessionHandle,
  files: readonly string[],
  options: LookUpOptions,
): Promise<SourceState> {
  const thread = threadOf(session, options);
  const branch = thread === undefined ? {} : { branch: thread };
  if (files.length === 0) {
    return { sha256: await hashEvents(session.events(readOptions(options))), ...branch };
  }
  const { path } = session;
  return { ...fileState(path), sha256: await hashFile(path), ...branch };
}
