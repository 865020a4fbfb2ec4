/**
 * Searches a Reprise log. Only lines that can match are parsed. After a damaged one, the log is
 * read normally, with salvage.
 */
import type { LogEvent } from "../../event/envelope.ts";
import {
  type ChecksumHistory,
  checksumHistory,
  lineIntegrity,
} from "../../log/checksum_history.ts";
import { type LineBlock, lineBlocks, lineBlocksInTurns } from "../../log/line_blocks.ts";
import { trimLine } from "../../log/line_splitter.ts";
import { parseEvent } from "../../log/parse_event.ts";
import { readEvents } from "../../log/read_events.ts";
import type { ByteLines } from "../prefilter/byte_phrase.ts";
import { driverPlaces, Evidence, type Prefilter } from "../prefilter/prefilter.ts";
import { SEARCHED_KINDS } from "../searchable_text.ts";

/** Gets the events that can hold what is looked for. */
export type OnEvent = (event: LogEvent) => void;

/** How to scan a log. */
export interface ScanLogOptions {
  /** Where to begin: a line begins there. @default {0} */
  from?: number;
  /** Ends the scan. With it, keys and timers have their turn. */
  signal?: AbortSignal | undefined;
}

/**
 * Gives all events of a log that may fit.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function scanLog(
  path: string,
  prefilter: Prefilter | undefined,
  onEvent: OnEvent,
  { from = 0, signal }: ScanLogOptions = {},
): Promise<void> {
  if (prefilter === undefined) return await readFrom(path, from, onEvent, signal);
  const history = checksumHistory(path);
  const blocks = signal === undefined
    ? lineBlocks(path, from)
    : lineBlocksInTurns(path, signal, from);
  for await (const block of blocks) {
    const damaged = scanBlock(block, { prefilter, history, onEvent });
    if (damaged !== undefined) return await readFrom(path, damaged, onEvent, signal);
  }
}

/** Reads the whole log, and gives what begins at `from` or behind it. */
async function readFrom(
  path: string,
  from: number,
  onEvent: OnEvent,
  signal: AbortSignal | undefined,
): Promise<void> {
  const stopped = signal === undefined ? {} : { signal };
  for await (const events of readEvents(path, { kinds: SEARCHED_KINDS, ...stopped })) {
    for (const event of events) if ((event.position?.offset ?? 0) >= from) onEvent(event);
  }
}

const LF = 0x0a;

interface BlockScan {
  prefilter: Prefilter;
  history: ChecksumHistory;
  onEvent: OnEvent;
}

/** Gives the events of a block that may fit; the offset of the first damaged line, if there is one. */
function scanBlock(
  block: LineBlock,
  { prefilter, history, onEvent }: BlockScan,
): number | undefined {
  const { finder: { bytes }, end: block_end, offset } = block;
  const starts = new Set<number>();
  for (const place of driverPlaces(prefilter, block.finder, 0, block_end)) {
    starts.add(place === 0 ? 0 : bytes.lastIndexOf(LF, place - 1) + 1);
  }
  for (const start of [...starts].sort((a, b) => a - b)) {
    const found = bytes.indexOf(LF, start);
    const terminated = found >= 0 && found < block_end;
    const end = terminated ? found : block_end;
    if (prefilter.is_composed && !mayFitIn(prefilter, { finder: block.finder, start, end })) {
      continue;
    }
    const raw = bytes.subarray(start, end);
    const at = { offset: offset + start, length: raw.length + Number(terminated) };
    const event = eventOf(raw, at, history);
    if (event === "malformed-line") return offset + start;
    if (event !== "too-deep") onEvent(event);
  }
  return undefined;
}

/** True if a line may hold all that is looked for. */
function mayFitIn(prefilter: Prefilter, line: ByteLines): boolean {
  return new Evidence(prefilter).look(line);
}

/** Returns the event on a line, which is read without its neighbours. */
export function eventOf(
  raw: Uint8Array,
  at: { offset: number; length: number },
  history: ChecksumHistory,
): LogEvent | "malformed-line" | "too-deep" {
  const bytes = trimLine(raw);
  return parseEvent(bytes, lineIntegrity(bytes, at.offset, history), { ...at, line: 0 });
}
