/**
 * Reads the sessions of DeepSeek Harness (deepseek-ai/deepseek-harness). The format was read from
 * its packages of August 2026, and from sources up to format 5. A session is a log of events, plain
 * or in zstd frames.
 *
 * Chunks of an answer are emitted only if the whole answer is missing, as after a crash. A tool
 * result that was pruned later stays whole. A compaction replaces all messages before the end of
 * its range.
 */
import { dirname } from "node:path";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { formatReader } from "../engine/format_reader.ts";
import { asName, asNumber, asObject, present } from "../engine/json.ts";
import { headRecords } from "../engine/records/head_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { FormatReading, FormatThread, SessionFormat } from "../engine/session_format.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { addPiece } from "./content_blocks.ts";
import { locatedLog, logsIn, readHeader } from "./locate.ts";
import {
  emitEvent,
  emitPieces,
  isOfUser,
  type LogState,
  PROMPTS,
  replacedEnd,
} from "./log_events.ts";
import { formatOf, logSource } from "./log_file.ts";

/** Types of events that carry no message. Unless they report an error, they are only counted. */
const SIDE: ReadonlySet<unknown> = new Set([
  ...["turn/start", "step/start", "step/end", "request/context", "session/end-seed"],
  "agent/inbox/spliced",
  ...["compact/start", "compact/end", "compaction/start", "compaction/end", "llm/retry-started"],
]);
const PIECES: ReadonlySet<unknown> = new Set([
  ...["assistant/chunk", "text-chunks", "reasoning-chunks", "tool-call-chunks"],
]);
export const deepseekFormat: SessionFormat<LogState> = {
  source: (session) => logSource(session),
  threads: (session) => threadsOf(session),
  begin(reading, first): LogState {
    emitHead(reading, first);
    return newState();
  },
  emit(record, state, { writer }): string | void {
    const { value } = record;
    const { type, seq, time } = value;
    const data = asObject(value.data);
    if (type === "session") return;
    if (PIECES.has(type)) {
      const piece = type === "assistant/chunk" ? asObject(data.chunk) : { ...data, type };
      addPiece(state.pieces, piece);
      return String(type);
    }
    const id = asNumber(seq);
    const origin = { id: id === undefined ? undefined : String(id), time, record };
    if (SIDE.has(type) && data.error === undefined) {
      if (type === "step/end" || type === "turn/start") emitPieces(state, { writer, origin });
      return String(type);
    }
    emitEvent(value, data, state, { writer, origin });
  },
  end: (state, { writer }) => emitPieces(state, { writer, origin: {} }),
  standsAlone: ({ value }) =>
    PROMPTS.has(value.type) && isOfUser(asObject(value.data)) &&
    replacedEnd(value) === undefined,
  needsBefore: ({ value }) => replacedEnd(value) !== undefined,
  startState: newState,
};

function newState(): LogState {
  return { pieces: {}, calls: {}, system: "" };
}

function emitHead(
  { session, writer, report }: FormatReading,
  first: SourceRecord | undefined,
): void {
  const header = first?.value.type === "session" ? asObject(first.value) : readHeader(session.path);
  if (header.type !== "session") {
    const detail = "the first line of the file is not a session header";
    report?.({ code: "missing-header", offset: 0, length: 0, line: 0, detail });
  }
  const parent = asName(header.parentSession);
  const is_subagent = header.origin === "subagent" || (asNumber(header.delegationDepth) ?? 0) > 0;
  const reason = is_subagent ? "subagent" as const : "fork" as const;
  const started = {
    session_id: session.id,
    created_at: isoTime(header.createdAt) ?? "",
    cwd: session.cwd ?? "",
    app: { name: "dsh" },
    parent: parent === undefined ? undefined : { session_id: parent, reason },
  };
  writer.emit("session_started", present(started), { time: header.createdAt });
}

/** Returns the threads of the session and of all subagents, whose logs are in sibling folders. */
async function threadsOf(session: AgentSession): Promise<FormatThread[]> {
  const logs = await logsIn(dirname(dirname(session.path)));
  const threads: FormatThread[] = [{
    id: MAIN_THREAD,
    kind: "main",
    records: await countOf(session),
  }];
  const seen = new Set([session.id]);
  const take = async (owner: string, thread: string): Promise<void> => {
    for (const { session: one, parent_id } of logs) {
      if (parent_id !== owner || seen.has(one.id)) continue;
      seen.add(one.id);
      const known = { id: one.id, kind: "subagent" as const, parent: { thread }, session: one };
      threads.push({ ...known, records: await countOf(one), own: () => logSource(one).read() });
      await take(one.id, one.id);
    }
  };
  await take(session.id, MAIN_THREAD);
  return threads;
}

async function countOf(session: AgentSession): Promise<number> {
  let count = 0;
  for await (const records of logSource(session).read()) count += records.length;
  return count;
}

function isLog(path: string, head: Uint8Array): boolean {
  if (formatOf(path.split(/[/\\]/).at(-1) ?? "") === undefined) return false;
  if (!path.endsWith(".jsonl")) return true;
  return head.length === 0 ||
    headRecords(head).some(({ value }) =>
      (value.type === "session" && typeof value.delegationDepth === "number") ||
      (typeof value.seq === "number" && typeof value.type === "string")
    );
}

export const deepseekAgent: Agent = {
  name: "deepseek",
  recognize: isLog,
  sessionsIn: (path) => Promise.resolve([locatedLog(path).session]),
  open: formatReader(deepseekFormat, { files: ({ path }) => ({ paths: [path] }) }),
};
