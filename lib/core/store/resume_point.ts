/**
 * Finds where the conversation begins in a log, from its end. So a resume of gigabytes reads only
 * what follows the last compaction.
 *
 * @module
 */
import type { KnownEvent, LogEvent } from "../event/envelope.ts";
import { declaresCalls, isMessageKind } from "../event/opened_calls.ts";
import type { EventKind } from "../event/payload.ts";
import { present } from "../event/present.ts";
import { linesFromEnd } from "../log/backward_reader.ts";
import { ESCAPED_LETTER, textPattern } from "../log/byte_pattern.ts";
import { readOpened } from "../log/byte_source.ts";
import { isDamage, type Report } from "../log/diagnostic.ts";
import { parseLineAlone } from "../log/line_parser.ts";
import type { Line } from "../log/line_splitter.ts";
import { linesHolding } from "../log/lines_holding.ts";
import { readEvents } from "../log/read_events.ts";
import type { OpenFile } from "../platform/file_system.ts";
import { BackwardPath, BranchPath } from "../projection/branch_path.ts";
import { isUsableCompaction } from "../projection/conversation/conversation.ts";
import { findBranches } from "./log_branches.ts";

/** The range of a log from which the conversation is computed. */
export interface ResumePoint {
  /** Byte offset of the first line in the range; 0 for the whole log. */
  from: number;
  /** Size of the log in bytes when it was read; the range ends there. */
  to: number;
  /** Text for missing results of calls, from the log's first event; absent if `from` is 0. */
  unanswered_call?: string;
}

export interface ResumePart extends ResumePoint {
  /** Byte offset of the line that replaces all earlier events; -1: no line; absent: unknown. */
  in_force?: number;
  /** The events of the range that lead to the log's last event. */
  path: BranchPath;
}

type Compaction = KnownEvent & { kind: "compaction_applied" };
type Replacement = KnownEvent & { kind: "conversation_replaced" };

const REPLACING: ReadonlySet<string> = new Set(["compaction_applied", "conversation_replaced"]);
const BRANCHED = "conversation_branched";
const SOUGHT: ReadonlySet<string> = new Set([...REPLACING, BRANCHED]);
const RESPONSES: ReadonlySet<string> = new Set([
  "assistant_message",
  "assistant_interrupted",
  BRANCHED,
]);
const HEAD: ReadonlySet<string> = new Set(["session_started"]);
/** Byte patterns: each line with a compaction, replacement or branch contains at least one. */
const TRACES = [...[...SOUGHT].map(textPattern), ESCAPED_LETTER];
const WHOLE = "whole";

/** Parses one line. Returns `WHOLE` if its events can only be known by reading the whole log. */
function eventsOf(
  line: Line,
  kinds: ReadonlySet<string> = SOUGHT,
): readonly LogEvent[] | typeof WHOLE {
  let damaged = false;
  const report: Report = ({ code }) => void (damaged ||= isDamage(code));
  const events = parseLineAlone(line, { kinds, report });
  // Which events of a damaged line count depends on the lines before it.
  const salvaged = events.some(({ integrity }) => integrity === "salvaged");
  return salvaged || (damaged && events.length > 0) ? WHOLE : events;
}

export function isReplacingKind(kind: string): boolean {
  return REPLACING.has(kind);
}

function isReplacing(event: LogEvent): event is Compaction | Replacement {
  if (event.form !== "known") return false;
  if (event.kind === "conversation_replaced") return true;
  return event.kind === "compaction_applied" && isUsableCompaction(event.payload);
}

function keepsNothing({ kind, payload }: Compaction | Replacement): boolean {
  if (kind === "conversation_replaced") return true;
  return payload.messages !== undefined || payload.first_kept_seq === undefined;
}

function namesEarlier({ seq, payload }: Compaction): boolean {
  return (payload.first_kept_seq ?? Infinity) < seq;
}

/**
 * Finds the range of a log that suffices to compute the whole log's conversation. Searches from the
 * log's end. A program can load this range once, and then add the events that it appends.
 *
 * @param path The log.
 * @returns The range to read. If it does not begin at 0, use `conversation({partial: true})`, with
 * the returned `unanswered_call`.
 * @throws {SessionError} `not-found`, `permission`, `io`
 */
