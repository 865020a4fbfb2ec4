/**
 * Searches one session of any agent. In a Reprise log, only lines that can match are parsed. After
 * a damaged line, the log is read normally, with salvage.
 */
import { present } from "../../../core/event/present.ts";
import type { LogEvent } from "../../../core/event/envelope.ts";
import { openReader } from "../../machine/registry.ts";
import { countingRead, eventsOfMain, type OnCounted } from "../../counts/session_count.ts";
import {
  type ChecksumHistory,
  checksumHistory,
  lineIntegrity,
} from "../../../core/log/checksum_history.ts";
import { type LineBlock, lineBlocks, lineBlocksInTurns } from "../../../core/log/line_blocks.ts";
import { trimLine } from "../../../core/log/line_splitter.ts";
import { nextTurn } from "../../../core/log/next_turn.ts";
import { parseEvent } from "../../../core/log/parse_event.ts";
import { readEvents } from "../../../core/log/read_events.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import type { ByteLines, Standing } from "../prefilter/byte_phrase.ts";
import { driverPlaces, Evidence, type Prefilter } from "../prefilter/prefilter.ts";
import type { TopHits } from "../rank.ts";
import {
  bestHitOf,
  type SearchedSession,
  searchEvent,
  type SearchHit,
  type SearchTask,
} from "../search_task.ts";
import { SEARCHED_KINDS } from "../searchable_text.ts";

/**
 * Passes the hits in all threads of a session to `top`. A Reprise log is read from `from` on.
 *
 * @returns False if the session is left unread, because its hits would rank below those in `top`.
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function scanSession(
  task: SearchTask,
  searched: SearchedSession,
  top: TopHits<SearchHit>,
  options: ScanLogOptions & { onCounted?: OnCounted } = {},
): Promise<boolean> {
  const { session } = searched;
  const { signal, onCounted = () => {} } = options;
  const reader = await openReader(session);
  const log = reader.log?.path;
  const whole = !task.count_all && top.excludes(bestHitOf(task, searched, false));
  if (whole || log === undefined) {
    const standing = await standingIn(task.prefilter, session, { whole, signal });
    if (standing === "none") return true;
    if (whole && standing === "part") return false;
  }
  if (log !== undefined) {
    const onEvent = (event: LogEvent): void => searchEvent(task, searched, event, top);
    await scanLog(log, task.prefilter, onEvent, options);
    return true;
  }
  const read = reader.readThreads(present({ needs: SEARCHED_KINDS, signal }));
  const counting = countingRead(session, read, eventsOfMain, { onCounted });
  for await (const { thread, events } of counting) {
    for (const event of events) searchEvent(task, { ...searched, thread }, event, top);
    if (signal !== undefined) await nextTurn();
    signal?.throwIfAborted();
  }
  return true;
}

export async function mayHold(
  prefilter: Prefilter | undefined,
  session: AgentSession,
): Promise<boolean> {
  return await standingIn(prefilter, session, { whole: false, signal: undefined }) !== "none";
}

export interface StandingOptions {
  /**
   * True to search until a whole word is found. If false, the search ends at any possible match.
   * Then `part` and `whole` both mean that a match may occur.
   */
  whole: boolean;
  signal: AbortSignal | undefined;
}

/** Returns the best match that a session's files may have; `whole` if this is not known. */
export async function standingIn(
  prefilter: Prefilter | undefined,
  session: AgentSession,
  { whole, signal }: StandingOptions,
): Promise<Standing> {
  if (prefilter === undefined) return "whole";
  const { paths = [], added_words } = await (await openReader(session)).files() ?? {};
  if (added_words === undefined) return "whole";
  const evidence = new Evidence(prefilter, added_words);
  for (const path of paths) {
    const blocks = signal === undefined ? lineBlocks(path) : lineBlocksInTurns(path, signal);
    for await (const { finder, end, oversized } of blocks) {
      if (oversized || evidence.look({ finder, start: 0, end }, whole)) return "whole";
    }
  }
  if (!evidence.may_fit) return "none";
  return evidence.may_be_whole ? "whole" : "part";
}

type OnEvent = (event: LogEvent) => void;

interface ScanLogOptions {
  /** Byte offset of the first line to scan. @default {0} */
  from?: number;
  /** Ends the scan. If given, keys and timers are handled during the scan. */
  signal?: AbortSignal | undefined;
}

/**
 * Passes to `onEvent` all events of a log that may match.
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

/** Reads the whole log, but passes on only the events from offset `from` on. */
async function readFrom(
  path: string,
  from: number,
  onEvent: OnEvent,
  signal: AbortSignal | undefined,
): Promise<void> {
  for await (const events of readEvents(path, present({ kinds: SEARCHED_KINDS, signal }))) {
    for (const event of events) if ((event.position?.offset ?? 0) >= from) onEvent(event);
  }
}

const LF = 0x0a;

interface BlockScan {
  prefilter: Prefilter;
  history: ChecksumHistory;
  onEvent: OnEvent;
}

/** Passes on the events in a block that may match. Returns the offset of the first damaged line. */
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

function mayFitIn(prefilter: Prefilter, line: ByteLines): boolean {
  return new Evidence(prefilter).look(line);
}

export function eventOf(
  raw: Uint8Array,
  at: { offset: number; length: number },
  history: ChecksumHistory,
): LogEvent | "malformed-line" | "too-deep" {
  const bytes = trimLine(raw);
  return parseEvent(bytes, lineIntegrity(bytes, at.offset, history), { ...at, line: 0 });
}
