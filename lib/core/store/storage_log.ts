/** Opens and reads a log in a storage. The bytes of the log are the same as on disk. */
import { joinBytes } from "../event/bytes.ts";
import type { KnownEvent, LogEvent } from "../event/envelope.ts";
import { SessionError } from "../event/session_error.ts";
import { EventParseStream } from "../log/event_parse_stream.ts";
import { toSessionError } from "../log/io_error.ts";
import { LineStream } from "../log/line_stream.ts";
import { forkInstead, heldHere } from "./lock_session.ts";
import { changed, missedEvents } from "./missed_events.ts";
import type { OpenLog } from "./session_parts.ts";
import { type Awaitable, type SessionStorage, then } from "./storage.ts";

const OPEN = new WeakMap<SessionStorage, Set<string>>();

export function storagePath(name: string, id: string): string {
  return `${name}:${id}`;
}

/**
 * Locks a log and opens it to append.
 *
 * @param name Name of the storage, with which the log's path begins.
 * @throws {SessionError} `locked`, `io`
 */
export function openStored(
  storage: SessionStorage,
  name: string,
  id: string,
  { action = "open session for writing", advice = forkInstead(id) } = {},
): Awaitable<OpenLog> {
  const path = storagePath(name, id);
  const open = OPEN.get(storage) ?? new Set();
  OPEN.set(storage, open);
  if (open.has(id)) throw heldHere(action, path, advice);
  const lockedError = (): SessionError => {
    const message = `Cannot ${action}: another program has the session open${advice}`;
    return new SessionError("locked", message, { path });
  };
  return then(storage.lock(id), (release) => {
    if (release === undefined) throw lockedError();
    let held: typeof release | undefined = release;
    open.add(id);
    let last: Promise<void> | undefined;
    /** Size of the log in bytes when `rest` released the lock. */
    let left: Promise<number> | undefined;

    function letGo(): Awaitable<void> {
      const release = held;
      if (release === undefined) return;
      held = undefined;
      open.delete(id);
      return release();
    }

    async function wake(before: Promise<number>): Promise<KnownEvent[]> {
      const end = await before;
      if (open.has(id)) throw heldHere(action, path, advice);
      held = await storage.lock(id);
      if (held === undefined) throw lockedError();
      open.add(id);
      try {
        const bytes = await bytesOf(storage, id);
        if (bytes.length < end) throw changed(path);
        const missed = await missedEvents(eventsIn([bytes.subarray(end)]), path);
        left = undefined;
        return missed;
      } catch (error) {
        await letGo();
        throw toSessionError(error, "open log", path);
      }
    }

    return {
      id,
      path,
      writer: {
        write(lines): void {
          const bytes = joinBytes(lines);
          const appended = refusing(
            path,
            () =>
              last === undefined
                ? storage.append(id, bytes)
                : last.then(() => storage.append(id, bytes)),
          );
          if (!(appended instanceof Promise)) return;
          last = appended.catch((error) => {
            throw toSessionError(error, "write event", path);
          });
          last.catch(() => {/* told to the sync that waits */});
        },
        sync: async () => await last,
        close: async () => await last?.catch(() => {/* told to the append that waited */}),
      },
      lock: { release: () => void letGo() },
      named: Promise.resolve(),
      async rest(): Promise<void> {
        left ??= (async () => {
          await last?.catch(() => {/* told to the append that waited */});
          try {
            return (await bytesOf(storage, id)).length;
          } finally {
            await letGo();
          }
        })();
        await left;
      },
      wake: () => left && wake(left),
    };
  });
}

async function bytesOf(storage: SessionStorage, id: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of storage.read(id)) pieces.push(piece);
  return joinBytes(pieces);
}

function refusing<Result>(path: string, append: () => Result): Result {
  try {
    return append();
  } catch (error) {
    throw toSessionError(error, "write event", path);
  }
}

export function readStored(
  storage: SessionStorage,
  id: string,
): ReadableStream<readonly LogEvent[]> {
  return eventsIn(storage.read(id));
}

export function eventsIn(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): ReadableStream<readonly LogEvent[]> {
  return ReadableStream.from(pieces)
    .pipeThrough(new LineStream())
    .pipeThrough(new EventParseStream());
}
