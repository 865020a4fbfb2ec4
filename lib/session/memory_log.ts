/** Keeps a log in memory: for tests of agents, which need neither files nor permissions. */
import type { LogEvent } from "../event/envelope.ts";
import { SessionError } from "../event/session_error.ts";
import { EventParseStream } from "../log/event_parse_stream.ts";
import { LineStream } from "../log/line_stream.ts";
import type { OpenLog } from "./open_log.ts";

/** One log in memory. At most one session writes it at a time. */
export class MemoryLog {
  #lines: Uint8Array[] = [];
  #held = false;

  /** @param id The session's id. @param cwd The directory that it belongs to. */
  constructor(readonly id: string, readonly cwd: string) {}

  /** True while a session writes it. */
  get held(): boolean {
    return this.#held;
  }

  /** Number of bytes. */
  get bytes(): number {
    return this.#lines.reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * Opens the log to append.
   *
   * @throws {SessionError} `locked`
   */
  open(): OpenLog {
    if (this.#held) {
      const message = "Cannot open session to write: another part of this program writes it";
      throw new SessionError("locked", `${message}; end that one first`, {});
    }
    this.#held = true;
    return {
      id: this.id,
      path: memoryPath(this.id),
      writer: {
        write: (lines) => void this.#lines.push(...lines),
        sync: () => Promise.resolve(),
        close: () => Promise.resolve(),
      },
      lock: { release: () => void (this.#held = false) },
      named: Promise.resolve(),
    };
  }

  /** Reads the events as they stand. */
  events(): ReadableStream<readonly LogEvent[]> {
    return ReadableStream.from([...this.#lines])
      .pipeThrough(new LineStream())
      .pipeThrough(new EventParseStream());
  }
}

/** Names a log in memory, where others have a path. */
export function memoryPath(id: string): string {
  return `memory:${id}`;
}
