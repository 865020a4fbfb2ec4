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
import { EventDigest } from "../lib/session/import/event_digest.ts";
import { addImport, type FoundImport } from "../lib/session/import/find_imports.ts";
import type { ImportedSession, ImportSource } from "../lib/session/import/import_session.ts";
import { keepSource, type KeptManifest, readManifest } from "../lib/session/import/kept_source.ts";
import { readMarks } from "../lib/session/marks.ts";
import { realDirectory } from "../lib/workspace/real_directory.ts";
import { fileState, type SourceState } from "../lib/session/import/source_state.ts";
import type { Context } from "./_context.ts";
import {
  lookUp,
  type LookUpOptions,
  readOptions,
  stateOf,
  type Subject,
} from "./_import/subject.ts";
import { showingReads, type ShowProgress } from "./_progress.ts";
import { isForeign, type SessionSource, type SourceTally } from "./_session_source.ts";
import { contextStore } from "./_store.ts";

/** How to import a session. */
export interface ImportOptions extends LookUpOptions {
  /** Directory that it is to belong to. @default {the one that it has, else this one} */
  cwd?: string;
  /** @default {the title that it has} */
  title?: string;
  /** Even if it was imported before and is the same. @default {false} */
  again?: boolean;
  report?: Report;
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
  /** The last one that was made of the same session, when that was another: while `unchanged`, since. */
  earlier?: FoundImport;
  /** What was written, and where each byte or row of the source went. */
  written?: ImportedSession & { account: SourceTally };
  /** What was kept of the source. */
  manifest?: KeptManifest;
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
    const last = earlier.at(-1);
    const since = last === undefined || last === same ? {} : { earlier: last };
    return { status: "unchanged", session_id, path, imported_from, ...since };
  }
  const outcome = await attempt(context, subject, options);
  const { session_id, path, imported_from } = outcome;
  const found = { session_id, path, imported_from, directory: dirname(path), created_at: "" };
  if (options.found !== undefined) addImport(options.found, found);
  const last = earlier.at(-1);
  return last === undefined ? outcome : { ...outcome, earlier: last };
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
  const { emptyAccount } = await import("../lib/source/source_account.ts");
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
  // A marked title that is empty was taken back.
  const title = options.title ?? (marks.get(source.ref)?.title?.value || undefined);
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
