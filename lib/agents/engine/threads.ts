/** Reads the events of a session's threads, describes threads and finds a thread by its name. */
import type { LogEvent } from "../../core/event/envelope.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { foldBatches } from "../../core/projection/projection.ts";
import { summary } from "../../core/projection/summary.ts";
import type { OpenThreads, ThreadEvents } from "../contract/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../core/projection/session_thread.ts";
import { present } from "./json.ts";

/**
 * Yields the events of all threads. A branch begins with records of the thread from which it
 * forked. The events of these records are yielded only once.
 *
 * @param own_main The events of the main thread, if the caller reads them itself.
 */
export async function* readThreads(
  { ids, read }: OpenThreads,
  own_main?: AsyncIterable<readonly LogEvent[]>,
): AsyncGenerator<ThreadEvents> {
  const seen = new Set<string>();
  for (const thread of ids) {
    const main = thread === MAIN_THREAD;
    const own: string[] = [];
    for await (const batch of (main ? own_main : undefined) ?? read(thread)) {
      const events = main ? batch : batch.filter((event) => isNew(seen, event));
      if (ids.length > 1) {
        for (const one of events.flatMap((event) => keyOf(event) ?? [])) own.push(one);
      }
      if (main || events.length > 0) yield { thread, events };
    }
    for (const key of own) seen.add(key);
  }
}

/**
 * Returns a key of an event's kind and record id. Undefined without a record id. The kind counts,
 * because a record may be a call in one thread and an answer in another.
 */
function keyOf(event: LogEvent): string | undefined {
  if (event.form === "unparsed" || event.source?.id === undefined) return undefined;
  // A sub-agent's session has ids of its own.
  return `${event.kind} ${event.source.session_id} ${event.source.id}`;
}

/**
 * True if no earlier thread had the event's record. Records of the same thread do not count, as a
 * record may have several events.
 */
function isNew(before: ReadonlySet<string>, event: LogEvent): boolean {
  const key = keyOf(event);
  return key === undefined ? event.kind !== "session_started" : !before.has(key);
}

/**
 * Returns the id that equals `name`, or else the only id that begins with `name`.
 *
 * @throws {SessionError} `not-found`, `ambiguous`
 */
export function chosenThread(name: string, ids: readonly string[]): string {
  if (ids.includes(name)) return name;
  const [first, ...more] = ids.filter((id) => id.startsWith(name));
  if (first === undefined) {
    const message =
      `Cannot find branch or subagent "${name}": the session has none with this name; ` +
      "see: reprise show REF --threads";
    throw new SessionError("not-found", message, { ref: name });
  }
  if (more.length === 0) return first;
  const candidates = [first, ...more];
  const message =
    `Cannot choose a branch or subagent: "${name}" matches ${candidates.length} of them: ` +
    `${candidates.slice(0, 5).join(", ")}; type more of its id`;
  throw new SessionError("ambiguous", message, { ref: name, candidates });
}

/**
 * Adds title, time and tokens to a subagent or branch. The main thread gets only the time, because
 * the session's row holds its title and tokens. So its last records are enough as `batches`.
 */
export async function describedThread(
  known: SessionThread,
  batches: AsyncIterable<readonly LogEvent[]>,
): Promise<SessionThread> {
  const log = await foldBatches(summary(), batches);
  const { title: given, updated_at = log.updated_at, ...rest } = known;
  if (known.kind === "main") return present({ ...rest, updated_at });
  const title = (given ?? (log.title || log.first_user_message)) || undefined;
  const usage = Object.keys(log.usage ?? {}).length === 0 ? undefined : log.usage;
  return present({ ...rest, title, updated_at, usage });
}
