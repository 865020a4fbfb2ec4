/** Reads the facts of a session about files, in the order in which they happened. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { descriptorOf } from "../../../library/machine/registry.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import type { KnownFile } from "../../../agents/contract/file_history.ts";
import { isUnseen } from "../../../core/projection/unseen_message.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import { sessionFilePath } from "../../../core/workspace/session_directory.ts";
import { EditCollector } from "../../../library/touches/edit_collector.ts";
import { commandsIn, RenameCollector } from "./call_facts.ts";
import type { FileFact } from "./file_states.ts";

export interface PlacedFact {
  /** The path: absolute if the session records its directory, else as the session names it. */
  path: string;
  thread: string;
  seq: number;
  /** Order of the fact within its event: 0 before the event's change, 1 the change, 2 after it. */
  step: number;
  /** A fact about the file, or a rename: `from` is the former name of this file. */
  fact: FileFact | { kind: "rename"; from: string };
}

export interface EventRange {
  /** First event number; `"last-turn"`: the last prompt before `seq`. @default {the first event} */
  from?: number | "last-turn" | undefined;
  /** The number of the range's last event. @default {the thread's last event} */
  seq?: number | undefined;
}

/** The facts of a session, divided into facts before, in and after a range of events. */
export interface PlacedFacts {
  cwd?: string;
  /** Number of the requested range's first event; absent if the range begins with the session. */
  from?: number;
  /** The number of the range's last event. */
  seq: number;
  facts: PlacedFact[];
  /** Number of facts at the start of `facts` that happened before the event with number `from`. */
  begun: number;
  /** Number of leading `facts` that happened up to event `seq`. */
  count: number;
}

interface PlacedCommand extends Pick<PlacedFact, "thread" | "seq"> {
  text: string;
}

class ThreadFacts {
  readonly edits: EditCollector;
  readonly renames = new RenameCollector();
  /** The latest time up to an event, in milliseconds, by the event's number. */
  readonly times = new Map<number, number>();
  /** The number of the thread's last event. */
  last = 0;
  /** The event numbers of the prompts that people saw. */
  readonly prompts: number[] = [];
  #latest = -Infinity;

  constructor({ session }: SessionHandle, id: string) {
    this.edits = new EditCollector(session, id);
  }

