/** Imports a session of another agent or store as a Reprise session. */
import { dirname } from "node:path";
import type { LogEvent } from "../../../core/event/envelope.ts";
import type { ImportInfo } from "../../../core/event/payload.ts";
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import type { Report } from "../../../core/log/diagnostic.ts";
import {
  EventDigest,
  fileState,
  type SourceState,
} from "../../../core/store/import/source_state.ts";
import { addImport, type FoundImport } from "../../../core/store/import/find_imports.ts";
import type { ImportedSession, ImportSource } from "../../../core/store/import/import_session.ts";
import {
  type BackupManifest,
  copySource,
  readManifest,
} from "../../../core/store/import/source_copy.ts";
import { appendMark, readMarks } from "../../../core/store/marks.ts";
import type { LocalStore } from "../../../core/store/local_store.ts";
import type { SourceAccount } from "../../../agents/contract/agent.ts";
import { emptyAccount } from "../../../agents/contract/source_account.ts";
import { laterTurn } from "../../../core/platform/loop_turn.ts";
import { realDirectory } from "../../../core/workspace/real_directory.ts";
import type { OnProgress } from "../read_progress.ts";
import type { SessionHandle } from "../session_handle.ts";
import {
  type ImportPlan,
  type LookUpOptions,
  planImport,
  readOptions,
  stateOf,
} from "./look_up.ts";

/** Options for {@linkcode importHandle}: the new session's facts, and functions to call. */
export interface ImportOptions extends LookUpOptions {
  /** Absolute path of the new session's directory. @default {the original's directory} */
  cwd?: string;
  /** The directory to use if the original names none. @default {none: the import is refused} */
  default_cwd?: string;
  /** The new session's title. @default {the original's title} */
  title?: string;
  /** True to import the session even if an unchanged import exists. @default {false} */
  again?: boolean;
  /** Called with each fault that is found in the source. */
  report?: Report;
  /**
   * Called if the user's titles and tags cannot be read. The source's title is then used.
   * @default {nothing}
   */
  onError?: (error: SessionError) => void;
  /** Called with the amount of the source that was read. */
  onProgress?: OnProgress;
  /** Returns the current time, with which a backup is marked. @default {the system's clock} */
  now?: () => Date;
}

/** The result of {@linkcode importHandle}: a new session, or the unchanged earlier import. */
export interface ImportOutcome {
  /** `imported` for a new session, `unchanged` for the session of an earlier import. */
  status: "imported" | "unchanged";
  /** The id of the imported session. */
  session_id: string;
  /** Absolute path of the imported session's log. */
  path: string;
  /** The source of the import, as recorded at the start of the imported session. */
  imported_from: ImportInfo;
  /**
   * The latest other import of the original. If `unchanged`, only an import newer than
   * `session_id`.
   */
  earlier?: FoundImport;
  /** The written session and an account of its source's bytes or rows. Absent if `unchanged`. */
  written?: ImportedSession & { account: SourceAccount };
  /** The manifest of the copied source. Absent if no source was copied. */
  manifest?: BackupManifest;
  /** The marks that were copied from the original to the new session. */
  marks?: readonly ("tags" | "pinned" | "note")[];
}

const CARRIED = ["tags", "pinned", "note"] as const;

/**
 * Imports a session into a store, unless an unchanged import of the session exists.
 *
 * @param store The store that gets the new session.
 * @param session The session, opened by a {@linkcode Library}.
 * @param options Thread, directory and title; functions that get findings and progress.
 * @returns The new session, or the earlier import.
 * @throws {SessionError} `unsupported-source`, `not-found`, `permission`, `disk-full`, `io`;
 * `invalid-ref` if the session is already in this store
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm, writeFile } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { importHandle, openLibrary } from "@reprise/reprise/library";
 * import { openLocalStore } from "@reprise/reprise/store";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const path = `${root}/talk.jsonl`;
 * await writeFile(path, '{"seq":1,"kind":"user_message","payload":{"content":"hi"}}\n');
 * const store = openLocalStore({ root });
 * const session = await openLibrary({ root, variable: () => undefined }).open(path);
 * const { status } = await importHandle(store, session, { default_cwd: root });
 * assert.equal(status, "imported");
 * await rm(root, { recursive: true });
 * ```
 */
