/** Reads from a log's end all that a writer must know before it appends. */
import { ENVELOPE_VERSION } from "../event/decode.ts";
import type { LogEvent } from "../event/envelope.ts";
import { SessionError } from "../event/session_error.ts";
import { linesFromEnd } from "./backward_reader.ts";
import { readOpened } from "./byte_source.ts";
import { parseLine } from "./line_parser.ts";
import { emptyTally, type ParseState } from "./parse_state.ts";

const NO_KINDS: ReadonlySet<string> = new Set();

/**
 * The greatest sequence number near the log's end: of the blocks back to the first one that holds a
 * verified event, which is the last in order. Changed lines do not count.
 *
 * @returns 0 for a log without events.
 * @throws {SessionError} `unsupported-version` when a newer version wrote there.
 */
export async function readLastSeq(path: string): Promise<number> {
  return await readOpened(path, async (file) => {
    let last = 0;
    for await (const lines of linesFromEnd(file)) {
      const events: LogEvent[] = [];
      for (const line of lines) parseLine(parsesOneLine(), line, events);
      for (const event of events) {
        refuseNewer(event, path);
        if (event.integrity !== "mismatch") last = Math.max(last, event.seq);
      }
      if (events.some((event) => event.integrity === "verified")) break;
    }
    return last;
  });
}

function parsesOneLine(): ParseState {
  return {
    last_seq: undefined,
    kinds: NO_KINDS,
    report(): void {},
    tally: emptyTally(),
  };
}

function refuseNewer(event: LogEvent, path: string): void {
  if (event.form !== "unknown" || event.v === undefined || event.v <= ENVELOPE_VERSION) return;
  const message =
    `Cannot open session to write: a newer version of Reprise wrote it (envelope ${event.v}); update Reprise, or export the session: ${path}`;
  throw new SessionError("unsupported-version", message, { path });
}