  take(event: LogEvent): void {
    this.edits.take(event);
    const time = event.form === "known" ? Date.parse(event.time ?? "") : NaN;
    // Clocks jump, and some events have no time.
    if (time > this.#latest) this.#latest = time;
    this.times.set(event.seq, this.#latest);
    const is_prompt = event.form === "known" && event.kind === "user_message";
    if (is_prompt && !isUnseen(event.payload)) this.prompts.push(event.seq);
    this.last = Math.max(this.last, event.seq);
  }
}

/**
 * Reads the facts of all threads. Facts of different threads are ordered by time.
 *
 * @throws {SessionError} `not-found` if there is no event `seq`; errors of reading the session.
 */
export async function placedFacts(
  handle: SessionHandle,
  { seq, from: asked }: EventRange,
): Promise<PlacedFacts> {
  const { session } = handle;
  const known = await knownFiles(handle);
  const threads = new Map<string, ThreadFacts>();
  const facts: PlacedFact[] = [];
  const commands: PlacedCommand[] = [];
  let cwd = session.cwd;
  for await (const { thread: id, events } of handle.allEvents()) {
    const own = threads.get(id) ?? new ThreadFacts(handle, id);
    threads.set(id, own);
    for (const event of events) {
      own.take(event);
      if (event.form === "known" && event.kind === "session_started") {
        cwd = event.payload.cwd ?? cwd;
      }
      const place = { thread: id, seq: event.seq };
      for (const one of knownAt(known, event, id)) facts.push(one);
      for (const text of commandsIn(event)) commands.push({ ...place, text });
      for (const { from, to } of own.renames.take(event)) {
        facts.push({ ...place, path: to, step: 0, fact: { kind: "rename", from } });
      }
    }
  }
  const thread = threadNamed(handle, threads);
  const last = threads.get(thread)?.last ?? 0;
  const at = seq ?? last;
  if (seq !== undefined && (at > last || at < 1)) throw noEvent(handle, at, last);
  const from = asked === "last-turn"
    ? threads.get(thread)?.prompts.findLast((one) => one <= at)
    : asked;
  for (const [id, { edits }] of threads) {
    for (const { path, change, seq } of edits.edits()) {
      facts.push({ path, thread: id, seq, step: 1, fact: { kind: "change", change } });
    }
  }
  for (const one of namingCommands(facts, commands)) facts.push(one);
  const absolute = facts.map((one) => ({
    ...one,
    path: sessionFilePath(one.path, cwd),
    fact: placed(one, cwd),
  }));
  const timeOf = (one: Pick<PlacedFact, "thread" | "seq">): number =>
    threads.get(one.thread)?.times.get(one.seq) ?? -Infinity;
  // A branch is given without what it shares with the main thread, by whose numbers it goes on.
  const has_own = threads.get(thread)?.times.has(at) === true;
  const upTo = (last: number): (one: PlacedFact) => boolean => {
    const moment = timeOf({ thread: has_own ? thread : MAIN_THREAD, seq: last });
    return (one) => one.thread === thread ? one.seq <= last : timeOf(one) <= moment;
  };
  const isBefore = upTo(at);
  const isEarlier = from === undefined ? (): boolean => false : upTo(from - 1);
  absolute.sort((a, b) =>
    Number(isEarlier(b)) - Number(isEarlier(a)) || Number(isBefore(b)) - Number(isBefore(a)) ||
    timeOf(a) - timeOf(b) ||
    (a.thread === b.thread ? a.seq - b.seq || a.step - b.step : 0)
  );
  const begun = absolute.filter(isEarlier).length;
  const count = absolute.filter(isBefore).length;
  return present({ cwd, from, seq: at, facts: absolute, begun, count });
}

/** Returns the id of the thread that the reference names, perhaps by its first characters. */
function threadNamed(
  { ref, thread = MAIN_THREAD }: SessionHandle,
  threads: ReadonlyMap<string, ThreadFacts>,
): string {
  if (threads.has(thread) || thread === MAIN_THREAD) return thread;
  const [found, other] = [...threads.keys()].filter((id) => id.startsWith(thread));
  if (found !== undefined && other === undefined) return found;
  const reason = found === undefined
    ? "no branch or subagent of the session has this name"
    : "several branches or subagents of the session match this name";
  const message = `Cannot find branch or subagent "${thread}" of session ${ref}: ${reason}; ` +
    `see: reprise show ${ref} --threads`;
  throw new SessionError(found === undefined ? "not-found" : "ambiguous", message, { ref });
}

function noEvent({ ref }: SessionHandle, seq: number, last: number): SessionError {
  const message = `Cannot find event ${seq} of session ${ref}: its last event is ${last}`;
  return new SessionError("not-found", message, { ref: `${ref}#${seq}` });
}

async function knownFiles({ session }: SessionHandle): Promise<Map<string, KnownFile[]>> {
  const known = new Map<string, KnownFile[]>();
  const read = await descriptorOf(session.agent).loadFileHistory?.();
  if (read === undefined) return known;
  for await (const file of read(session)) {
    const list = known.get(file.record);
    if (list === undefined) known.set(file.record, [file]);
    else list.push(file);
  }
  return known;
}

/** Yields each file content that the record of an event contains, and forgets those contents. */
function* knownAt(
  known: Map<string, KnownFile[]>,
  event: LogEvent,
  thread: string,
): Generator<PlacedFact> {
  const record = event.form === "known" ? event.source?.id : undefined;
  if (record === undefined) return;
  for (const { path, before, content } of known.get(record) ?? []) {
    const fact: FileFact = { kind: "known", content };
    yield { path, thread, seq: event.seq, step: before ? 0 : 2, fact };
  }
  known.delete(record);
}

/** Returns a fact for each file and each command that contains the file's name. */
function namingCommands(
  facts: readonly PlacedFact[],
  commands: readonly PlacedCommand[],
): PlacedFact[] {
  return [...new Set(facts.map(({ path }) => path))].flatMap((path) =>
    commands.filter(({ text }) => text.includes(path.split(/[\\/]/).at(-1) ?? path)).map((
      { thread, seq },
    ) => ({
      ...{ path, thread, seq, step: 1 },
      fact: { kind: "command" } as const,
    }))
  );
}

function placed({ fact }: PlacedFact, cwd: string | undefined): PlacedFact["fact"] {
  return fact.kind === "rename" ? { ...fact, from: sessionFilePath(fact.from, cwd) } : fact;
}
