/**
 * A store in memory, for tests of agents. What it keeps is encoded and read as on disk.
 *
 * @module
 */
import { REPRISE } from "../event/agent_name.ts";
import type { Event, LogEvent } from "../event/envelope.ts";
import { checkArgument, text } from "../event/guard.ts";
import { SessionError } from "../event/session_error.ts";
import { present } from "../event/present.ts";
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
  checkFork,
  checkLast,
  checkListing,
  checkLoading,
  checkMemoryStore,
  checkPruning,
  type LogAnnotation,
  timeOf,
} from "./checked_arguments.ts";
import type {
  CreateOptions,
  ForkOptions,
  ReadConversationOptions,
  StoreOptions,
} from "./store_options.ts";
import { continuable, continueLast } from "./continue_last.ts";
import { corrections, givenTitle, headOf, isWhole, withSource } from "./copy/fork_session.ts";
import { BRANCH_KINDS, branchesAmong, eventsOfKinds, onPath } from "./log_branches.ts";
import { type ListOptions, selectSummaries } from "./list_sessions.ts";
import { lastSnapshot } from "./load_session.ts";
import { pruneMemory } from "./prune_memory.ts";
import type { PruneOptions, PruneReport } from "./trash/prune_sessions.ts";
import { MemoryLog, memoryPath } from "./memory_log.ts";
import { type MarkSet, toMarkSet, withMarks } from "./marks.ts";
import { Session } from "./session.ts";
import { ambiguous, assertNotTaken, namedBy } from "./session_folder.ts";
import { isUnique, sessionId } from "./session_id.ts";
import { isSubagent, withSubagents } from "./subagents.ts";
import { encodeLine, encodeReadLine } from "./session_line.ts";
import type { LoadedSession, Store } from "./store.ts";

class MemoryStore implements Store {
  readonly #logs = new Map<string, MemoryLog>();
  /** Titles and flags that were set while the session was open. */
  readonly #marks = new Map<string, MarkSet>();
  readonly #now: () => Date;
  readonly #newId: () => string;

  constructor({ now, newId }: Pick<StoreOptions, "now" | "newId">) {
    this.#now = now ?? (() => new Date());
    this.#newId = newId ?? (() => crypto.randomUUID());
  }

