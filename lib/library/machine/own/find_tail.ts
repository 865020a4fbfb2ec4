/**
 * Finds the start of a log's last messages (its tail), searching from the end, or reads the
 * messages. The tail starts with a prompt that begins a turn. So a fold of the tail equals the end
 * of a fold of the whole log.
 */
import { contentFor } from "../../../core/event/audience.ts";
import type { KnownEvent, LogEvent } from "../../../core/event/envelope.ts";
import { contentText } from "../../../core/event/message.ts";
import { linesFromEnd } from "../../../core/log/backward_reader.ts";
import { readOpened } from "../../../core/log/byte_source.ts";
import { type ChecksumHistory, checksumHistory } from "../../../core/log/checksum_history.ts";
import { parseLineAlone } from "../../../core/log/line_parser.ts";
import type { Report } from "../../../core/log/diagnostic.ts";
import { type Line, MAX_LINE_BYTES } from "../../../core/log/line_splitter.ts";
import { BackwardPath, type BranchPath } from "../../../core/projection/branch_path.ts";
import { foldEvents } from "../../../core/projection/projection.ts";
import { transcript } from "../../../core/projection/transcript/transcript.ts";
import type { AgentSession, AgentTailOptions } from "../../../agents/contract/agent.ts";
import { BRANCH_KINDS } from "../../../core/store/log_branches.ts";
import { endOfThread } from "./read_threads.ts";

export interface LogTail {
  /** Byte offset of the tail's first line. */
  from: number;
  /** Offset of the tail's end: the log's size, or the start of an unreadable last line. */
  to: number;
  path: BranchPath;
}

export interface FindTailOptions {
  /** Minimum number of messages in the tail. */
  messages: number;
  /** The number of an event; only messages before it count. @default {Infinity} */
  before_seq?: number | undefined;
  /** Number of the last event on the branch to read. @default {the log's last event} */
  end?: number | undefined;
  /** Maximum length of the tail in bytes. @default {33554432} */
  most_bytes?: number;
  signal?: AbortSignal | undefined;
  /** Gets a diagnostic if the last line is too long to be read. */
  report?: Report | undefined;
}

const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Finds the tail of a log. Undefined if the tail would be longer than `most_bytes`. A transcript of
 * the tail has the same items as the end of the whole transcript.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function findTail(
  path: string,
  { messages, before_seq = Infinity, end, most_bytes = MOST_BYTES, signal, report }:
    FindTailOptions,
): Promise<LogTail | undefined> {
  return await readOpened(path, async (file) => {
    const { size: to } = file.statSync();
    const history = checksumHistory(path);
    const walk = new BackwardPath(end);
    const search = { messages, before_seq, history, walk, found: 0, prompt: undefined };
    let passed_over = 0;
    let last: Line | undefined;
    const tailFrom = (from: number): LogTail => {
      if (last === undefined || !isUnreadable(last)) return { from, to, path: walk.path };
      // The last line cannot be read, so the tail ends before it.
      const { offset, length, line } = last;
      report?.({
        code: "oversized-line",
        offset,
        length,
        line,
        detail: `the line is too long: ${length} bytes`,
      });
      return { from, to: last.offset, path: walk.path };
    };
    for await (const lines of linesFromEnd(file, { to, max_line_bytes: most_bytes })) {
      signal?.throwIfAborted();
      for (const line of lines) {
        last ??= line;
        if (isUnreadable(line)) passed_over += line.length;
        if (to - line.offset - passed_over > most_bytes) return undefined;
        const from = tailStart(search, line);
        if (from !== undefined) return tailFrom(from);
      }
    }
    return tailFrom(0);
  });
}

function isUnreadable({ oversized, length }: Line): boolean {
  return oversized && length > MAX_LINE_BYTES + 1;
}

interface TailSearch {
  readonly messages: number;
  readonly before_seq: number;
  readonly history: ChecksumHistory;
  readonly walk: BackwardPath;
  found: number;
  /**
   * A prompt with enough messages after it. The tail starts there if the prompt begins its turn.
   */
  prompt: { turn_id: string; from: number } | undefined;
}

/** Examines the next line towards the log's start. Returns the offset of the tail once found. */
function tailStart(search: TailSearch, line: Line): number | undefined {
  const events = parseLineAlone(line, { kinds: SHOWN.needs, history: search.history })
    .filter((event) => search.walk.has(event) && event.form !== "unparsed");
  const [event] = events;
  if (event === undefined) return undefined;
  if (events.length > 1 || !isSound(event)) {
    // The line may end a turn: the events before it decide.
    search.prompt = undefined;
    return undefined;
  }
  if (!SHOWN.needs.has(event.kind)) return undefined;
  const { turn_id, kind } = event;
  if (search.prompt !== undefined && endsTurns(event)) {
    if (turn_id !== search.prompt.turn_id) return search.prompt.from;
    search.prompt = undefined;
  }
  search.found += Number(event.seq < search.before_seq && isMessage(event));
  if (kind !== "user_message" || search.found < search.messages) return undefined;
  if (turn_id === undefined) return line.offset;
  search.prompt = { turn_id, from: line.offset };
  return undefined;
}

const SHOWN = transcript();

function isSound(event: LogEvent): event is KnownEvent {
  return event.form === "known" && ["verified", "unverified"].includes(event.integrity);
}

/** True for an event at which a transcript closes the open tool calls of other turns. */
function endsTurns({ kind, turn_id }: KnownEvent): boolean {
  if (kind === "tool_end" || kind === "bash_end") return false;
  return turn_id !== undefined || kind === "user_message" || kind === "session_closed";
}

function isMessage(event: KnownEvent): boolean {
  return foldEvents(SHOWN, [event]).some(({ type }) => type === "message");
}

/** Maximum number of bytes at a log's end that are searched for messages. */
const MOST_READ_BYTES = 8 * 1024 * 1024;

export async function readTail(
  { path }: AgentSession,
  { messages, most_bytes = MOST_READ_BYTES, needs, signal, thread }: AgentTailOptions,
): Promise<LogEvent[]> {
  const end = thread === undefined ? undefined : await endOfThread(path, thread);
  return await readOpened(path, async (file) => {
    const history = checksumHistory(path);
    const found: LogEvent[] = [];
    const walk = new BackwardPath(end);
    const kinds = needs && new Set([...needs, ...BRANCH_KINDS]);
    let [bytes, count] = [0, 0];
    for await (const lines of linesFromEnd(file, { max_line_bytes: MOST_READ_BYTES })) {
      for (const line of lines) {
        if (signal?.aborted || bytes > most_bytes) return found.reverse();
        // A line that was skipped took no memory and little time.
        if (!isUnreadable(line)) bytes += line.length;
        const wanted = parseLineAlone(line, { kinds, history }).reverse()
          .filter((event) => walk.has(event) && event.form !== "unparsed");
        for (const one of wanted) found.push(one);
        count += wanted.filter(speaks).length;
        if (count >= messages) return found.reverse();
      }
    }
    return found.reverse();
  });
}

/** True if an event has text for the user. An answer with only calls has no text. */
function speaks(event: LogEvent): boolean {
  if (event.form !== "known") return false;
  if (event.kind === "assistant_interrupted") return true;
  return (event.kind === "user_message" || event.kind === "assistant_message") &&
    contentText(contentFor(event.payload.content, "user")).trim() !== "";
}