export async function findResumePoint(path: string): Promise<ResumePoint> {
  const { in_force: _, path: _way, ...point } = await findResumePart(path);
  return point;
}

export const RESUME_KINDS: ReadonlySet<EventKind> = new Set<EventKind>([
  ...["session_started", "compaction_applied", "conversation_replaced"] as const,
]);

/**
 * Finds the range from which the conversation is computed, in a log that cannot be read from its
 * end. If a compaction keeps earlier events, the range is the whole log.
 *
 * @param batches The events that lead to the log's last event. Kinds that are not in
 * {@linkcode RESUME_KINDS} may be left out.
 */
export async function resumePartOf(
  batches: AsyncIterable<readonly LogEvent[]>,
): Promise<ResumePart> {
  const all = { from: 0, to: Infinity, path: new BranchPath([]) };
  let part: ResumePart = { ...all, in_force: -1 };
  let head: Pick<ResumePart, "unanswered_call"> = {};
  for await (const events of batches) {
    for (const event of events) {
      if (event.form === "known" && event.kind === "session_started") {
        head = present({ unanswered_call: event.payload.unanswered_call });
      }
      if (!isReplacing(event)) continue;
      const offset = event.position?.offset;
      if (event.integrity === "salvaged" || offset === undefined) part = all;
      else if (keepsNothing(event)) part = { ...all, from: offset, in_force: offset };
      else if (event.kind === "compaction_applied" && namesEarlier(event)) part = all;
    }
  }
  return part.from === 0 ? part : { ...part, ...head };
}

export async function findResumePart(path: string): Promise<ResumePart> {
  const part = await findPart(path);
  if (part.from === 0) return part;
  const unanswered_call = await readUnansweredCall(path, part);
  return { ...part, ...present({ unanswered_call }) };
}

async function readUnansweredCall(path: string, { to }: ResumePoint): Promise<string | undefined> {
  for await (const events of readEvents(path, { kinds: HEAD, to })) {
    for (const event of events) {
      if (event.form !== "known" || event.kind !== "session_started") continue;
      return event.payload.unanswered_call;
    }
    break;
  }
  return undefined;
}

async function findPart(path: string): Promise<ResumePart> {
  return await readOpened(path, async (file) => {
    const to = file.statSync().size;
    const walk = new BackwardPath();
    for await (const line of linesHolding(file, TRACES, { to })) {
      const events = eventsOf(line);
      if (events === WHOLE) return await wholePart(path);
      const [event] = events;
      if (event === undefined || !walk.has(event) || !isReplacing(event)) continue;
      const in_force = line.offset;
      if (keepsNothing(event)) return { from: in_force, to, in_force, path: walk.path };
      if (event.kind !== "compaction_applied" || !namesEarlier(event)) continue;
      const from = await findKept(file, event, in_force, walk);
      return from === 0 ? await wholePart(path) : { from, to, in_force, path: walk.path };
    }
    return { from: 0, to, in_force: -1, path: walk.path };
  });
}

/** Returns the range of the whole log, if only a whole read tells which events are replaced. */
async function wholePart(path: string): Promise<ResumePart> {
  const { branches, to } = await findBranches(path);
  return { from: 0, to, path: new BranchPath(branches) };
}

/** Returns the byte offset of a compaction's first kept event; 0 if the whole log must be read. */
async function findKept(
  file: OpenFile,
  { payload }: Compaction,
  to: number,
  walk: BackwardPath,
): Promise<number> {
  let named: number | undefined;
  for await (const lines of linesFromEnd(file, { to })) {
    for (const line of lines) {
      const events = eventsOf(line, named === undefined ? SOUGHT : RESPONSES);
      if (events === WHOLE) return 0;
      const [event] = events;
      if (event === undefined || !walk.has(event)) continue;
      if (named === undefined) {
        if (event.seq !== payload.first_kept_seq) continue;
        if (isMessageKind(event.kind)) return line.offset;
        named = line.offset;
      } else if (isMessageKind(event.kind)) {
        // If the first kept event is inside a response, the range begins with that response.
        return event.form === "known" && declaresCalls(event) ? line.offset : named;
      }
    }
  }
  return named ?? 0;
}
