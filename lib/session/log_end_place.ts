/** Finds a place near a log's end behind which a transcript can be folded by itself. */
import type { LogEvent } from "../event/envelope.ts";
import { openedCalls, startedCall } from "../event/opened_calls.ts";
import { TRANSCRIPT_KINDS } from "../event/policy.ts";
import { linesFromEnd } from "../log/backward_reader.ts";
import { readOpened } from "../log/byte_source.ts";
import { checksumHistory } from "../log/checksum_history.ts";
import { parseLine } from "../log/line_parser.ts";
import { emptyTally, type ParseState } from "../log/parse_state.ts";
import type { BranchPath } from "../projection/branch_path.ts";

/** Bytes of the end in which the place is looked for. */
const MOST_BYTES = 16 * 1024 * 1024;
const BLOCK_BYTES = 64 * 1024;

/** The part of a log to look through. */
interface LogEnd {
  /** Byte behind its last line. */
  to: number;
  /** The place is so many bytes before it, or more. */
  least_bytes: number;
  /** The path that is read. */
  way: BranchPath;
}

/**
 * Finds the byte of a line at which no call is open; 0 for the log's beginning.
 *
 * @returns Undefined where there is none in the last 16 MiB.
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function findEndPlace(
  path: string,
  { to, least_bytes, way }: LogEnd,
): Promise<number | undefined> {
  return await readOpened(path, async (file) => {
    const state: ParseState = {
      last_seq: undefined,
      kinds: new Set(TRANSCRIPT_KINDS),
      report(): void {},
      tally: emptyTally(),
      history: checksumHistory(path),
    };
    const calls = new OpenBehind();
    const block_bytes = Math.max(BLOCK_BYTES, least_bytes);
    for await (const lines of linesFromEnd(file, { to, block_bytes })) {
      for (const line of lines) {
        const events: LogEvent[] = [];
        parseLine(state, line, events);
        const own = way.of(events);
        for (const event of own.toReversed()) calls.before(event);
        const bytes = to - line.offset;
        if (bytes >= least_bytes && calls.none && begins(own)) return line.offset;
        if (bytes >= MOST_BYTES) return undefined;
      }
    }
    return 0;
  });
}

/** While calls run, what a response declared before may still get its place. */
const DURING_CALLS: ReadonlySet<string> = new Set([
  "tool_start",
  "tool_end",
  "bash_start",
  "bash_end",
  "diff",
]);

/** True if a read may begin with a line that holds these events. */
function begins([event, ...others]: readonly LogEvent[]): boolean {
  return event !== undefined && others.length === 0 && isSound(event) &&
    !DURING_CALLS.has(event.kind);
}

/** True for an event whose number can be trusted. */
export function isSound(event: LogEvent): boolean {
  return event.form === "known" &&
    (event.integrity === "verified" || event.integrity === "unverified");
}

/** The calls that end behind a place and begin before it. */
class OpenBehind {
  readonly #open = new Map<string, number>();

  get none(): boolean {
    return this.#open.size === 0;
  }

  /** Looks at the event before the last that was looked at. */
  before(event: LogEvent): void {
    if (event.form !== "known") return;
    if (event.kind === "tool_end" || event.kind === "bash_end") {
      const { call_id } = event.payload;
      this.#open.set(call_id, (this.#open.get(call_id) ?? 0) + 1);
    }
    const started = startedCall(event);
    if (started !== undefined && !this.#open.has(started)) this.#open.set(started, 1);
    for (const { call_id } of openedCalls(event)) this.#opened(call_id);
  }

  #opened(call_id: string): void {
    const count = this.#open.get(call_id) ?? 0;
    if (count > 1) this.#open.set(call_id, count - 1);
    else this.#open.delete(call_id);
  }
}
