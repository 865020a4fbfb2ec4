/**
 * A session that is being kept: the one handle that appends to its log.
 *
 * @module
 */
import type { Event, NewEvent } from "../event/envelope.ts";
import type { PayloadByKind } from "../event/payload.ts";
import { isSessionError, type SessionError } from "../event/session_error.ts";
import type { Diagnostic } from "../log/diagnostic.ts";
import type {
  RunningConversation,
  SentConversation,
  SentOptions,
} from "../projection/conversation/running_conversation.ts";
import type { Finding } from "../projection/projection.ts";
import { type LogSummary, summary } from "../projection/summary.ts";
import type { MessageShape, ShapedMessages } from "../../text/shape/message_shape.ts";
import { CallLedger } from "./append_rules.ts";
import {
  branchOf,
  checkAlone,
  checkDrafts,
  checkedDraft,
  checkSubagent,
  closingOf,
  hasBegun,
  isClosed,
  isDescription,
  labelOf,
  mustSync,
  refusing,
  utcTime,
} from "./checked_arguments.ts";
import { compactionOf } from "./compaction.ts";
import type { SubagentOptions } from "./store_options.ts";
import { LogAccess } from "./log_access.ts";
import { HeldEvents } from "./held_events.ts";
import { OffDisk } from "./off_disk.ts";
import { OpenConversation } from "./open_conversation.ts";
import { encodeLine, type NumberedLine } from "./session_line.ts";
import type { Appended, CompactOptions, SessionParts } from "./session_parts.ts";
import { SessionRecord } from "./session_record.ts";
import { type SubagentHome, SubagentSessions } from "./subagent_sessions.ts";
import { endOfSubagent } from "./subagents.ts";
import { appendedLast } from "./spent.ts";
import { Turn } from "./turn.ts";

export interface SessionHome extends SubagentHome<Session> {
  /** Forgets a session that ended. */
  ended(session: Session): void;
}

/**
 * A session to append to. The first event that does more than describe the session creates its log.
 * Until then, events are held in memory. Made by {@linkcode Store}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openStore } from "@reprise/reprise";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const store = openStore({ root });
 * {
 *   const session = store.create({ cwd: root });
 *   const first = await session.append({ kind: "user_message", payload: { content: "hi" } });
 *   assert.deepEqual(first, { seq: 2, state: "synced" });
 *   await session.finish();
 * }
 * assert.equal((await store.last({ cwd: root }))?.status, "completed");
 * await rm(root, { recursive: true });
 * ```
 */
export class Session implements AsyncDisposable {
  /** The session's id: a UUID v4, or the id that its program gave. */
  readonly id: string;
  /** Path of the log. The file is made when the first event comes that is not held in memory. */
  readonly path: string;
  /** The reason why `continueLast` began this session: the newest session cannot be read. */
  skipped?: SessionError;
  readonly #durability: SessionParts["durability"];
  readonly #now: () => Date;
  readonly #access: LogAccess;
  readonly #home: SessionHome;
  readonly #subagents: SubagentSessions<Session>;
  readonly #held: HeldEvents;
  readonly #record: SessionRecord;
  readonly #calls: CallLedger;
  readonly #conversation: OpenConversation;
  /** True if the session began here, and not in an earlier process. */
  readonly #began: boolean;
  #degraded = false;
  readonly #off: OffDisk;
  /** The end of the session; undefined until the session is closed or released. */
  #ending: Promise<void> | undefined;

  /**
   * Connects the parts of a session. For the store alone: use `create` or `resume` of a {@linkcode
   * Store}.
   *
   * @param parts What the store puts together.
   * @param home The store.
   */
  constructor(parts: SessionParts, home: SessionHome) {
    this.id = parts.id;
    this.path = parts.path;
    this.#durability = parts.durability;
    this.#began = parts.create !== undefined;
    this.#now = parts.now;
    this.#access = new LogAccess(parts, (events) => this.#record.take(events));
    this.#home = home;
    this.#subagents = new SubagentSessions(home, parts.subagents);
    this.#conversation = new OpenConversation(parts.read);
    this.#record = new SessionRecord(parts.state, this.#conversation, parts.since_checkpoint);
    this.#calls = new CallLedger(parts.create !== undefined);
    this.#held = new HeldEvents(parts.header, parts.now);
    this.#off = new OffDisk(this.#access, this.#conversation, this.#subagents);
  }

  /** True while the session has an open log and is not detached. */
  get on_disk(): boolean {
    return this.#access.log !== undefined && !this.#off.is_off;
  }

