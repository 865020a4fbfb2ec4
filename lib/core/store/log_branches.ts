/**
 * Finds the branches of a log, and reads the events of its main path. Branch events are found by
 * their bytes, from the log's end, before the log is read.
 */
import type { LogEvent } from "../event/envelope.ts";
import type { EventKind } from "../event/payload.ts";
import { ESCAPED_LETTER, textPattern } from "../log/byte_pattern.ts";
import { readOpened } from "../log/byte_source.ts";
import { isDamage, type Report } from "../log/diagnostic.ts";
import { parseLineAlone } from "../log/line_parser.ts";
import { linesHolding } from "../log/lines_holding.ts";
import { readEvents, type ReadEventsOptions } from "../log/read_events.ts";
import { BranchPath, type BranchPoint, branchPoint } from "../projection/branch_path.ts";

export interface LogBranch extends BranchPoint {
  /** Byte offset of the branch event's line. */
  offset: number;
}

export interface LogBranches {
  /** All branches, in the order of the log. */
  branches: readonly LogBranch[];
  /** Size of the log in bytes when it was searched. */
  to: number;
}

export const BRANCH_KINDS: ReadonlySet<EventKind> = new Set<EventKind>(["conversation_branched"]);

export async function findBranches(path: string): Promise<LogBranches> {
  const { events, to } = await findRare(path, BRANCH_KINDS);
  return { branches: branchesAmong(events), to };
}

/**
 * Finds events of rare kinds. Parses only lines whose bytes may contain the names of these kinds.
 *
 * @returns The events in the order of the log, and the log's size when it was searched.
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function findRare(
  path: string,
  kinds: ReadonlySet<EventKind>,
): Promise<{ events: LogEvent[]; to: number }> {
  const patterns = [...[...kinds].map(textPattern), ESCAPED_LETTER];
  return await readOpened(path, async (file) => {
    const { size: to } = file.statSync();
    const found: LogEvent[] = [];
    for await (const line of linesHolding(file, patterns, { to })) {
      let damaged = false;
      const report: Report = ({ code }) => void (damaged ||= isDamage(code));
      const events = parseLineAlone(line, { kinds, report })
        .filter((event) => event.form !== "unparsed" && kinds.has(event.kind as EventKind));
      if (events.length === 0) continue;
      // The number of a damaged event depends on the events before it.
      if (damaged || events.some(({ integrity }) => integrity === "mismatch")) {
        return { events: await eventsOfKinds(readEvents(path, { kinds, to }), kinds), to };
      }
      for (const one of events.reverse()) found.push(one);
    }
    return { events: found.reverse(), to };
  });
}

export async function eventsOfKinds(
  batches: AsyncIterable<readonly LogEvent[]>,
  kinds: ReadonlySet<EventKind>,
): Promise<LogEvent[]> {
  const found: LogEvent[] = [];
  for await (const events of batches) {
    for (const event of events) if (kinds.has(event.kind as EventKind)) found.push(event);
  }
  return found;
}

export function branchesAmong(events: readonly LogEvent[]): LogBranch[] {
  return events.flatMap((event) => {
    const branch = branchPoint(event);
    return branch === undefined ? [] : [{ ...branch, offset: event.position?.offset ?? 0 }];
  });
}

/**
 * Reads the events of a log that lead to its last event, without abandoned branches.
 *
 * @throws {SessionError} From the iterator: as {@linkcode readEvents}
 */
export async function* readMainPath(
  path: string,
  options: ReadEventsOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  const { branches, to } = await findBranches(path);
  yield* onPath(new BranchPath(branches), readEvents(path, { to, ...options }));
}

export async function* onPath(
  path: BranchPath,
  batches: AsyncIterable<readonly LogEvent[]>,
): AsyncGenerator<readonly LogEvent[]> {
  for await (const events of batches) {
    const own = path.of(events);
    if (own.length > 0) yield own;
  }
}
