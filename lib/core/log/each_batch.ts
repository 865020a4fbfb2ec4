/**
 * Reads a log as the pipeline does, without streams: their machinery takes longer than a short log.
 */
import type { LogEvent } from "../event/envelope.ts";
import { byteChunks, recycle } from "./byte_source.ts";
import type { Report } from "./diagnostic.ts";
import { parseLine, timeLastEvent } from "./line_parser.ts";
import { type Line, splitChunk, splitRest, startSplit } from "./line_splitter.ts";
import { nextTurn } from "./next_turn.ts";
import { emptyTally, type ParseState } from "./parse_state.ts";

/** Milliseconds of parsing after which other tasks of the process run. */
const MOST_MS = 16;

/** Options of {@linkcode eachBatch}. */
interface EachBatchOptions {
  /** Kinds to parse; lines of others come as `unparsed`. */
  kinds: ReadonlySet<string>;
  report?: Report | undefined;
  /** Stops reading and closes the file. */
  signal?: AbortSignal | undefined;
}

/**
 * Gives all events of a log, in batches and in the order of the file.
 *
 * @throws {SessionError} `not-found`, `permission`, `unsupported-source`, `io`
 */
export async function eachBatch(
  path: string,
  { kinds, report = ignore, signal }: EachBatchOptions,
  take: (events: readonly LogEvent[]) => void,
): Promise<void> {
  const state: ParseState = { last_seq: 0, kinds, report, tally: emptyTally() };
  const split = startSplit();
  const parse = (lines: readonly Line[]): void => {
    const events: LogEvent[] = [];
    for (const line of lines) parseLine(state, line, events);
    timeLastEvent(state, events);
    take(events);
  };
  let began = performance.now();
  for (const chunk of byteChunks(path)) {
    signal?.throwIfAborted();
    parse(splitChunk(split, chunk));
    recycle(chunk);
    if (performance.now() - began < MOST_MS) continue;
    await nextTurn();
    began = performance.now();
  }
  const rest = splitRest(split);
  if (rest !== undefined) parse([rest]);
}

function ignore(): void {}
