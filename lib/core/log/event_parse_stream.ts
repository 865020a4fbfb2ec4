/**
 * Second stage of the pipeline: batches of lines to batches of events.
 *
 * @module
 */
import type { LogEvent } from "../event/envelope.ts";
import { SessionError } from "../event/session_error.ts";
import { type ByteTally, type Diagnostic, isFault, type Report } from "./diagnostic.ts";
import { parseLine, timeLastEvent } from "./line_parser.ts";
import type { LineBatch } from "./line_stream.ts";
import { emptyTally, type ParseState } from "./parse_state.ts";

/**
 * The reaction to a fault: `tolerant` goes on, `strict` errors the stream at the first one,
 * `prefix` ends it there.
 */
export type ReadMode = "tolerant" | "strict" | "prefix";

/** Options of {@linkcode EventParseStream}. */
export interface EventParseStreamOptions {
  /** Kinds to parse; verified lines of others come as `unparsed`. @default {all kinds} */
  kinds?: ReadonlySet<string>;
  /** Gets the findings, in the order of the bytes. @default {nothing} */
  report?: Report | undefined;
  /** The reaction to a fault. @default {"tolerant"} */
  mode?: ReadMode;
  /** Counts of bytes, which are updated during reading. */
  tally?: ByteTally;
  /** Seq of the event before the first line; absent if not known. */
  after_seq?: number | undefined;
  /** Tells whether a line before an offset has a checksum. @default {none comes before} */
  history?: ((offset: number) => boolean) | undefined;
}

/**
 * Parses lines as events, tolerantly: whatever the bytes, it does not throw. What is wrong goes to
 * `report`; every byte is counted in `tally`.
 *
 * @throws {SessionError} `damaged`, in strict mode alone: errors the stream at the first fault.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { EventParseStream, LineStream } from "@reprise/reprise/pipeline";
 *
 * const log = '{"seq":1,"kind":"user_message","payload":{"content":"hi"}}\nnoise\n';
 * const found: string[] = [];
 * const events = ReadableStream.from([new TextEncoder().encode(log)])
 *   .pipeThrough(new LineStream())
 *   .pipeThrough(new EventParseStream({ report: (diagnostic) => found.push(diagnostic.code) }));
 * const kinds = [];
 * for await (const batch of events) {
 *   for (const one of batch.map((event) => event.kind)) kinds.push(one);
 * }
 * assert.deepEqual(kinds, ["user_message"]);
 * assert.deepEqual(found, ["malformed-line"]);
 * ```
 */
export class EventParseStream extends TransformStream<LineBatch, readonly LogEvent[]> {
  /** Numbers of all bytes read so far, by type. */
  readonly tally: ByteTally;

  /**
   * Makes a stage to pipe batches of lines through, from one log alone.
   *
   * @param options Kinds, report and mode.
   */
  constructor(options: EventParseStreamOptions = {}) {
    const tally = options.tally ?? emptyTally();
    const mode = options.mode ?? "tolerant";
    let fault: Diagnostic | undefined;
    const report: Report = (diagnostic) => {
      if (mode !== "tolerant" && isFault(diagnostic.code)) fault ??= diagnostic;
      options.report?.(diagnostic);
    };
    const { after_seq: last_seq, kinds, history } = options;
    const state: ParseState = { last_seq, kinds, report, tally, history };
    super({
      transform(batch, controller): void {
        const events: LogEvent[] = [];
        for (const line of batch.lines) {
          const before = events.length;
          parseLine(state, line, events);
          if (fault !== undefined) {
            events.length = before;
            break;
          }
        }
        timeLastEvent(state, events);
        batch.release();
        if (events.length > 0) controller.enqueue(events);
        if (fault === undefined) return;
        if (mode === "prefix") controller.terminate();
        else controller.error(damagedError(fault));
      },
    });
    this.tally = tally;
  }
}

function damagedError({ code, offset, line, detail }: Diagnostic): SessionError {
  const place = line > 0 ? `line ${line}` : `byte ${offset}`;
  return new SessionError("damaged", `Cannot read past ${place}: ${code}: ${detail}`, {
    offset,
  });
}
