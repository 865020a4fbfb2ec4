/**
 * A store in a database or in memory. Its logs are encoded and read as on disk.
 *
 * @module
 */
import { joinBytes } from "../event/bytes.ts";
import type { LogEvent } from "../event/envelope.ts";
import { checkArgument } from "../event/guard.ts";
import { present } from "../event/present.ts";
import { SessionError } from "../event/session_error.ts";
import { BranchPath } from "../projection/branch_path.ts";
import { conversation } from "../projection/conversation/conversation.ts";
import { foldBatches } from "../projection/projection.ts";
import { summary } from "../projection/summary.ts";
import type { Summary } from "../projection/summary_row.ts";
import { transcript } from "../projection/transcript/transcript.ts";
import { annotateSession } from "./annotate.ts";
import {
  annotationOf,
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
import type {
  CreateOptions,
  EventsOptions,
  ForkOptions,
  ReadConversationOptions,
  StoreOptions,
} from "./store_options.ts";
import { checkNames } from "./checked_options.ts";
import { continuable, continueLast } from "./continue_last.ts";
import { givenTitle } from "./copy/fork_session.ts";
import { BRANCH_KINDS, branchesAmong, eventsOfKinds, onPath } from "./log_branches.ts";
import { type ListOptions, selectSummaries } from "./list_sessions.ts";
import { lastSnapshot } from "./load_session.ts";
import { EMPTY_OPTIONS } from "./option_names.ts";
import { pruneRows } from "./prune_rows.ts";
import type { PruneOptions, PruneReport } from "./trash/prune_sessions.ts";
import { markLine } from "./marks.ts";
import { OpenedHere } from "./opened_here.ts";
import { Session, type SessionHome } from "./session.ts";
import { sessionId } from "./session_id.ts";
import type { Durability, OpenLog } from "./session_parts.ts";
import { type Awaitable, type SessionStorage, then } from "./storage.ts";
import { forkedLines } from "./storage_fork.ts";
import { MARKS, StorageLogs } from "./storage_logs.ts";
import { openStored, readStored, storagePath } from "./storage_log.ts";
import { familiesOf, isSubagent, withSubagents } from "./subagents.ts";
import { unreadable } from "./unsaved_log.ts";
import type { EmptyTrashOptions } from "./trash/empty_trash.ts";
import type { LoadedSession, Store } from "./store.ts";

/** `name` is the name of the storage, with which the paths of its logs begin. */
export type StorageOptions = Omit<StoreOptions, "root"> & { name: string };

export class StorageStore implements Store {
  readonly #storage: SessionStorage;
  readonly #name: string;
  readonly #logs: StorageLogs;
  readonly #durability: Durability;
  readonly #now: () => Date;
  readonly #newId: () => string;
  readonly #opened = new OpenedHere();
  readonly #home: SessionHome = {
    begin: (options) => this.create(options),
    resume: (ref) => this.resume(ref),
    ended: (session) => this.#opened.delete(session),
  };

  constructor(storage: SessionStorage, options: StorageOptions) {
    const { name, durability, now, newId, whole_ids } = options;
    this.#storage = storage;
    this.#name = name;
    this.#logs = new StorageLogs(storage, name, whole_ids);
    this.#durability = durability ?? "event";
    this.#now = now ?? (() => new Date());
    this.#newId = newId ?? (() => crypto.randomUUID());
  }

  create(options: CreateOptions): Session {
    checkCreation(options);
    const { id: wanted, ...head } = options;
    const id = wanted ?? this.#newId();
    checkArgument("create session", "id", sessionId, id);
    const free = this.#logs.assertFree(id);
    // If the storage answers later, the first append checks the id.
    if (free instanceof Promise) free.catch(() => {/* asked again then */});
    const own = { session_id: id, created_at: timeOf(this.#now) };
    const parts = {
      id,
      path: storagePath(this.#name, id),
      durability: this.#durability,
      now: this.#now,
      create: () => then(this.#logs.assertFree(id), () => this.#open(id)),
      read: () => readStored(this.#storage, id),
      header: { ...head, ...own },
      state: summary().initial(),
    };
    return this.#opened.add(new Session(parts, this.#home));
  }

  async resume(ref: string): Promise<Session> {
    return this.#opened.add(await this.#resume(ref));
  }

  async #resume(ref: string): Promise<Session> {
    const { id } = await this.#logs.find(ref);
    const subagents = withSubagents(await this.#logs.rows())
      .filter((row) => isSubagent(row) && row.parent?.session_id === id);
    const open = await this.#open(id);
    const state = await this.#logs.fold(id);
    if (state.last_seq === undefined) {
      open.lock.release();
      throw unreadable(open.path);
    }
    return new Session({
      id,
      path: open.path,
      durability: this.#durability,
      now: this.#now,
      open,
      read: () => readStored(this.#storage, id),
      state,
      subagents,
    }, this.#home);
  }

  async continueLast(options: CreateOptions): Promise<Session> {
    checkCreation(options);
    const rows = continuable(await this.list({ cwd: options.cwd }), options.app);
    const begin = (): Session => this.create(options);
    const open = (ref: string): Promise<Session> => this.resume(ref);
    return await continueLast(rows, { app: options.app, open, read: open, begin });
  }

  async fork(ref: string, options: ForkOptions = {}): Promise<Session> {
    checkFork(options);
    const source = await this.#logs.find(ref);
    const id = options.id ?? this.#newId();
    await this.#logs.assertFree(id);
    const lines = await forkedLines({
      id: source.id,
      title: givenTitle(await this.#logs.row(source)),
      state: await this.#logs.fold(source.id),
      events: readStored(this.#storage, source.id),
    }, { ...options, id, time: timeOf(this.#now) });
    // In one piece: a fork that is cut off leaves nothing.
    await this.#storage.append(id, joinBytes(lines));
    return await this.resume(id);
  }

  async rename(ref: string, title: string): Promise<"log" | "mark"> {
    return await this.#annotate(ref, { title });
  }

  async archive(ref: string, archived = true): Promise<"log" | "mark"> {
    return await this.#annotate(ref, { archived });
  }

  async list(options: ListOptions = {}): Promise<Summary[]> {
    checkListing(options);
    options.signal?.throwIfAborted();
    return selectSummaries(await this.#logs.rows(), options);
  }

  async last(
    options: Pick<ListOptions, "cwd" | "subagents" | "signal"> = {},
  ): Promise<Summary | undefined> {
    checkLast(options);
    const [first] = await this.list({ ...options, limit: 1 });
    return first;
  }

  async load(ref: string, options: ReadConversationOptions = {}): Promise<LoadedSession> {
    checkLoading(options);
    options.signal?.throwIfAborted();
    const log = await this.#logs.find(ref);
    const events = (): ReadableStream<readonly LogEvent[]> => readStored(this.#storage, log.id);
    const branches = branchesAmong(await eventsOfKinds(events(), BRANCH_KINDS));
    const shown = onPath(new BranchPath(branches), events());
    return present({
      summary: withSubagents(await this.#logs.rows()).find(({ ref }) => ref === log.id) ??
        await this.#logs.row(log),
      transcript: await foldBatches(transcript(), shown),
      ...await foldBatches(conversation(options), events()),
      workspace: await lastSnapshot(onPath(new BranchPath(branches), events())),
    });
  }

  async remove(ref: string): Promise<{ session_id: string }> {
    const { id } = await this.#logs.find(ref);
    const rows = await this.#logs.rows();
    const family = familiesOf(rows, (row) => row).find((all) => all.some(({ ref }) => ref === id));
    const below = isSubagent(rows.find(({ ref }) => ref === id)) ? [] : family ?? [];
    const ids = [id, ...below.map(({ ref }) => ref).filter((ref) => ref !== id)];
    const named = ids.map((one) => ({ session_id: one, path: storagePath(this.#name, one) }));
    this.#opened.assertNone("remove session", named);
    // Refused while a session writes one of them.
    const why = { action: "remove session", advice: "" };
    const locks: OpenLog["lock"][] = [];
    try {
      for (const one of ids) locks.push((await this.#open(one, why)).lock);
      for (const one of ids) await this.#storage.remove(one);
    } finally {
      for (const lock of locks) lock.release();
    }
    return { session_id: id };
  }

  async restore(ref: string): Promise<never> {
    const message = `Cannot restore session "${ref}": this store has no trash`;
    throw await Promise.resolve(new SessionError("not-found", message, { ref }));
  }

  emptyTrash(options: EmptyTrashOptions = {}): Promise<[]> {
    checkNames<EmptyTrashOptions>("empty trash", options, EMPTY_OPTIONS);
    return Promise.resolve([]);
  }

  async prune(options: PruneOptions): Promise<PruneReport> {
    checkPruning(options);
    const removed: string[] = [];
    const isOpen = this.#opened.has;
    const rows = await this.#logs.rows();
    const report = pruneRows(rows, { ...options, isOpen }, (id) => removed.push(id));
    for (const id of removed) await this.#storage.remove(id);
    return report;
  }

  events(ref: string, options: EventsOptions = {}): AsyncIterable<readonly LogEvent[]> {
    checkEvents(options);
    const found = this.#logs.find(ref);
    if (found instanceof Promise) found.catch(() => {/* told to the reader */});
    const storage = this.#storage;
    return ReadableStream.from(
      (async function* (): AsyncGenerator<readonly LogEvent[]> {
        const { id } = await found;
        if (options.undone !== "omit") return yield* readStored(storage, id);
        const branches = branchesAmong(await eventsOfKinds(readStored(storage, id), BRANCH_KINDS));
        yield* onPath(new BranchPath(branches), readStored(storage, id));
      })(),
    );
  }

  #open(id: string, why?: Parameters<typeof openStored>[3]): Awaitable<OpenLog> {
    return openStored(this.#storage, this.#name, id, why);
  }

  async #annotate(ref: string, mark: LogAnnotation): Promise<"log" | "mark"> {
    const event = annotationOf(mark);
    const { id, locked } = await this.#logs.find(ref);
    const time = timeOf(this.#now);
    if (locked && await this.#opened.append(id, event)) {
      await this.#outdateMark(id, mark);
      return "log";
    }
    if (locked) {
      await this.#storage.append(MARKS, markLine({ ref: id, ...mark, time }));
      return "mark";
    }
    await annotateSession(await this.#resume(id), event);
    await this.#outdateMark(id, mark);
    return "log";
  }

  /** Repeats a change in `.marks` if the session has an entry there that would override the log. */
  async #outdateMark(id: string, mark: LogAnnotation): Promise<void> {
    if (!(await this.#logs.marks()).has(id)) return;
    await this.#storage.append(MARKS, markLine({ ref: id, ...mark, time: timeOf(this.#now) }));
  }
}