export async function importHandle(
  store: LocalStore,
  session: SessionHandle,
  options: ImportOptions = {},
): Promise<ImportOutcome> {
  const plan = await planImport(store.root, session, options);
  const { same, earlier } = plan;
  if (same !== undefined && !options.again) {
    const { session_id, path, imported_from } = same;
    const last = earlier.at(-1);
    const since = last === undefined || last === same ? {} : { earlier: last };
    return { status: "unchanged", session_id, path, imported_from, ...since };
  }
  const outcome = await attempt(store, plan, options);
  const { session_id, path, imported_from } = outcome;
  const found: FoundImport = {
    session_id,
    path,
    imported_from,
    directory: dirname(path),
    created_at: "",
  };
  if (options.found !== undefined) addImport(options.found, found);
  const last = earlier.at(-1);
  const marks = carryMarks(store, session, session_id, options);
  return present({
    ...outcome,
    earlier: last,
    marks: marks.length === 0 ? undefined : marks,
  });
}

/** Copies the original's marks to the new session, unless it is an import of a side thread. */
function carryMarks(
  { root, now }: LocalStore,
  { ref, thread }: SessionHandle,
  copy: string,
  { onError = ignore, ...options }: ImportOptions,
): NonNullable<ImportOutcome["marks"]> {
  const is_main = (options.thread ?? thread) === undefined;
  const set = is_main ? readMarks(root, onError).get(ref) ?? {} : {};
  const carried = CARRIED.filter((name) => isGiven(set[name]?.value));
  const time = now().toISOString();
  for (const name of carried) appendMark(root, { ref: copy, [name]: set[name]?.value, time });
  return carried;
}

/** True if a mark's value is not empty. An empty value removes a mark. */
function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** Imports a session, and tries again if its backup failed because the source grew. */
async function attempt(
  store: LocalStore,
  plan: ImportPlan,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const { session, files } = plan;
  const state = await stateOf(session, files, options);
  try {
    return await importOnce(store, plan, state, options);
  } catch (error) {
    const grew = options.backup && error instanceof SessionError && files.length > 0 &&
      fileState(session.path).bytes !== state.bytes;
    if (!grew) throw error;
    return await importOnce(store, plan, await stateOf(session, files, options), options);
  }
}

async function importOnce(
  store: LocalStore,
  plan: ImportPlan,
  state: SourceState,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const { session } = plan;
  const account = emptyAccount();
  const { report, onProgress } = options;
  const events = session.events(present({ ...readOptions(options), report, onProgress, account }));
  const written = await store.import({
    ...headOptions(store, plan, options),
    ...(options.backup && backupOptions(plan, state, options)),
    state,
    events: inTurns(events),
  });
  const { session_id, path, imported_from } = written;
  const manifest = options.backup ? readManifest(dirname(path)) : undefined;
  return present({
    status: "imported",
    session_id,
    path,
    imported_from,
    written: { ...written, account },
    manifest,
  });
}

function headOptions(
  { root }: LocalStore,
  { session, row }: ImportPlan,
  { cwd, default_cwd, signal, onError = ignore, ...options }: ImportOptions,
): Omit<ImportSource, "events"> {
  const { agent, session_id: id, created_at } = row;
  // An empty title removes the mark. Marks that cannot be read do not stop an import.
  const marked = readMarks(root, onError).get(session.ref)?.title?.value || undefined;
  const title = options.title ?? marked;
  const directory = cwd === undefined ? row.cwd ?? default_cwd : realDirectory(cwd);
  return present({ agent, id, path: session.path, cwd: directory, title, created_at, signal });
}

function ignore(): void {}

function backupOptions(
  { row, files }: ImportPlan,
  { sha256 }: SourceState,
  { now = () => new Date() }: ImportOptions,
): Required<Pick<ImportSource, "attach" | "digest">> {
  const digest = new EventDigest();
  const { agent, session_id: id } = row;
  const plan = { agent, id, files, digest, now: now() };
  return {
    digest,
    attach: async (directory) => {
      await copySource(directory, files.length === 0 ? plan : { ...plan, sha256 });
    },
  };
}

/** Number of batches between pauses in which other work, such as a signal, is handled. */
const SLICE = 32;

async function* inTurns(
  batches: AsyncIterable<readonly LogEvent[]>,
): AsyncGenerator<readonly LogEvent[]> {
  let count = 0;
  for await (const batch of batches) {
    yield batch;
    if (++count % SLICE === 0) await laterTurn();
  }
}
