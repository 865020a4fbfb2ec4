/** Watches a log for events that are appended. */
import type { LogEvent } from "../event/envelope.ts";
import { openToRead } from "../log/byte_source.ts";
import type { Report } from "../log/diagnostic.ts";
import { typedIfSystem } from "../log/io_error.ts";
import { parseLine } from "../log/line_parser.ts";
import { splitChunk, type SplitState, startSplit } from "../log/line_splitter.ts";
import { emptyTally, type ParseState } from "../log/parse_state.ts";
import { BranchPath, branchPoint } from "../projection/branch_path.ts";
import { findBranches } from "./log_branches.ts";
import { pause } from "../platform/pause.ts";

/** Start and end of a watch, and its callbacks; see {@linkcode watchEvents}. */
export interface WatchOptions {
  /** Number of the event after which the watch begins; 0 for all events. @default {0} */
  after_seq?: number;
  /** Ends the watch. */
  signal?: AbortSignal;
  /** Receives the diagnostics of the part that is read. @default {nothing} */
  report?: Report;
  /** Called once, when all events that were in the log at first have been yielded. */
  onCaughtUp?: () => void;
}

const POLL_MS = 100;
const CHUNK_BYTES = 128 * 1024;

function ignore(): void {}

/**
 * Yields the events of a log, and then each event that is appended, until `signal` aborts. Only
 * whole lines are read, so an event that is being written comes when it is complete.
 *
 * @throws {SessionError} `not-found`, `permission`, `unsupported-source`
 */
export async function* watchEvents(
  path: string,
  { after_seq = 0, signal, report = ignore, onCaughtUp = ignore }: WatchOptions = {},
): AsyncGenerator<LogEvent[]> {
  const file = openToRead(path);
  const split = startSplit();
  const state: ParseState = { last_seq: 0, kinds: undefined, report, tally: emptyTally() };
  const chunk = new Uint8Array(CHUNK_BYTES);
  let caughtUp = false;
  try {
    while (!signal?.aborted) {
      const count = file.readSync(chunk);
      if (count === null) {
        if (!caughtUp) onCaughtUp();
        caughtUp = true;
        await pause(POLL_MS, signal);
        continue;
      }
      const events = parseChunk(state, split, chunk.subarray(0, count));
      const wanted = events.filter(({ seq }) => seq > after_seq);
      if (wanted.length > 0) yield wanted;
    }
  } catch (error) {
    throw typedIfSystem(error, "read log", path);
  } finally {
    file.close();
  }
}

/**
 * Yields the events on the path to the log's last event, and then new events. Calls `onBranch` if a
 * branch is appended, because events already yielded may be off the path then.
 */
export async function* watchMainPath(
  path: string,
  { onBranch = ignore, ...options }: WatchOptions & { onBranch?: () => void } = {},
): AsyncGenerator<LogEvent[]> {
  const { branches, to } = await findBranches(path);
  const way = new BranchPath(branches);
  for await (const events of watchEvents(path, options)) {
    const own = events.filter((event) =>
      (event.position?.offset ?? to) >= to || way.has(event.seq)
    );
    if (own.some((event) => (event.position?.offset ?? 0) >= to && branchPoint(event))) onBranch();
    if (own.length > 0) yield own;
  }
}

function parseChunk(state: ParseState, split: SplitState, chunk: Uint8Array): LogEvent[] {
  const events: LogEvent[] = [];
  for (const line of splitChunk(split, chunk)) parseLine(state, line, events);
  return events;
}
