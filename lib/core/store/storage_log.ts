/** A log in a storage, which is encoded and read as on disk. */
import { joinBytes } from "../event/bytes.ts";
import type { LogEvent } from "../event/envelope.ts";
import { SessionError } from "../event/session_error.ts";
import { EventParseStream } from "../log/event_parse_stream.ts";
import { toSessionError } from "../log/io_error.ts";
import { LineStream } from "../log/line_stream.ts";
import { forkInstead, heldHere } from "./lock_session.ts";
import type { OpenLog } from "./session_parts.ts";
import { type Awaitable, type SessionStorage, then } from "./storage.ts";

/** Ids of the logs that this process has open, by storage. */
const OPEN = new WeakMap<SessionStorage, Set<string>>();

/** Returns the name of a log, in place of a path. */
export function storagePath(name: string, id: string): string {
  return `${name}:${id}`;
}

/**
 * Opens a log to append.
 *
 * @param name Name of the storage, for paths.
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
  return then(storage.lock(id), (release) => {
    if (release === undefined) {
      const message = `Cannot ${action}: another program has the session open${advice}`;
      throw new SessionError("locked", message, { path });
    }
    open.add(id);
    let last: Promise<void> | undefined;
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
      lock: {
        release(): void {
          open.delete(id);
          void release();
        },
      },
      named: Promise.resolve(),
    };
  });
}

function refusing<Result>(path: string, append: () => Result): Result {
  try {
    return append();
  } catch (error) {
    throw toSessionError(error, "write event", path);
  }
}

/** Reads the events of a log. */
export function readStored(
  storage: SessionStorage,
  id: string,
): ReadableStream<readonly LogEvent[]> {
  return eventsIn(storage.read(id));
}

/** Reads the events in pieces of a log. */
export function eventsIn(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): ReadableStream<readonly LogEvent[]> {
  return ReadableStream.from(pieces)
    .pipeThrough(new LineStream())
    .pipeThrough(new EventParseStream());
}
