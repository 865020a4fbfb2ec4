/**
 * Writes a clean copy of a damaged log. The log itself stays unchanged.
 *
 * @module
 */
import type { LinePosition, LogEvent } from "../event/envelope.ts";
import { SessionError } from "../event/session_error.ts";
import type { OpenFile } from "../platform/file_system.ts";
import { openSync, removeSync } from "../platform/files.ts";
import { isAlreadyExists } from "../platform/system_error.ts";
import { byteSource } from "./byte_source.ts";
import type { Report } from "./diagnostic.ts";
import { toSessionError } from "./io_error.ts";
import { parseLine } from "./line_parser.ts";
import type { Line } from "./line_splitter.ts";
import { LineStream } from "./line_stream.ts";
import { emptyTally, type ParseState } from "./parse_state.ts";
import { writeWhole } from "./write_whole.ts";

/** Counts of what {@linkcode repairLog} copied, and of the bytes that it left out. */
export interface Repair {
  /** Number of events in the clean copy. */
  events: number;
  /** Number of events in the clean copy that came from damaged lines. Each has its own line now. */
  salvaged: number;
  /** Bytes of the log that are not in the clean copy: damage and blank lines. */
  dropped_bytes: number;
}

const LF = new Uint8Array([0x0a]);

/**
 * Writes the events of a log to a new file. A line of one event is copied unchanged, even with a
 * wrong checksum: changes stay marked. A salvaged event is put on its own line. Damage and blank
 * lines are left out.
 *
 * @param path The log to read.
 * @param out The file to make, which must not exist.
 * @param report Gets the findings about the log.
 * @returns What was copied and what was not.
 * @throws {SessionError} `not-found`, `permission`, `disk-full`, `io`: no file is left then.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { repairLog } from "@reprise/reprise/pipeline";
 *
 * const directory = await mkdtemp(join(tmpdir(), "reprise-"));
 * const path = `${directory}/torn.jsonl`;
 * const line = '{"seq":1,"kind":"user_message","payload":{"content":"hi"}}\n';
 * await writeFile(path, line + '{"seq":2,"ki');
 * const repair = await repairLog(path, `${directory}/clean.jsonl`);
 * assert.deepEqual(repair, { events: 1, salvaged: 0, dropped_bytes: 12 });
 * assert.equal(await readFile(`${directory}/clean.jsonl`, "utf8"), line);
 * await rm(directory, { recursive: true });
 * ```
 */
export async function repairLog(
  path: string,
  out: string,
  report: Report = ignore,
): Promise<Repair> {
  const { readable, recycle } = byteSource(path);
  const state: ParseState = { last_seq: 0, kinds: undefined, report, tally: emptyTally() };
  const repair: Repair = { events: 0, salvaged: 0, dropped_bytes: 0 };
  const file = createOut(out);
  try {
    for await (const { lines, release } of readable.pipeThrough(new LineStream({ recycle }))) {
      for (const line of lines) writeLine(file, state, line, repair);
      release();
    }
    await file.syncData();
    file.close();
  } catch (error) {
    file.close();
    removeSync(out);
    throw toSessionError(error, "write repaired log", out);
  }
  repair.dropped_bytes = state.tally.damage + state.tally.blank;
  return repair;
}

function ignore(): void {}

function createOut(out: string): OpenFile {
  try {
    return openSync(out, { write: true, createNew: true, mode: 0o600 });
  } catch (error) {
    if (!isAlreadyExists(error)) {
      throw toSessionError(error, "create file", out);
    }
    const message =
      `Cannot create file: the file already exists, and Reprise does not overwrite it: ${out}`;
    throw new SessionError("io", message, { path: out }, error);
  }
}

function writeLine(file: OpenFile, state: ParseState, line: Line, repair: Repair): void {
  const events: LogEvent[] = [];
  parseLine(state, line, events);
  repair.events += events.length;
  for (const { integrity, position } of events) {
    const salvaged = integrity === "salvaged" && position !== undefined;
    if (salvaged) repair.salvaged++;
    writeWhole(file, salvaged ? bytesAt(line, position) : line.bytes);
    writeWhole(file, LF);
  }
}

function bytesAt(line: Line, { offset, length }: LinePosition): Uint8Array {
  const endings = 1 + Number(line.terminated);
  // A BOM is the line's, not the event's.
  const lead = line.length - line.bytes.length > endings ? 3 : 0;
  const start = offset - line.offset - lead;
  return line.bytes.subarray(Math.max(0, start), start + length);
}
