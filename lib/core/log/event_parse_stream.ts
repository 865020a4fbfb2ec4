/**
 * Second stage of the pipeline: parses batches of lines as batches of events.
 *
 * @module
 */
import type { LogEvent } from "../event/envelope.ts";
import { SessionError } from "../event/session_error.ts";
import { type ByteTally, type Diagnostic, isFault, type Report } from "./diagnostic.ts";
import type { LineBlock } from "./line_blocks.ts";
import { parseBlock, parseLine, timeLastEvent } from "./line_parser.ts";
import type { Line } from "./line_splitter.ts";
import type { LineBatch } from "./line_stream.ts";
import { emptyTally, type ParseState } from "./parse_state.ts";

/** Options of an {@linkcode EventParseStream}, such as the kinds to parse. */
export interface EventParseStreamOptions {
  /**
   * Kinds of events to parse. Verified lines of other kinds become `unparsed` events.
   * @default {all kinds}
   */
  kinds?: ReadonlySet<string>;
  /** Gets the findings about the lines, in the order of the bytes. @default {nothing} */
  report?: Report | undefined;
  /**
   * The reaction to a fault: `tolerant` reads on, `strict` errors the stream, `prefix` ends it.
   * @default {"tolerant"}
   */
  mode?: "tolerant" | "strict" | "prefix";
  /** Counts of bytes, which are updated during reading. */
  tally?: ByteTally;
  /** Sequence number of the event before the first line. Absent if not known. */
  after_seq?: number | undefined;
  /** Tells if a line before an offset has a checksum. @default {the first line begins the log} */
  history?: ((offset: number) => boolean) | undefined;
}

/**
 * Parses lines as events. Never throws, whatever the bytes are. Faults go to `report`, and every
 * byte is counted in `tally`.
 *
 * @throws {SessionError} `damaged`, only in strict mode: the stream errors at the first fault.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { EventParseStream, LineStream } from "@reprise/reprise/pipeline";
 *
 * const log = '{"seq":1,"kind":"user_message","payload":{"content":"hi"}}\nnoise\n';
 * const found: string[] = [];
 * const kinds: string[] = [];
 * await new Blob([log]).stream()
 *   .pipeThrough(new LineStream())
 *   .pipeThrough(new EventParseStream({ report: (diagnostic) => found.push(diagnostic.code) }))
 *   .pipeTo(new WritableStream({ write: (events) => events.forEach(({ kind }) => kinds.push(kind)) }));
 * assert.deepEqual(kinds, ["user_message"]);
 * assert.deepEqual(found, ["malformed-line"]);
 * ```
 */
export class EventParseStream extends TransformStream<LineBatch, readonly LogEvent[]> {
  /** Numbers of bytes read so far: of events, damage and blank lines. */
  readonly tally: ByteTally;

  /**
   * Makes a stage for the batches of lines of one log.
   *
   * @param options The kinds to parse, the receiver of findings, and the reaction to a fault.
   */
  constructor(options: EventParseStreamOptions = {}) {
    const parser = eventParser(options);
    super({
      transform({ lines, release }, controller): void {
        const { events, ended } = parser.parseLines(lines);
        release();
        if (events.length > 0) controller.enqueue(events);
        if (ended === true) controller.terminate();
        else if (ended !== undefined) controller.error(ended);
      },
    });
    this.tally = parser.tally;
  }
}

/** The events of a batch. After a fault, `ended` is true in `prefix` mode, an error in `strict`. */
interface ParsedBatch {
  events: LogEvent[];
  ended: true | SessionError | undefined;
}

/** A parser of one log. Batches and blocks of lines must come in file order. */
export interface EventParser {
  readonly tally: ByteTally;
  parseLines(lines: readonly Line[]): ParsedBatch;
  /** Parses a block of lines, none of which is longer than `most_bytes`. */
  parseBlock(block: LineBlock, most_bytes: number | undefined): ParsedBatch;
}

export function eventParser(options: EventParseStreamOptions, first_line = 1): EventParser {
  const tally = options.tally ?? emptyTally();
  const mode = options.mode ?? "tolerant";
  let fault: Diagnostic | undefined;
  const report: Report = (diagnostic) => {
    if (mode !== "tolerant" && isFault(diagnostic.code)) fault ??= diagnostic;
    options.report?.(diagnostic);
  };
  const { after_seq: last_seq, kinds, history } = options;
  const state: ParseState = { last_seq, kinds, report, tally, history };
  const parsed = (events: LogEvent[]): ParsedBatch => {
    timeLastEvent(state, events);
    return { events, ended: fault && (mode === "prefix" ? true : damagedError(fault)) };
  };
  let line = first_line;
  return {
    tally,
    parseLines(lines): ParsedBatch {
      const events: LogEvent[] = [];
      for (const line of lines) {
        const before = events.length;
        parseLine(state, line, events);
        if (fault === undefined) continue;
        events.length = before;
        break;
      }
      return parsed(events);
    },
    parseBlock(block, most_bytes): ParsedBatch {
      const events: LogEvent[] = [];
      const ended = (): boolean => fault !== undefined;
      line = parseBlock(state, block, { first: line, most_bytes }, events, ended);
      return parsed(events);
    },
  };
}

function damagedError({ code, offset, line, detail }: Diagnostic): SessionError {
  const place = line > 0 ? `line ${line}` : `byte ${offset}`;
  return new SessionError("damaged", `Cannot read past ${place}: ${code}: ${detail}`, {
    offset,
  });
}
