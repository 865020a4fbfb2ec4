/** Finds the branch that a log names last, without reading all of a long one. */
import type { LogEvent } from "../event/envelope.ts";
import { textPattern } from "../log/byte_pattern.ts";
import { readOpened } from "../log/byte_source.ts";
import { type ChecksumHistory, checksumHistory } from "../log/checksum_history.ts";
import { parseLine } from "../log/line_parser.ts";
import { linesHolding } from "../log/lines_holding.ts";
import { emptyTally, type ParseState } from "../log/parse_state.ts";

const NAMING: ReadonlySet<string> = new Set(["session_started", "workspace_snapshot"]);
const TRACES = [...NAMING].map(textPattern);

/** Returns the branch that an event names: the session's head, or a snapshot of the work tree. */
function branchOf(event: LogEvent): string | undefined {
  if (event.form !== "known") return undefined;
  if (event.kind === "session_started") return event.payload.git?.branch;
  return event.kind === "workspace_snapshot" ? event.payload.git_branch : undefined;
}

/**
 * Finds the branch that a log names last.
 *
 * @param most_bytes Maximum number of bytes to search, from the log's end.
 * @returns The branch; undefined where those bytes name none.
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function findBranch(path: string, most_bytes: number): Promise<string | undefined> {
  return await readOpened(path, async (file) => {
    const { size: to } = await file.stat();
    const history = checksumHistory(path);
    const from = Math.max(0, to - most_bytes);
    for await (const line of linesHolding(file, TRACES, { from, to })) {
      const events: LogEvent[] = [];
      parseLine(oneLine(history), line, events);
      const branch = events.map(branchOf).findLast((branch) => branch !== undefined);
      if (branch !== undefined) return branch;
    }
    return undefined;
  });
}

function oneLine(history: ChecksumHistory): ParseState {
  return { last_seq: undefined, kinds: NAMING, report(): void {}, tally: emptyTally(), history };
}
