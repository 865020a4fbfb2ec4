/**
 * All sessions of one data root. Code for copies, imports, removals and whole reads is loaded on
 * demand. Most commands only find and list sessions.
 *
 * @module
 */
import { join } from "node:path";
import type { LogEvent } from "../event/envelope.ts";
import { type LockHolder, SessionError } from "../event/session_error.ts";
import { isThere } from "../file/presence.ts";
import { readEvents } from "../log/read_events.ts";
import { hostName, processId } from "../platform/process.ts";
import type { ConversationOptions } from "../projection/conversation/conversation.ts";
import { summary } from "../projection/summary.ts";
import type { Summary } from "../projection/summary_row.ts";
import { realDirectory } from "../workspace/real_directory.ts";
import { annotate } from "./annotate.ts";
import {
  checkCreation,
  checkEvents,
  checkFork,
  checkLast,
  checkListing,
  checkLoading,
  checkPruning,
  type LogAnnotation,
  timeOf,
} from "./checked_arguments.ts";
import type { CreateOptions, EventsOptions, ForkOptions, StoreOptions } from "./store_options.ts";
import { continuable, continueLast } from "./continue_last.ts";
import { checkNames } from "./checked_options.ts";
import type { CopyOptions, ForkedSession } from "./copy/fork_session.ts";
import type { MergedSession, MergeOptions } from "./copy/merge_sessions.ts";
import type { CopySource } from "./copy/survey_log.ts";
import { createLog, type NewLog, plannedLog, takeFreeId } from "./create_log.ts";
import type { ImportedSession, ImportSource } from "./import/import_session.ts";
import {
  type ListOptions,
  listSessions,
  summarizeSession,
  type SummaryCache,
} from "./list_sessions.ts";
import type { LoadOptions } from "./load_session.ts";
import { readMainPath } from "./log_branches.ts";
import { readMarks } from "./marks.ts";
import { findFromDirectory } from "./relink/directory_folders.ts";
import { OpenedHere } from "./opened_here.ts";
import { Session, type SessionHome } from "./session.ts";
import { findSession, LOG_FILE, type SessionFolder } from "./session_folder.ts";
import type { Durability } from "./session_parts.ts";
import type { LoadedSession, Store } from "./store.ts";
import { COPY_OPTIONS, EMPTY_OPTIONS, MERGE_OPTIONS, WATCH_OPTIONS } from "./option_names.ts";
import { assertSafeStore } from "./store_safety.ts";
import { SubagentIndex } from "./subagent_index.ts";
import { withSums } from "./subagents.ts";
import type { EmptyTrashOptions } from "./trash/empty_trash.ts";
import type { PruneOptions, PruneReport } from "./trash/prune_sessions.ts";
import { mayExceed } from "./trash/store_size.ts";
import {
  findInTrash,
  listTrash,
  removeFamily,
  type RestoredSession,
  restoreFamily,
  type TrashEntry,
} from "./trash/trash.ts";
import type { Tombstone } from "./trash/trash_record.ts";
import { watchEvents, type WatchOptions } from "./watch_events.ts";

/**
 * A store on disk, with the operations that commands need. Made by {@linkcode openLocalStore}.
 * References have the forms that {@linkcode Store} describes.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openLocalStore } from "@reprise/reprise/store";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const store = openLocalStore({ root });
 * const session = store.create({ cwd: root });
 * await session.append({ kind: "user_message", payload: { content: "Hello" } });
 * await session.finish();
 *
 * await store.rename(session.id, "A greeting");
 * assert.equal((await store.last())?.title, "A greeting");
 * await rm(root, { recursive: true });
 * ```
 */
