/** Reads from a log's end all that a writer must know before it appends. */
import { ENVELOPE_VERSION } from "../event/decode.ts";
import type { LogEvent } from "../event/envelope.ts";
import { SessionError } from "../event/session_error.ts";
import { linesFromEnd } from "./backward_reader.ts";
import { readOpened } from "./byte_source.ts";
import { checksumHistory } from "./checksum_history.ts";
import { parseLineAlone } from "./line_parser.ts";

const NO_KINDS: ReadonlySet<string> = new Set();

/**
 * Reads the greatest sequence number of a log. It reads blocks backwards until one holds a verified
 * event, because no earlier event has a greater number. For a line with a wrong checksum, it counts
 * one more than the number of the line before.
 *
 * @returns 0 for a log without events.
 * @throws {SessionError} `unsupported-version` if a newer version of Reprise wrote a line there.
 */
export async function readLastSeq(path: string): Promise<number> {
  const history = checksumHistory(path);
  return await readOpened(path, async (file) => {
    let last = 0;
    // Changed lines whose number depends on an event before them, which was not read yet.
    let changed = 0;
    for await (const lines of linesFromEnd(file)) {
      let verified = false;
      for (const line of lines) {
        for (const event of parseLineAlone(line, { kinds: NO_KINDS, history }).reverse()) {
          refuseNewer(event, path);
          if (event.integrity === "mismatch") {
            changed++;
          } else {
            last = Math.max(last, event.seq + changed);
            changed = 0;
          }
          verified ||= event.integrity === "verified";
        }
      }
      if (verified) return last;
    }
    return Math.max(last, changed);
  });
}

function refuseNewer(event: LogEvent, path: string): void {
  if (event.form !== "unknown" || event.v === undefined || event.v <= ENVELOPE_VERSION) return;
  const message =
    "Cannot open session for writing: a newer version of Reprise wrote the session (format " +
    `version ${event.v}); update Reprise, or export the session: ${path}`;
  throw new SessionError("unsupported-version", message, { path });
}