  get #logPath(): string | undefined {
    return this.#access.is_readable ? this.path : undefined;
  }

  /** True if the last append or sync failed. The next append tries again. */
  get degraded(): boolean {
    return this.#degraded;
  }

  /** Sequence number of the last event in the log; 0 if the session has no log yet. */
  get last_seq(): number {
    return this.#record.state.last_seq ?? 0;
  }

  /**
   * Appends an event. If the log is open, the write has been made when this returns. The result
   * says how safely the event is stored. The first append opens the log, which may take time for
   * its lock; later appends are written after it. A field with the value `undefined` counts as
   * absent.
   *
   * @param event Kind and payload; `time` is now unless given.
   * @returns The event's number and state.
   * @throws {SessionError} As a rejection. `invalid-event`: the payload does not fit, or readers
   * would ignore it; `closed`, `too-large`, `disk-full`, `permission`, `io`: the event is not kept;
   * `sync-failed`: it is written, though perhaps not on the disk.
   */
  async append(event: NewEvent): Promise<Appended> {
    checkAlone(arguments);
    return (await this.appendAll([event]))[0] as Appended;
  }

  /**
   * Appends a list of events, such as `fromMessages` returns, in one write and one sync. If one
   * event is invalid or the disk is full, appends none of them. You can then append the list again.
   *
   * Two faults may leave the first events in the log. One is a crash. The other is a failed write
   * after which the log cannot be truncated. `last_seq` then counts these events.
   *
   * @param events In order. An empty list appends nothing.
   * @returns The number and state of each event.
   * @throws {SessionError} As `append`.
   */
  async appendAll(events: readonly NewEvent[]): Promise<Appended[]> {
    checkDrafts(events);
    if (this.#ending !== undefined) throw isClosed("append event");
    if (events.length === 0) return [];
    const [head, ...rest] = events;
    if (this.#access.is_new && head?.kind === "session_started" && rest.length > 0) {
      const append = (): Promise<Appended[]> => this.appendAll(rest);
      return await this.#held.behindHead(head, append, () => this.#access.log !== undefined);
    }
    if (this.#access.is_new && events.every(isDescription)) {
      return events.map((event) => this.#held.hold(event));
    }
    const write = this.#write(events);
    const first = typeof write === "number" ? write : await write;
    const must = events.some(({ kind }) => mustSync(this.#durability, kind));
    if (must) await this.#syncTo(first + events.length - 1);
    const state = this.#off.is_off ? "memory" : must ? "synced" : "written";
    return events.map((_, index) => ({ seq: first + index, state }));
  }

  /**
   * Resolves when all that was appended is on the disk. Resolves at once while the session is
   * detached, because its new events are only in memory.
   *
   * @throws {SessionError} `sync-failed`
   */
  async sync(): Promise<void> {
    await this.#access.idle();
    await this.#syncTo(this.last_seq);
  }

  /**
   * The session's facts so far, for a list: title, counts, tokens, models. Usage and cost include
   * the subagents; `main` has the session's own. A title that another process gave to the open
   * session is not included, but lists show it.
   */
  get summary(): LogSummary {
    return this.#subagents.addTo(summary().result(this.#record.state));
  }

  /**
   * Begins the session of a subagent, in the same directory. Lists leave it out, and its usage and
   * cost count for this session, too. `finish` of the subagent archives it, and `store.remove`
   * removes it with this session. A subagent stays open when this session ends: call `finish` or
   * `release` of each. After a crash, `resumeSubagent` opens it again.
   *
   * @param options The title, and facts about the session's beginning. `app` and `git` are those of
   * this session unless given.
   * @throws {SessionError} `closed`, `invalid-event`, `unsafe-store`
   *
   * @example
   * ```ts
   * import assert from "node:assert/strict";
   * import { memoryStore } from "@reprise/reprise";
   *
   * const store = memoryStore();
   * const session = store.create({ cwd: "/home/ada/src" });
   * await session.turn().user("Why is the test red?");
   * const sub = session.subagent({ title: "Read the log" });
   * await sub.turn().user("Read the log");
   * await sub.turn().assistant({ text: "A port is taken.", cost_usd: 0.01 });
   * await sub.finish();
   * assert.equal(session.summary.cost_usd, 0.01);
   * assert.equal((await store.list()).length, 1);
   * assert.equal((await store.list({ subagents: true })).length, 2);
   * ```
   */
  subagent(options: SubagentOptions = {}): Session {
    checkSubagent(options);
    if (this.#ending !== undefined) throw isClosed("begin subagent");
    const started = this.#held.started ?? this.#record.state.started;
    const subagent = this.#subagents.begin(this.id, started, options);
    this.#off.adopt(subagent.#off, subagent);
    return subagent;
  }

  /**
   * Opens the session of an earlier subagent to append. Its cost counts for this session as it
   * grows. If `store.resume` opened the subagent's session, its cost counts only once this session
   * is resumed, too.
   *
   * @param ref The subagent's session id, as in `store.list({ subagents: true })`; or a reference
   * by the rules of the store.
   * @throws {SessionError} `closed`; `invalid-argument` for a session that is no subagent of this
   * one; as `store.resume`
   *
   * @example
   * ```ts
   * import assert from "node:assert/strict";
   * import { memoryStore } from "@reprise/reprise";
   *
   * const store = memoryStore();
   * const session = store.create({ cwd: "/home/ada/src" });
   * await session.turn().user("Why is the test red?");
   * const { id } = session.subagent({ title: "Read the log" });
   * await assert.rejects(session.resumeSubagent(id)); // it has no event yet
   * ```
   */
  async resumeSubagent(ref: string): Promise<Session> {
    if (this.#ending !== undefined) throw isClosed("resume subagent");
    const subagent = await this.#subagents.resume(ref, this.id);
    this.#off.adopt(subagent.#off);
    return subagent;
  }

  /**
   * Returns the conversation that is sent to the model next. The first call reads the log, from the
   * current compaction on. Later calls only add the events that were appended.
   *
   * @param options The parts to leave out. @default {tools and reasoning are included}
   * @returns Messages with the numbers of their events. Later appends never change them; copy a
   * message to change it. The findings have calls without a result, and damage of the log.
   * @throws {SessionError} `not-found`, `permission`, `io`
   */
  async conversation(
    options: SentOptions = {},
  ): Promise<SentConversation<Finding | Diagnostic>> {
    await this.#access.idle();
    return await this.#conversation.conversation(this.#logPath, options);
  }

  /**
   * Reads the last `workspace_snapshot` from the log; undefined if there is none. An event that is
   * still held in memory is not in the log.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`
   */
  async workspace(): Promise<PayloadByKind["workspace_snapshot"] | undefined> {
    return await this.#conversation.workspace(this.#logPath);
  }

  /**
   * Returns the conversation in a provider's shape, ready to be sent. You may change the result, such
   * as by adding cache marks: later requests are not affected.
   *
   * @param shape Name of the provider's form of messages, or `plain`.
   * @param options The parts to leave out. @default {tools and reasoning are included}
   * @throws {SessionError} `not-found`, `permission`, `io`
   */
  async request<Shape extends MessageShape>(
    shape: Shape,
    options: SentOptions = {},
  ): Promise<ShapedMessages[Shape]> {
    await this.#access.idle();
    return await this.#conversation.request(this.#logPath, shape, options);
  }

  /**
   * Replaces the conversation so far by a summary, or by given messages. Nothing is removed from
   * the log. A later result of a replaced call is refused, because the model would not get it. A
   * cost in `spent` and the compaction are one write. A crash may keep only the cost.
   *
   * @param options The summary, and the messages to keep as they are; or messages. `spent` says
   * what the compaction cost.
   * @throws {SessionError} `invalid-event` for `messages` with `summary` or `keep_…`, for a
   * `keep_from` that names no message, and if nothing is left for the model. To empty the
   * conversation, give `messages: []`.
   *
   * @example
   * ```ts
   * import assert from "node:assert/strict";
   * import { memoryStore } from "@reprise/reprise";
   *
   * const session = memoryStore().create({ cwd: "/home/ada/src" });
   * for (const prompt of ["One", "Two", "Three"]) await session.turn().user(prompt);
   * await session.compact({ summary: "They counted.", keep_last: 1, trigger: "auto" });
   * const { messages } = await session.conversation();
   * assert.deepEqual(messages.map(({ content }) => content), ["They counted.", "Three"]);
   * assert.deepEqual(messages.map(({ summary }) => summary), [true, undefined]);
   * ```
   */
  async compact(options: CompactOptions): Promise<Appended> {
    const fold = (): Promise<RunningConversation> => this.#conversation.fold(this.#logPath);
    return await appendedLast(this, await compactionOf(options, this.last_seq, fold));
  }

  /**
   * Continues from an earlier event. The conversation is what it was after that event. Nothing is
   * removed. Later events become a thread. To continue this thread, branch from its last event. A
   * call that had no result at the earlier event is open again.
   *
   * @param from_seq The event to continue from, such as the `end_seq` of a message; 1 to begin
   * anew.
   * @param reason The reason, in a few words. @default {none}
   * @throws {SessionError} `invalid-event` if `from_seq` names no event; as `append`
   */
  async branch(from_seq: number, reason?: string): Promise<Appended> {
    return await this.append(branchOf(from_seq, reason));
  }

  /**
   * Labels an event. The latest label of an event wins. An empty label removes it.
   *
   * @param target_seq The event, on any branch.
   * @param label Any text, shown on one line. @default {none}
   * @throws {SessionError} `invalid-event` if `target_seq` names no event; as `append`
   */
  async label(target_seq: number, label?: string): Promise<Appended> {
    return await this.append(labelOf(target_seq, label));
  }

  /**
   * Begins a turn, which gives its events the turn's id, and each response a message id.
   *
   * @param id The turn's id: any text. You may use an id again, for example after a crash. Prompts
   * in a row with the same id count as one turn. @default {a new UUID}
   */
  turn(id: string = crypto.randomUUID()): Turn {
    return new Turn(this, id);
  }

  /**
   * Ends the session: writes a checkpoint and `session_closed`, syncs, and releases the lock. A
   * subagent's session is archived, too. A session that has no log yet leaves nothing behind. A
   * second call writes nothing. A resumed session that was ended before gets the new outcome. Open
   * subagents stay open.
   *
   * A detached session is first written to disk with its subagents, as by `attach`. If that fails,
   * the session stays open: call `finish` again, or `release`.
   *
   * @param outcome How the session ended.
   * @throws {SessionError} `invalid-event` if `outcome` is not valid; other codes if the end could
   * not be written. After `sync-failed`, the session has ended and the lock is released. A second
   * call then throws `sync-failed` again.
   */
  async finish(outcome: PayloadByKind["session_closed"] = { status: "completed" }): Promise<void> {
    // Refused before anything ends.
    const closed = closingOf(outcome);
    const is_first = this.#off.is_unwritten && this.#ending === undefined;
    // Before the session ends: on failure it stays open, and appends meanwhile are kept.
    const unsynced = is_first ? await this.#off.endWritten(() => this.sync()) : undefined;
    await (this.#ending ?? this.#end(() => this.#writeEnd(closed, unsynced)));
  }

  async #writeEnd(closed: NewEvent, unsynced?: SessionError): Promise<void> {
    await this.#off.end(() => this.sync());
    if (this.#access.log === undefined || this.#isUnsaved) return;
    await this.#access.open();
    for (const event of endOfSubagent(this.#record.state)) await this.#write([event]);
    this.#leaveCheckpoint();
    await this.#write([closed]);
    await this.sync();
    if (unsynced !== undefined) throw unsynced;
  }

  /**
   * Continues in memory alone, with all open subagents, after `disk-full` or `permission`. The
   * conversation keeps all messages, and nothing more is written. Append the refused event again.
   * The lock stays, so no other process continues the session meanwhile. If the first append was
   * refused, there may be no log and no lock yet. `attach` returns to the disk.
   *
   * @throws {SessionError} `closed`; and errors of reading the log, if it was not read before.
   *
   * @example
   * ```ts
   * import assert from "node:assert/strict";
   * import { memoryStore } from "@reprise/reprise";
   *
   * const session = memoryStore().create({ cwd: "/home/ada/src" });
   * await session.turn().user("One");
   * await session.detach(); // once an append failed with `disk-full`
   * assert.equal((await session.turn().user("Two")).state, "memory");
   * assert.equal((await session.conversation()).messages.length, 2);
   * ```
   */
  async detach(): Promise<void> {
    await this.#access.idle();
    if (this.#ending !== undefined) throw isClosed("detach session");
    await this.#off.leave(this);
    this.#degraded = false;
  }

  /**
   * Returns to the disk after `detach`, once the disk has room. Writes and syncs all events that
   * were appended meanwhile. If that fails, the session and its subagents stay in memory, and you
   * can call `attach` again. After `sync-failed`, the events are in the log, and the session is
   * open on the disk. No event is written twice, not even by a later `release`.
   *
   * @throws {SessionError} `closed`, `locked`; `changed` if another process continued the session;
   * `exists` if the session has no log yet and another session got its id meanwhile; `disk-full`,
   * `permission`, `io`, `sync-failed`
   *
   * @example
   * ```ts
   * import assert from "node:assert/strict";
   * import { memoryStore } from "@reprise/reprise";
   *
   * const session = memoryStore().create({ cwd: "/home/ada/src" });
   * await session.turn().user("One");
   * await session.detach();
   * await session.turn().user("Two");
   * await session.attach();
   * assert.equal(session.on_disk, true);
   * ```
   */
  async attach(): Promise<void> {
    await this.#access.idle();
    if (this.#ending !== undefined && !this.#off.is_owed) throw isClosed("attach session");
    await this.#off.back(() => this.sync());
  }

  /**
   * Releases the lock and all file descriptors until the next append, for a server with many idle
   * sessions. The next append takes the lock again, if no other process has continued the session.
   * A title, an archive flag or an end by another process changes nothing. Any other event means
   * that it was continued.
   *
   * @throws {SessionError} From the next append: `locked`, `changed`
   */
  async rest(): Promise<void> {
    await this.#access.rest();
  }

  /**
   * Releases the lock without a close. The session is then interrupted. But if the session was
   * ended before and nothing was appended since, it stays completed or failed. Open subagents stay
   * open. A detached session is first written to disk, if possible. An error of that write is not
   * thrown; call `attach` before to get it.
   */
  async release(): Promise<void> {
    if (this.#ending !== undefined) await this.#ending.catch(() => {/* told to who ended it */});
    if (this.#ending !== undefined) return;
    await this.#end(() => this.#off.back(() => this.sync()).catch(() => {/* `attach` says why */}));
  }

  /**
   * Ends the session once, and then refuses events. If the end could not be written, the session
   * stays open.
   */
  #end(write: () => Promise<void>): Promise<void> {
    const close = (): Promise<void> => {
      this.#home.ended(this);
      return this.#access.release(this.#isUnsaved);
    };
    const ended = this.#access.idle()?.then(write) ?? write();
    return this.#ending = ended.then(close, async (error) => {
      if (isSessionError(error, "sync-failed")) await close();
      else this.#ending = undefined;
      throw error;
    });
  }

  /** True if the session began here and has at most its first event, which was not acknowledged. */
  get #isUnsaved(): boolean {
    return this.#began && this.last_seq <= 1;
  }

  /** Releases the lock. A session that was not closed is interrupted, and can be resumed. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }

  #timed(event: NewEvent): NewEvent {
    return { ...event, time: utcTime(event.time, this.#now) };
  }

  /** Writes the held events and then `events`. Returns the number of the first of `events`. */
  #write(events: readonly NewEvent[]): number | Promise<number> {
    const keep = (drafts: typeof events): NewEvent[] =>
      drafts.map((event) => checkedDraft(this.#timed(event)));
    return this.#access.write(events, (drafts) => this.#writeNow(drafts), keep);
  }

  /** Writes like {@linkcode #write}. If the log is closed, only opens it and returns a promise. */
  #writeNow(events: readonly NewEvent[]): number | Promise<void> {
    // Encoded before anything is created or written: events that do not fit change nothing.
    const from = this.last_seq + this.#held.length + 1;
    const lines = events.map((event, index) => {
      if (event.kind === "session_started") throw hasBegun();
      return refusing(() => this.#encode(event, from + index));
    });
    const settle = this.#calls.check(events, from);
    try {
      const opening = this.#access.open();
      if (opening !== undefined) return opening.catch((error) => this.#fail(error));
      const count = this.#held.length;
      const held = this.#held.numbered(from - count, (event, seq) => this.#encode(event, seq));
      this.#record.write(this.#access.log, [...held, ...lines], (written) => {
        this.#held.drop(Math.min(written, count));
        settle(Math.max(0, written - count));
      });
      this.#degraded = false;
    } catch (error) {
      this.#fail(error);
    }
    if (this.#record.needs_checkpoint) this.#leaveCheckpoint();
    return from;
  }

  #fail(error: unknown): never {
    this.#degraded = true;
    throw error;
  }

  #encode(event: NewEvent, seq: number): NumberedLine {
    const numbered = { ...this.#timed(event), seq } as Event;
    return { event: numbered, line: encodeLine(numbered) };
  }

  /** Writes a checkpoint. A failure only sets `degraded`, because the last append succeeded. */
  #leaveCheckpoint(): void {
    if (!this.#record.leaveCheckpoint(this.#access.log, this.#now())) this.#degraded = true;
  }

  async #syncTo(seq: number): Promise<void> {
    await this.#access.sync(seq).catch((error) => this.#fail(error));
  }
}