export class LocalStore implements Store {
  /** Absolute path of the folder with the store's sessions, marks and trash. */
  readonly root: string;
  readonly #durability: Durability;
  /** The clock by which the store times events and marks. */
  readonly now: () => Date;
  readonly #newId: () => string;
  readonly #whole_ids: boolean;
  readonly #summaries: SummaryCache = new Map();
  readonly #subagents = new SubagentIndex(this.#summaries);
  readonly #open = new OpenedHere();
  readonly #home: SessionHome = {
    begin: (options) => this.create(options),
    resume: (ref) => this.resume(ref),
    ended: (session) => this.#open.delete(session),
  };

  /**
   * Opens the store at a given root. {@linkcode openLocalStore} finds the usual root.
   *
   * @param options The options of {@linkcode openLocalStore}, with an absolute root.
   */
  constructor(options: StoreOptions & { root: string }) {
    this.root = options.root;
    this.#durability = options.durability ?? "boundary";
    this.now = options.now ?? (() => new Date());
    this.#newId = options.newId ?? (() => crypto.randomUUID());
    this.#whole_ids = options.whole_ids ?? false;
  }

  /**
   * Begins a session. No file is written until an event of the conversation is appended.
   *
   * @param options Working directory, and facts about the new session, such as its title.
   * @returns The session to append to.
   * @throws {SessionError} `invalid-argument`, `invalid-event`, `exists`, `unsafe-store`
   */
  create(options: CreateOptions): Session {
    checkCreation(options);
    assertSafeStore(this.root);
    const cwd = realDirectory(options.cwd);
    const { id: wanted, ...head } = options;
    const planned = this.#planned(cwd, wanted);
    const { id, directory } = takeFreeId(planned, (path) => !isThere(path));
    const parts = {
      id,
      path: join(directory, LOG_FILE),
      durability: this.#durability,
      now: this.now,
      create: () => createLog({ ...planned, id }),
      header: { ...head, session_id: id, created_at: planned.created.toISOString(), cwd },
      state: summary().initial(),
    };
    return this.#open.add(new Session(parts, this.#home));
  }

  /**
   * Takes a session's lock and opens it to append.
   *
   * @param ref An id or its first characters.
   * @throws {SessionError} `not-found`, `ambiguous`, `locked` (with who holds it),
   * `unsupported-version`, `unsafe-store`, `permission`, `io`
   */
  async resume(ref: string): Promise<Session> {
    return this.#open.add(await this.#resume(ref));
  }

  async #resume(
    ref: string,
    way: "resumeLog" | "readToResume" = "resumeLog",
  ): Promise<Session> {
    assertSafeStore(this.root);
    const folder = this.find(ref);
    const subagents = await this.#subagents.below(folder);
    const { [way]: open } = await import("./resume_log.ts");
    const parts = { durability: this.#durability, now: this.now, subagents };
    return new Session({ ...parts, ...await open(folder, this.#holder()) }, this.#home);
  }

  /**
   * Opens the session of a directory that was updated last and that no process writes. The session
   * may have been closed or interrupted. Begins a new session if there is none, or if the found
   * session cannot be read. `skipped` of the new session then is the reading error. With `app`,
   * opens only a session that a program of this name began. A log without a readable event may be
   * of this program, so it is found, too. Never opens an archived session, a subagent's session, or
   * a copy of another agent's session. If the disk cannot be written, opens the session, and its
   * first append fails.
   *
   * @param options Working directory, and facts about a new session, such as its title.
   * @throws {SessionError} `unsafe-store`; `permission`, `io`: of the store as a whole.
   */
  async continueLast(options: CreateOptions): Promise<Session> {
    checkCreation(options);
    const rows = continuable(await this.list({ cwd: options.cwd }), options.app);
    return await continueLast(rows, {
      app: options.app,
      open: (ref) => this.resume(ref),
      read: async (ref) => this.#open.add(await this.#resume(ref, "readToResume")),
      begin: () => this.create(options),
    });
  }

  /**
   * Finds a session's folder by the id's first characters.
   *
   * @param ref An id or its first characters.
   * @param cwd Directory whose sessions are searched first.
   * @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`
   */
  find(ref: string, cwd?: string): SessionFolder {
    return cwd === undefined
      ? findSession(this.root, ref, { whole: this.#whole_ids })
      : findFromDirectory(this.root, ref, realDirectory(cwd));
  }

  /**
   * Reads a session: summary, transcript and conversation.
   *
   * @param ref An id or its first characters.
   * @param options What the conversation includes, and who gets the diagnostics.
   * @throws {SessionError} `not-found`, `ambiguous`, `permission`, `io`
   */
  async load(
    ref: string,
    options: LoadOptions & Omit<ConversationOptions, "partial"> = {},
  ): Promise<LoadedSession> {
    checkLoading(options);
    const folder = this.find(ref);
    const { loadFindings } = await import("./load_session.ts");
    return {
      summary: await this.summarize(folder),
      ...await loadFindings(folder.path, options),
    };
  }

  /**
   * Lists sessions, the most recently updated first. Reads only the start and end of each log
   * unless `exact` is set. Leaves out sessions of subagents unless `subagents` is set.
   *
   * @param options The sessions to list.
   * @throws {SessionError} `permission`, `io`
   */
  async list(options: ListOptions = {}): Promise<Summary[]> {
    checkListing(options);
    return await listSessions(this.root, inRealDirectory(options), this.#summaries);
  }

  /** Returns the session that was updated last, of one directory or of all. */
  async last(
    options: Pick<ListOptions, "cwd" | "subagents" | "signal"> = {},
  ): Promise<Summary | undefined> {
    checkLast(options);
    return (await this.list({ ...options, limit: 1 }))[0];
  }

  /**
   * Returns the summary of one session, without its marks if these cannot be read.
   *
   * @param onError Receives the error if the marks cannot be read. @default {nothing}
   * @throws {SessionError} `not-found` if the session's log is gone.
   */
  async summarize(
    folder: SessionFolder,
    onError: (error: SessionError) => void = () => {},
  ): Promise<Summary> {
    const marks = readMarks(this.root, onError);
    const row = await summarizeSession(folder, marks, { cache: this.#summaries });
    if (row !== undefined) return withSums(row, await this.#subagents.below(folder));
    const message = `Cannot read session: the session's folder has no log: ${folder.directory}`;
    throw new SessionError("not-found", message, { path: folder.path });
  }

  /** Reads a session's events in batches, in their order. */
  events(ref: string, options: EventsOptions = {}): AsyncIterable<readonly LogEvent[]> {
    checkEvents(options);
    const { path } = this.find(ref);
    return options.undone === "omit" ? readMainPath(path) : readEvents(path);
  }

  /**
   * Yields a session's events, and then each event that is appended.
   *
   * @param ref An id or its first characters.
   * @param options The first event to yield, and a signal that ends the stream.
   */
  watch(ref: string, options: WatchOptions = {}): AsyncGenerator<LogEvent[]> {
    checkNames<WatchOptions>("watch session", options, WATCH_OPTIONS);
    return watchEvents(this.find(ref).path, options);
  }

  /** Sets the title of a session. An empty title restores the first title or the first message. */
  async rename(ref: string, title: string): Promise<"log" | "mark"> {
    return await this.#annotate(ref, { title });
  }

  /** Archives or unarchives a session. Returns the changed file: the log or `marks.jsonl`. */
  async archive(ref: string, archived = true): Promise<"log" | "mark"> {
    return await this.#annotate(ref, { archived });
  }

  async #annotate(ref: string, change: LogAnnotation): Promise<"log" | "mark"> {
    // A session at rest stays known as open.
    const resume = (id: string): Promise<Session> => this.#resume(id);
    const store = { root: this.root, now: this.now, resume, open: this.#open };
    return await annotate(store, this.find(ref).session_id, change);
  }

  /**
   * Moves a session and its subagents' sessions to the trash folder. Nothing is deleted.
   *
   * @throws {SessionError} `not-found`, `ambiguous`, `locked`, `permission`, `io`
   */
  async remove(ref: string): Promise<Tombstone> {
    assertSafeStore(this.root);
    const folder = this.find(ref);
    const subagents = await this.#subagents.foldersBelow(folder);
    this.#open.assertNone("remove session", [folder, ...subagents]);
    const family = { folder, title: await this.summarize(folder), subagents };
    return await removeFamily(this.root, family, this.#holder());
  }

  /**
   * Moves the sessions that are over a limit to the trash, and deletes unfinished sessions that
   * killed processes left.
   *
   * @throws {SessionError} `unsafe-store`, `permission`, `io`: of the store as a whole.
   */
  async prune(options: PruneOptions): Promise<PruneReport> {
    checkPruning(options);
    assertSafeStore(this.root);
    const { pruneSessions } = await import("./trash/prune_sessions.ts");
    const means = { cache: this.#summaries, holder: this.#holder(), isOpen: this.#open.has };
    return await pruneSessions(this.root, inRealDirectory(options), means);
  }

  /**
   * True if the store may be over a limit, judged by names and sizes. False proves that it is not.
   *
   * @throws {SessionError} `permission`, `io`: of the store as a whole.
   */
  async mayExceed(limits: Pick<PruneOptions, "before" | "max_bytes">): Promise<boolean> {
    return await Promise.resolve(mayExceed(this.root, limits));
  }

  /**
   * Finds a session in the trash by the id's first characters.
   *
   * @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`
   */
  findInTrash(ref: string): TrashEntry {
    return findInTrash(this.root, ref, this.#whole_ids);
  }

  /** Returns the sessions in the trash, the last removed first. */
  trash(): TrashEntry[] {
    return listTrash(this.root);
  }

  /**
   * Moves a session from the trash back to its place, with the subagents that were removed with it.
   *
   * @throws {SessionError} `not-found`, `ambiguous` (also where its id is taken again), `locked`,
   * `unsafe-store`, `permission`, `io`
   */
  async restore(ref: string): Promise<RestoredSession> {
    assertSafeStore(this.root);
    return await restoreFamily(this.root, this.findInTrash(ref).session_id, this.#holder());
  }

  /**
   * Deletes sessions in the trash for good.
   *
   * @returns What was deleted.
   * @throws {SessionError} `unsafe-store`; `permission`, `io` if the trash folder is inaccessible.
   */
  async emptyTrash(options: EmptyTrashOptions = {}): Promise<TrashEntry[]> {
    checkNames<EmptyTrashOptions>("empty trash", options, EMPTY_OPTIONS);
    assertSafeStore(this.root);
    const { emptyTrash } = await import("./trash/empty_trash.ts");
    return await emptyTrash(this.root, options, this.#holder());
  }

  /**
   * Imports a session of another agent or store. The new session is visible once it is complete.
   *
   * @param source The session's origin and its events.
   * @throws {SessionError} `unsupported-source` if the source has no events, or no directory is
   * known; `unsafe-store`, `permission`, `disk-full`, `sync-failed`, `io`
   */
  async import(source: ImportSource): Promise<ImportedSession> {
    assertSafeStore(this.root);
    const { importSession } = await import("./import/import_session.ts");
    const place = { root: this.root, now: this.now, newId: this.#newId, holder: this.#holder() };
    return await importSession(place, source);
  }

  /**
   * Copies a session's events to a new session. The original is only read, and may have a writer.
   * The fork is not archived, and has no marks such as pins and tags. The fork is visible once it
   * is complete.
   *
   * @param source An id or its first characters; or a session as a list shows it.
   * @param options The last event to copy, and the fork's title.
   * @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`, `exists`, `damaged`,
   * `unsafe-store`, `disk-full`, `permission`, `sync-failed`, `io`
   */
  async makeFork(source: string | CopySource, options: CopyOptions = {}): Promise<ForkedSession> {
    checkNames<CopyOptions>("fork session", options, COPY_OPTIONS);
    assertSafeStore(this.root);
    const { copyFork } = await import("./copy/store_copies.ts");
    return await copyFork(await this.#copySource(source), this.#planned, options);
  }

  /**
   * Copies a session's events to a new session and opens that. The original is only read.
   *
   * @param ref An id or its first characters.
   * @param options The last event to copy, and the fork's title.
   * @throws {SessionError} As `makeFork` and `resume`.
   */
  async fork(ref: string, options: ForkOptions = {}): Promise<Session> {
    checkFork(options);
    this.find(ref);
    return await this.resume((await this.makeFork(ref, options)).session_id);
  }

  /**
   * Merges several sessions into a new one, turn by turn, in the order in which the turns began.
   * The originals are only read.
   *
   * @param sources Ids or their first characters; or sessions as a list shows them.
   * @param options The new session's title and directory.
   * @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`, `damaged`, `unsafe-store`,
   * `disk-full`, `permission`, `io`
   */
  async merge(
    sources: readonly (string | CopySource)[],
    options: MergeOptions = {},
  ): Promise<MergedSession> {
    checkNames<MergeOptions>("merge sessions", options, MERGE_OPTIONS);
    assertSafeStore(this.root);
    const { copyMerged } = await import("./copy/store_copies.ts");
    const from: CopySource[] = [];
    for (const source of sources) from.push(await this.#copySource(source));
    return await copyMerged(from, this.#planned, options);
  }

  async #copySource(source: string | CopySource): Promise<CopySource> {
    return typeof source === "string" ? await this.summarize(this.find(source)) : source;
  }

  readonly #planned = (cwd: string, wanted = this.#newId()): NewLog => {
    const { root } = this;
    const parts = { root, created: this.now(), newId: this.#newId, holder: this.#holder() };
    return plannedLog(parts, cwd, wanted);
  };

  #holder(): LockHolder {
    return { pid: processId(), host: hostName(), since: timeOf(this.now) };
  }
}

function inRealDirectory<Options extends { cwd?: string | undefined }>(options: Options): Options {
  const { cwd } = options;
  return cwd === undefined ? options : { ...options, cwd: realDirectory(cwd) };
}
