/** Cuts a transcript into pieces where no call is open: each is folded by itself later. */
import type { LogEvent } from "../../event/envelope.ts";
import { openedCalls, startedCall } from "../../event/opened_calls.ts";
import { linesFromEnd } from "../../log/backward_reader.ts";
import { readOpened } from "../../log/byte_source.ts";
import { checksumHistory } from "../../log/checksum_history.ts";
import { parseLine } from "../../log/line_parser.ts";
import { emptyTally, type ParseState } from "../../log/parse_state.ts";
import type { BranchPath } from "../../projection/branch_path.ts";
import { transcript, type TranscriptState } from "../../projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../projection/transcript/transcript_item.ts";

const SHOWN = transcript();

/** The kinds of events that a window needs. */
export const WINDOW_KINDS = SHOWN.needs;

/** Folds events into items, and knows where a piece may end. */
export class PieceFold {
  #state: TranscriptState = SHOWN.initial();

  /** Takes the next event. */
  apply(event: LogEvent): void {
    this.#state = SHOWN.apply(this.#state, event);
  }

  /** True if what follows changes none of the items so far. */
  isCut(): boolean {
    const { open, closed } = this.#state;
    return open.started.size === 0 && open.declared.size === 0 && closed === undefined;
  }

  /** Takes all items, and begins the next piece. */
  take({ last }: { last: boolean }): TranscriptItem[] {
    const items = SHOWN.result(this.#state);
    this.#state = SHOWN.initial();
    return last ? items : withoutEnd(items);
  }
}

/** Folds the events of one piece; `last` if the session ends with them. */
export function foldPiece(events: Iterable<LogEvent>, last: boolean): TranscriptItem[] {
  const fold = new PieceFold();
  for (const event of events) fold.apply(event);
  return fold.take({ last });
}

/** Drops the session's end, which is shown only if nothing follows it. */
function withoutEnd(items: TranscriptItem[]): TranscriptItem[] {
  return items.at(-1)?.type === "closed" ? items.slice(0, -1) : items;
}

/** Options to cut a piece. */
interface CutOptions {
  /** Byte behind the piece. */
  to: number;
  /** The piece has so many bytes, or more. */
  least_bytes: number;
  /** A call may be open at the cut of a longer piece. */
  most_bytes: number;
  /** The way that the items are on. */
  way: BranchPath;
}

/**
 * Finds the byte at which a piece begins that ends at `to`. No call is open there, so the items
 * from there on are those of the whole log.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function cutBefore(
  path: string,
  { to, least_bytes, most_bytes, way }: CutOptions,
): Promise<number> {
  return await readOpened(path, async (file) => {
    const state: ParseState = {
      last_seq: undefined,
      kinds: WINDOW_KINDS,
      report(): void {},
      tally: emptyTally(),
      history: checksumHistory(path),
    };
    const calls = new OpenBehind();
    const block_bytes = Math.max(64 * 1024, least_bytes);
    for await (const lines of linesFromEnd(file, { to, block_bytes })) {
      for (const line of lines) {
        const events: LogEvent[] = [];
        parseLine(state, line, events);
        const own = way.of(events);
        for (const event of own.toReversed()) calls.before(event);
        const bytes = to - line.offset;
        if (bytes >= most_bytes) return line.offset;
        if (bytes >= least_bytes && calls.none && begins(own)) return line.offset;
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

/** True if a piece may begin with a line that holds these events. */
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