  create(options: CreateOptions): Session {
    checkCreation(options);
    const { id: wanted, ...head } = options;
    const id = this.#freeId(wanted);
    const log = new MemoryLog(id, options.cwd);
    const own = { session_id: id, created_at: timeOf(this.#now) };
    return new Session({
      id,
      path: memoryPath(id),
      durability: "none",
      now: this.#now,
      create: () => {
        this.#assertFree(id);
        this.#logs.set(id, log);
        return log.open();
      },
      read: () => log.events(),
      header: { ...head, ...own },
      state: summary().initial(),
    }, (options) => this.create(options));
  }

  async resume(ref: string): Promise<Session> {
    const log = this.#find(ref);
    const subagents = withSubagents(await this.#rows())
      .filter((row) => isSubagent(row) && row.parent?.session_id === log.id);
    const open = log.open();
    const state = await this.#fold(log);
    return new Session({
      id: log.id,
      path: open.path,
      durability: "none",
      now: this.#now,
      open,
      read: () => log.events(),
      state,
      subagents,
    }, (options) => this.create(options));
  }

  async continueLast(options: CreateOptions): Promise<Session> {
    checkCreation(options);
    const rows = continuable(await this.list({ cwd: options.cwd }), options.app);
    const begin = (): Session => this.create(options);
    const open = (ref: string): Promise<Session> => this.resume(ref);
    return await continueLast(rows, { open, read: open, begin });
  }

  async fork(ref: string, options: ForkOptions = {}): Promise<Session> {
    checkFork(options);
    const { seq, title } = options;
    const source = this.#find(ref);
    const { started, last_seq = 0 } = await this.#fold(source);
    const through = seq ?? last_seq;
    if (!Number.isSafeInteger(through) || through < 1 || through > last_seq) {
      const message = `Cannot fork: there is no event ${seq}; the last event is ${last_seq}`;
      throw new SessionError("not-found", message, { ref });
    }
    const log = new MemoryLog(this.#freeId(), source.cwd);
    const time = timeOf(this.#now);
    const parent = { session_id: source.id, seq: through, reason: "fork" };
    const own = { session_id: log.id, created_at: time, cwd: source.cwd, parent };
    const payload = headOf(started === undefined ? undefined : { started }, own, title);
    const head: Event = { seq: 1, kind: "session_started", time, payload };
    const { writer, lock } = log.open();
    writer.write([encodeLine(head)]);
    for await (const events of source.events()) {
      for (const event of events.filter(isWhole)) {
        if (event.seq === 1 || event.seq > through) continue;
        writer.write([encodeReadLine(withSource(event, source.id))]);
      }
    }
    const wanted = { title: title ?? givenTitle(await this.#row(source)) };
    for (const event of corrections({ state: await this.#fold(log) }, wanted, time)) {
      writer.write(["form" in event ? encodeReadLine(event) : encodeLine(event)]);
    }
    lock.release();
    this.#logs.set(log.id, log);
    return await this.resume(log.id);
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
    return selectSummaries(await this.#rows(), options);
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
    const log = this.#find(ref);
    const branches = branchesAmong(await eventsOfKinds(log.events(), BRANCH_KINDS));
    const shown = onPath(new BranchPath(branches), log.events());
    return present({
      summary: withSubagents(await this.#rows()).find(({ ref }) => ref === log.id) ??
        await this.#row(log),
      transcript: await foldBatches(transcript(), shown),
      ...await foldBatches(conversation(options), log.events()),
      workspace: await lastSnapshot(onPath(new BranchPath(branches), log.events())),
    });
  }

  async remove(ref: string): Promise<{ session_id: string }> {
    const log = this.#find(ref);
    // Refused while a session writes it; from here on none does.
    await log.open("remove session", "").writer.close();
    this.#logs.delete(log.id);
    return { session_id: log.id };
  }

  async prune(options: PruneOptions): Promise<PruneReport> {
    checkPruning(options);
    return pruneMemory(await this.#rows(), options, (id) => this.#logs.delete(id));
  }

  events(ref: string): AsyncIterable<readonly LogEvent[]> {
    return this.#find(ref).events();
  }

  async #annotate(ref: string, mark: LogAnnotation): Promise<"log" | "mark"> {
    const event = annotationOf(mark);
    const log = this.#find(ref);
    const marks = this.#marks.get(log.id);
    if (log.held) {
      const time = timeOf(this.#now);
      this.#marks.set(log.id, { ...marks, ...toMarkSet({ ref: log.id, ...mark, time }) });
      return "mark";
    }
    await annotateSession(await this.resume(log.id), event);
    delete marks?.["title" in mark ? "title" : "archived"];
    return "log";
  }

  async #rows(): Promise<Summary[]> {
    const rows: Summary[] = [];
    for (const log of this.#logs.values()) rows.push(await this.#row(log));
    return rows;
  }

  async #row(log: MemoryLog): Promise<Summary> {
    const { closed, findings: _, ...row } = summary().result(await this.#fold(log));
    const read: Summary = {
      ...row,
      ref: log.id,
      agent: REPRISE,
      session_id: log.id,
      path: memoryPath(log.id),
      bytes: log.bytes,
      status: log.held ? "running" : closed ?? "interrupted",
    };
    return withMarks(read, this.#marks);
  }

  async #fold(log: MemoryLog): Promise<ReturnType<ReturnType<typeof summary>["initial"]>> {
    const projection = summary();
    let state = projection.initial();
    for await (const events of log.events()) {
      for (const event of events) state = projection.apply(state, event);
    }
    return state;
  }

  #find(ref: string): MemoryLog {
    checkArgument("use reference", "ref", text, ref, "invalid-ref");
    const all = [...this.#logs.keys()].map((session_id) => ({ session_id }));
    const found = namedBy(ref, all).flatMap(({ session_id }) => this.#logs.get(session_id) ?? []);
    const [log] = found;
    if (log !== undefined && found.length === 1) return log;
    const candidates = found.map(({ id }) => id);
    if (log === undefined) {
      const message = `Cannot find session "${ref}"; store.list() has all sessions`;
      throw new SessionError("not-found", message, { ref });
    }
    throw ambiguous(ref, candidates);
  }

  #freeId(wanted?: string): string {
    let id = wanted ?? this.#newId();
    checkArgument("create session", "id", sessionId, id);
    this.#assertFree(id);
    while (this.#logs.has(id)) id = this.#newId();
    return id;
  }

  #assertFree(id: string): void {
    if (isUnique(id)) return;
    assertNotTaken(id, [...this.#logs.keys()].map((session_id) => ({ session_id })));
  }
}

/**
 * Makes a store that keeps its sessions in memory. It needs no files and no permissions, and is gone
 * with the program: for tests of agents.
 *
 * @param options Clock and ids.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { memoryStore } from "@reprise/reprise";
 *
 * const store = memoryStore();
 * const session = store.create({ cwd: "/home/ada/src" });
 * await session.turn().user("Hello");
 * await session.finish();
 * assert.equal((await store.list())[0]?.title, "Hello");
 * ```
 */
export function memoryStore(options: Pick<StoreOptions, "now" | "newId"> = {}): Store {
  checkMemoryStore(options);
  return new MemoryStore(options);
}
