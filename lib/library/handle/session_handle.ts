/** A session on this machine, of any agent. */
import { basename, dirname } from "node:path";
import type { AgentName } from "../../core/event/agent_name.ts";
import type { LogEvent } from "../../core/event/envelope.ts";
import { SessionError } from "../../core/event/session_error.ts";
import type { Report } from "../../core/log/diagnostic.ts";
import type { Message } from "../../core/event/message.ts";
import { present } from "../../core/event/present.ts";
import type { Conversation } from "../../core/projection/conversation/conversation.ts";
import type { SessionContext } from "../../core/projection/context.ts";
import { foldBatches } from "../../core/projection/projection.ts";
import { foldConversation } from "../../agents/engine/fold_conversation.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import type { UsageRow } from "../../core/projection/usage_rows.ts";
import type { Estimate } from "../../core/projection/priced_tokens.ts";
import { withMarks } from "../../core/store/marks.ts";
import { isWithin } from "../../core/store/relinks.ts";
import { fileState } from "../../core/store/import/source_state.ts";
import { LOG_FILE, sessionsDirectory } from "../../core/store/session_folder.ts";
import type { CatalogueOptions } from "../catalogue/catalogue_options.ts";
import type { SeenState } from "../catalogue/session_state.ts";
import { locateById } from "../machine/locators.ts";
import { type LibraryPlace, marksIn, type SessionPlace } from "../catalogue/library_place.ts";
import { type OnProgress, reportingProgress } from "./read_progress.ts";
import { descriptorOf, loadAgent, openReader } from "../machine/registry.ts";
import type {
  AgentConversationOptions,
  AgentReadOptions,
  AgentSession,
  AgentSummaryOptions,
  AgentTailOptions,
  AgentThreadsOptions,
  AgentWatchOptions,
  SessionReader,
  SourceAccount,
  ThreadEvents,
} from "../../agents/contract/agent.ts";
import { checkedResumeCommand, type ResumeCommand } from "../../agents/contract/resume_command.ts";
import type { RefPlace } from "../../core/store/ref.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import type { SessionThread } from "../../core/projection/session_thread.ts";
import { emptyAccount } from "../../agents/contract/source_account.ts";
import { LiveSessions } from "./live_sessions.ts";
import { openCounted, readCounted, type ResumedReading } from "../counts/session_count.ts";
import { assertStanding } from "../machine/standing.ts";
import type { SessionRowsOptions, Spent } from "../counts/usage/usage_sums.ts";
import type { SessionTail } from "./session_tail.ts";

/** Number of bytes below which reading a whole session takes about as long as reading its end. */
const SHORT_BYTES = 1024 * 1024;

/** Options to read a session's events: the agent's read options, and a function for progress. */
export interface SessionReadOptions extends Omit<AgentReadOptions, "in_force"> {
  /** Called with the number of bytes read and the total bytes of the session's file. */
  onProgress?: OnProgress;
}

/**
 * A session that can be read, whichever agent keeps it. A {@linkcode Library} opens it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openStore } from "@reprise/reprise";
 * import { openLibrary } from "@reprise/reprise/library";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const session = openStore({ root }).create({ cwd: root });
 * await session.append({ kind: "user_message", payload: { content: "Hello" } });
 *
 * const library = openLibrary({ root, variable: () => undefined });
 * const handle = await library.open(session.id);
 * assert.equal((await handle.conversation()).messages.length, 1);
 * assert.deepEqual((await handle.threads()).map(({ kind }) => kind), ["main"]);
 * await session.finish();
 * await rm(root, { recursive: true });
 * ```
 */
export class SessionHandle {
  /** The session's reference as output and error messages show it. */
  readonly ref: string;
  /** The session's address, as its agent's locator found it. */
  readonly session: AgentSession;
  /** The number of the event that the reference names; absent if it names none. */
  readonly seq?: number;
  /** The record that the reference names, if its event was not looked up yet. */
  readonly record?: string;
  /** The thread that the reference names; absent if it names none. */
  readonly thread?: string;
  readonly #reader: SessionReader;
  readonly #root: string | undefined;
  readonly #place: LibraryPlace | undefined;
  readonly #kept: CatalogueOptions;

