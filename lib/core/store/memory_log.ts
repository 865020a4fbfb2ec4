/** A log in memory, which is encoded and read as on disk. */
import type { LogEvent } from "../event/envelope.ts";
import { EventParseStream } from "../log/event_parse_stream.ts";
import { LineStream } from "../log/line_stream.ts";
import { forkInstead, heldHere } from "./lock_session.ts";
import type { OpenLog } from "./session_parts.ts";

/** A log in memory. Only one session may write it at a time. */
export class MemoryLog {
  #lines: Uint8Array[] = [];
  #held = false;

  /** @param id The session's id. @param cwd The directory that it belongs to. */
  constructor(readonly id: string, readonly cwd: string) {}

  /** True while a session writes the log. */
  get held(): boolean {
    return this.#held;
  }

  get bytes(): number {
    return this.#lines.reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * Opens the log to append.
   *
   * @throws {SessionError} `locked`
   */
  open(action = "open session for writing", advice = forkInstead(this.id)): OpenLog {
    if (this.#held) throw heldHere(action, memoryPath(this.id), advice);
    this.#held = true;
    return {
      id: this.id,
      path: memoryPath(this.id),
      writer: {
        write: (lines) => {
          for (const line of lines) this.#lines.push(line);
        },
        sync: () => Promise.resolve(),
        close: () => Promise.resolve(),
      },
      lock: { release: () => void (this.#held = false) },
      named: Promise.resolve(),
    };
  }

  events(): ReadableStream<readonly LogEvent[]> {
    return ReadableStream.from([...this.#lines])
      .pipeThrough(new LineStream())
      .pipeThrough(new EventParseStream());
  }
}

/** Returns the name of a log in memory, in place of a path. */
export function memoryPath(id: string): string {
  return `memory:${id}`;
}
