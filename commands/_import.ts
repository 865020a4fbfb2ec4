/**
 * Sessions of ours, made of those that are kept elsewhere: what `import`, `keep` and the chat share.
 */
import { setImmediate } from "node:timers";
import { dirname, resolve } from "node:path";
import type { LogEvent } from "../lib/event/envelope.ts";
import type { ImportInfo } from "../lib/event/payload.ts";
import { SessionError } from "../lib/event/session_error.ts";
import type { Report } from "../lib/log/diagnostic.ts";
import { emptyTally } from "../lib/log/parse_state.ts";
import type { Summary } from "../lib/projection/summary_row.ts";
import { EventDigest } from "../lib/session/event_digest.ts";
import {
  addImport,
  findImports,
  type FoundImport,
  type FoundImports,
  importKey,
} from "../lib/session/find_imports.ts";
import type { ImportedSession, ImportSource } from "../lib/session/import_session.ts";
import { keepSource, type KeptManifest, readManifest } from "../lib/session/kept_source.ts";
import { readMarks } from "../lib/session/marks.ts";
import { sessionsDirectory } from "../lib/session/session_folder.ts";
import { realDirectory } from "../lib/session/session_store.ts";
import { fileState, hashEvents, hashFile, type SourceState } from "../lib/session/source_state.ts";
import type { Context } from "./_context.ts";
import { showingReads, type ShowProgress } from "./_progress.ts";
import { isForeign, type SessionSource, type SourceTally } from "./_session_source.ts";
import { contextStore } from "./_store.ts";

/** How to import a session. */
export interface ImportOptions {
  /** Directory that it is to belong to. @default {the one that it has, else this one} */
  cwd?: string;
  /** @default {the title that it has} */
  title?: string;
  /** Even if it was imported before and is the same. @default {false} */
  again?: boolean;
  /** Of another agent's session: a record on the branch to read. */
  branch?: string;
  /** Keep the source too, and check all that was written. @default {false} */
  keep?: boolean;
  /** Earlier imports, where many are made. @default {those that the store has now} */
  found?: FoundImports;
  report?: Report;
  signal?: AbortSignal;
  /** Takes how much of the source is read. */
  onProgress?: ShowProgress;
}

/** What became of it. */
export interface ImportOutcome {
  /** Whether it is new, or the same as one that was imported before. */
  status: "imported" | "unchanged";
  session_id: string;
  /** Absolute path of its log. */
  path: string;
  imported_from: ImportInfo;
  /** The last one that was made of the same session, when it was shorter. */
  earlier?: FoundImport;
  /** What was written, and where each byte or row of the source went. */
  written?: ImportedSession & { account: SourceTally };
  /** What was kept of the source. */
  manifest?: KeptManifest;
}