  /**
   * Stores the reader of an opened session. Only a {@linkcode Library} calls this constructor.
   *
   * @internal
   * @param reader The session's reader.
   * @param root The data root.
   * @param place The reference, with the event, record or thread that it names.
   */
  constructor(reader: SessionReader, root: string | undefined, place: SessionPlace = {}) {
    const { session } = reader;
    this.#reader = reader;
    this.#root = root;
    this.#place = place.place;
    this.#kept = place.kept ?? {};
    this.session = session;
    this.ref = place.ref ?? sessionRef(session);
    if (place.seq !== undefined) this.seq = place.seq;
    if (place.record !== undefined) this.record = place.record;
    if (place.thread !== undefined) this.thread = place.thread;
  }

  /**
   * Returns a handle for the first event of the record that the reference names. Reads the whole
   * session to find the event. Returns this handle if the reference names no record.
   *
   * @throws {SessionError} `not-found`, `ambiguous`; or an error of reading the session
   */
  async atEvent(): Promise<SessionHandle> {
    const { record } = this;
    if (record === undefined) return this;
    const { findRecord } = await import("./find_record.ts");
    return this.at(await findRecord(this, record));
  }

  /** Returns a handle for another event or thread of the session. */
  at({ seq, thread = this.thread }: Pick<RefPlace, "seq" | "thread">): SessionHandle {
    return new SessionHandle(
      this.#reader,
      this.#root,
      present({ ref: this.ref, kept: this.#kept, seq, thread, place: this.#place }),
    );
  }

  /** The name of the agent that keeps the session. */
  get agent(): AgentName {
    return this.session.agent;
  }

  /** The agent's name as its makers write it. */
  get agent_title(): string {
    return descriptorOf(this.agent).title;
  }

  /** The id by which the agent knows the session. */
  get id(): string {
    return this.session.id;
  }

  /** Absolute path of the session's log, of its database, or of the main file in its folder. */
  get path(): string {
    return this.session.path;
  }

  /** The shortest reference: a prefix of the id for a session in the store, else `ref`. */
  get short_ref(): string {
    return this.writable ? this.id.slice(0, 8) : this.ref;
  }

  /** The path of the log if the session is in Reprise's format; undefined for other formats. */
  get log(): string | undefined {
    return this.#reader.log?.path;
  }

  /** True if {@linkcode SessionHandle.bytes} can be read: for Reprise logs, encrypted or not. */
  get has_bytes(): boolean {
    return this.#reader.log !== undefined;
  }

  /** True if the session lies in the store, so that it can be continued, renamed and deleted. */
  get writable(): boolean {
    if (this.log === undefined || this.#root === undefined) return false;
    return isWithin(this.path, sessionsDirectory(this.#root));
  }

  /**
   * Reads the session's row for a list, with the user's title, tags and note.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  async summary({ exact = false }: AgentSummaryOptions = {}): Promise<Summary> {
    const recorded = await this.#reader.summarize({ exact });
    const { path } = this;
    if (recorded !== undefined) {
      const row = this.#place === undefined
        ? recorded
        : await new LiveSessions(this.#place).withStatus(this.session, recorded);
      // Marks that cannot be read do not hide a session: lists report them.
      const marked = withMarks(row, marksIn(this.#root, () => {}));
      // The id of a log outside the store cannot be looked up.
      return this.log === undefined || this.writable
        ? marked
        : { ...marked, ref: this.session.ref ?? path };
    }
    throw new SessionError("not-found", `Cannot find a session in ${path}`, { path });
  }

  /** Lists the session's threads, the main thread first. */
  async threads(): Promise<SessionThread[]> {
    return await this.#reader.threads();
  }

  /** Returns the tokens and cost of each thread, by thread id. */
  async spentByThreads(estimate?: Estimate): Promise<Map<string, Spent>> {
    const { spentByThreads } = await import("../counts/usage/session_usage.ts");
    return await spentByThreads(this.#reader, estimate);
  }

  /**
   * Adds up the usage of all threads by day and model. Days are in UTC without `dayOf`. Responses
   * that other sessions share are counted too; `usageOf` counts them once.
   */
  async usage(options: Partial<SessionRowsOptions> = {}): Promise<UsageRow[]> {
    const [{ sessionUsage }, { utcDay }] = await Promise.all([
      import("../counts/usage/session_usage.ts"),
      import("../counts/usage/usage_sums.ts"),
    ]);
    const rows = { dayOf: utcDay, ...options };
    return await sessionUsage(this.#reader, rows, this.#kept);
  }

  /**
   * Reads the events of a thread: of `options.thread`, else the reference's thread, else the main
   * thread. A whole read stores counts for lists, and resume points for other processes.
   */
  events({ onProgress, ...options }: SessionReadOptions = {}): AsyncIterable<readonly LogEvent[]> {
    const threaded = this.#threaded(options);
    const events = threaded.before_seq === undefined
      ? readCounted(this.#kept, this.#reader, threaded)
      : this.#eventsBefore(threaded);
    if (onProgress === undefined) return events;
    return reportingProgress(events, fileState(this.path).bytes, onProgress);
  }

  /**
   * Opens a thread so that it can be read from several points. Returns undefined if the session can
   * only be read from its beginning, with {@linkcode SessionHandle.events}.
   *
   * @internal
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  async openReading(options: AgentReadOptions = {}): Promise<ResumedReading | undefined> {
    return await openCounted(this.#kept, this.#reader, this.#threaded(options));
  }

  /**
   * Reads the bytes of the session's log. A chunk is valid until the next chunk is requested.
   *
   * @throws {SessionError} `unsupported-source` if the session's file is not a Reprise log
   */
  bytes(): AsyncIterable<Uint8Array> {
    const { path } = this;
    if (this.#reader.log !== undefined) return this.#reader.log.bytes();
    const message = `Cannot copy session: its file is not a Reprise log: ${path}`;
    throw new SessionError("unsupported-source", message, { path });
  }

  /**
   * Checks the backup of the session's source, file by file.
   *
   * @returns A text for each problem; undefined if nothing was backed up.
   */
  async checkBackup(): Promise<string[] | undefined> {
    if (this.log === undefined || basename(this.log) !== LOG_FILE) return undefined;
    const directory = dirname(this.log);
    const { checkSourceCopy, hasSourceCopy } = await import(
      "../../core/store/import/source_copy.ts"
    );
    return hasSourceCopy(directory) ? await checkSourceCopy(directory) : undefined;
  }

  /** Reads the events of all threads, each record once. */
  allEvents(options: AgentThreadsOptions = {}): AsyncIterable<ThreadEvents> {
    return this.#reader.readThreads(options);
  }

  /** Reads at least the last `messages` messages, and no more events than the format requires. */
  async tail(
    messages: number,
    options: Omit<AgentTailOptions, "messages"> = {},
  ): Promise<readonly LogEvent[]> {
    return await this.#reader.readTail({ ...this.#threaded(options), messages });
  }

  /** True if the session's end can be read alone. False only for encrypted logs. */
  get has_tail(): boolean {
    return !this.#is_sealed;
  }

  /**
   * True if reading only the session's end is much faster than reading the whole session. The
   * events of the end then have no event numbers of the whole session. False for Reprise logs,
   * because their events store the numbers.
   */
  get has_long_end(): boolean {
    return this.has_tail && this.log === undefined && fileState(this.path).bytes > SHORT_BYTES;
  }

  /**
   * Reads only the last messages. Requires {@linkcode SessionHandle.has_long_end}. Event numbers
   * and other threads are known only if the whole session was read before.
   */
  async readEnd(options: AgentTailOptions): Promise<SessionTail> {
    const { readEnd } = await import("./session_tail.ts");
    return await readEnd(this.#reader, this.#kept, this.#threaded(options));
  }

  /**
   * Reads only the session's end. The reference must name an event or a record, and the end must
   * contain it. Requires that {@linkcode SessionHandle.has_long_end} is true.
   *
   * @returns The end, and the number of the named event there. Undefined if the whole session must
   * be read.
   * @throws {SessionError} `ambiguous`; or an error of reading the session
   */
  async readEndAtPlace(
    options: Omit<AgentTailOptions, "messages"> = {},
  ): Promise<SessionTail & { seq: number } | undefined> {
    const { readEndAt } = await import("./session_tail.ts");
    return await readEndAt(this, this.#reader, this.#kept, this.#threaded(options));
  }

  /** Builds the conversation that the agent would send to its model next. */
  async conversation(options: AgentConversationOptions = {}): Promise<Conversation> {
    const threaded = this.#threaded(options);
    const { log } = this.#reader;
    return log?.path === undefined
      ? await foldConversation(this.#reader, threaded)
      : await log.conversation(threaded);
  }

  /** Measures the model's context, and content removed by compactions. Reads the whole session. */
  async context(
    options: Pick<AgentReadOptions, "report" | "thread"> = {},
  ): Promise<SessionContext> {
    const { contextOf } = await import("../../core/projection/context.ts");
    const projection = contextOf();
    return await foldBatches(projection, this.events({ ...options, needs: projection.needs }));
  }

  /**
   * Reads the messages that the agent would send to its model next, oldest first, in batches. If
   * the format allows, not all messages are held in memory. A tool call without a result delays
   * later messages, up to about 4 million characters. Then the call counts as unanswered.
   */
  messages(options: AgentConversationOptions = {}): AsyncIterable<readonly Message[]> {
    return this.#reader.messages(this.#threaded(options));
  }

  /** Reports all faults of the session, and accounts for each of its bytes or rows. */
  async verify(report: Report): Promise<SourceAccount> {
    const { log } = this.#reader;
    if (log !== undefined) return await log.verify(report);
    const account = emptyAccount();
    for await (const _ of readCounted(this.#kept, this.#reader, { report, account }));
    return account;
  }

  /** Yields the session's events, then events that the agent adds, until the signal aborts. */
  async *watch(options: AgentWatchOptions = {}): AsyncGenerator<LogEvent[]> {
    const threaded = this.#threaded(options);
    const { log } = this.#reader;
    if (log?.path !== undefined) return yield* log.watch(threaded);
    const { followSession } = await import("./follow/follow_session.ts");
    yield* followSession(this.#reader, {
      ...threaded,
      relocate: async () => {
        const moved = this.#place &&
          await locateById(this.agent, this.#place.environment, this.id);
        return moved && await openReader(moved);
      },
    });
  }

  /** Yields at once, then at each change of files or marks, until the signal aborts. Reads nothing. */
  async *changes(signal: AbortSignal): AsyncGenerator<void> {
    const { sessionChanges } = await import("./follow/session_changes.ts");
    yield* sessionChanges(this.#reader, this.#root, signal);
  }

  /** Returns the state of the session's files and marks, which shows changes. @internal */
  async state(): Promise<SeenState | undefined> {
    const follow = await import("./follow/session_changes.ts");
    return await follow.stateOfSession(this.#reader, this.#root);
  }

  /** Lists the files that hold only this session, its log first; none if it is in a database. */
  async files(): Promise<string[]> {
    // A session has different bytes each time that it is encrypted.
    if (this.#is_sealed) return [];
    const { sourceFiles } = await import("../../agents/engine/files/session_files.ts");
    return await sourceFiles(await loadAgent(this.agent), this.session);
  }

  /**
   * Returns the command that continues the session in its own agent; undefined if there is none.
   *
   * @throws {SessionError} `unsupported-source` if the id does not have the agent's form;
   * `not-found` if only a copy is kept
   */
  resumeCommand(): ResumeCommand | undefined {
    assertStanding(this.session, this.#root, this.ref);
    // An encrypted log is read, and never continued.
    const command = this.#is_sealed
      ? undefined
      : descriptorOf(this.agent).resumeCommand(this.session);
    return command && checkedResumeCommand(this.agent_title, this.session, command);
  }

  async *#eventsBefore(options: AgentReadOptions): AsyncGenerator<readonly LogEvent[]> {
    const { readFromPlace } = await import("./read_from_place.ts");
    yield* await readFromPlace(this.#kept, this.#reader, options) ?? this.#reader.read(options);
  }

  get #is_sealed(): boolean {
    const { log } = this.#reader;
    return log !== undefined && log.path === undefined;
  }

  #threaded<Options extends { thread?: string | undefined }>(options: Options): Options {
    const thread = options.thread ?? this.thread;
    return thread === undefined ? options : { ...options, thread };
  }
}