/** A source, looked at before it is read. */
interface Subject {
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
  options: ImportOptions,
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

/**
 * Imports a session, unless it was imported before and has not changed since.
 *
 * @throws {SessionError} `unsupported-source`, `not-found`, `permission`, `disk-full`, `io`; `invalid-ref`
 * when it is one of this store's
 */
export async function importSource(
  context: Context,
  source: SessionSource,
  options: ImportOptions = {},
): Promise<ImportOutcome> {
  const subject = await lookUp(context, source, options);
  const { same, earlier } = subject;
  if (same !== undefined && !options.again) {
    const { session_id, path, imported_from } = same;
    return { status: "unchanged", session_id, path, imported_from };
  }
  const outcome = await attempt(context, subject, options);
  const { session_id, path, imported_from } = outcome;
  const found = { session_id, path, imported_from, directory: dirname(path), created_at: "" };
  if (options.found !== undefined) addImport(options.found, found);
  const last = earlier.at(-1);
  return last === undefined ? outcome : { ...outcome, earlier: last };
}

function assertElsewhere(
  root: string,
  { id, path, ref }: SessionSource,
  { keep }: ImportOptions,
): void {
  if (id === undefined && !path.startsWith(sessionsDirectory(root))) return;
  const message = `Cannot ${keep ? "keep" : "import"} session "${ref}": ` +
    `this store has it already; to copy it: reprise fork ${ref}`;
  throw new SessionError("invalid-ref", message, { ref });
}

/** Those that were made of the same branch; to keep one, only those that were kept count. */
function earlierImports(
  found: FoundImports,
  { agent, session_id: id }: Summary,
  { branch, keep }: ImportOptions,
): FoundImport[] {
  return (found.get(importKey({ agent, id })) ?? []).filter((one) =>
    one.imported_from.branch === branch &&
    (!keep || readManifest(one.directory) !== undefined)
  );
}

/** The one that was made of the source as it is now. Only what may be the same is read to tell. */
async function findSame(
  earlier: readonly FoundImport[],
  source: SessionSource,
  files: readonly string[],
  options: ImportOptions,
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

function readOptions({ branch, signal }: ImportOptions): { branch?: string; signal?: AbortSignal } {
  return {
    ...(branch === undefined ? {} : { branch }),
    ...(signal === undefined ? {} : { signal }),
  };
}

async function stateOf(
  source: SessionSource,
  files: readonly string[],
  options: ImportOptions,
): Promise<SourceState> {
  const branch = options.branch === undefined ? {} : { branch: options.branch };
  if (files.length === 0) {
    return { sha256: await hashEvents(source.events(readOptions(options))), ...branch };
  }
  const { path } = source;
  return { ...fileState(path), sha256: await hashFile(path), ...branch };
}

/** Once more, where keeping failed because the source grew meanwhile. */
async function attempt(
  context: Context,
  subject: Subject,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const { source, files } = subject;
  const state = await stateOf(source, files, options);
  try {
    return await importOnce(context, subject, state, options);
  } catch (error) {
    const grew = options.keep && error instanceof SessionError && files.length > 0 &&
      fileState(source.path).bytes !== state.bytes;
    if (!grew) throw error;
    return await importOnce(context, subject, await stateOf(source, files, options), options);
  }
}

async function importOnce(
  context: Context,
  subject: Subject,
  state: SourceState,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const { emptyAccount } = await import("../lib/agents/source_account.ts");
  const { source } = subject;
  const account = isForeign(source) ? emptyAccount() : undefined;
  const tally = emptyTally();
  const { report, onProgress = ignore } = options;
  const events = source.events({
    ...readOptions(options),
    ...(report === undefined ? {} : { report }),
    ...(account === undefined ? { tally } : { account }),
  });
  const written = await contextStore(context).import({
    ...headOptions(context, subject, options),
    ...(options.keep ? keepOptions(context, subject, state) : {}),
    state,
    events: inTurns(showingReads(events, fileState(source.path).bytes, onProgress)),
  });
  const { session_id, path, imported_from } = written;
  const manifest = options.keep ? readManifest(dirname(path)) : undefined;
  return {
    status: "imported",
    session_id,
    path,
    imported_from,
    written: { ...written, account: account ?? tally },
    ...(manifest === undefined ? {} : { manifest }),
  };
}

function ignore(): void {}

/** What is said of the session before its events are read. */
function headOptions(
  context: Context,
  { source, row }: Subject,
  { cwd, signal, ...options }: ImportOptions,
): Omit<ImportSource, "events"> {
  const { agent, session_id: id, created_at } = row;
  const marks = readMarks(contextStore(context).root);
  const title = options.title ?? marks.get(source.ref)?.title?.value;
  return {
    agent,
    id,
    path: source.path,
    cwd: cwd === undefined
      ? row.cwd ?? realDirectory(context.cwd)
      : realDirectory(resolve(context.cwd, cwd)),
    ...(title === undefined ? {} : { title }),
    ...(created_at === undefined ? {} : { created_at }),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** Puts the source beside the log, checked by what is read meanwhile. */
function keepOptions(
  context: Context,
  { row, files }: Subject,
  { sha256 }: SourceState,
): Required<Pick<ImportSource, "attach" | "digest">> {
  const digest = new EventDigest();
  const { agent, session_id: id } = row;
  const plan = { agent, id, files, digest, now: context.now() };
  return {
    digest,
    attach: async (directory) => {
      await keepSource(directory, files.length === 0 ? plan : { ...plan, sha256 });
    },
  };
}

/** Batches after which others of the process get their turn: a signal among them. */
const SLICE = 32;

async function* inTurns(
  batches: AsyncIterable<readonly LogEvent[]>,
): AsyncGenerator<readonly LogEvent[]> {
  let count = 0;
  for await (const batch of batches) {
    yield batch;
    if (++count % SLICE === 0) await new Promise<void>((done) => void setImmediate(done));
  }
}
