/**
 * Reads sessions from an agent's prompt history: one file of JSON lines for all its sessions. The
 * file still has the prompts of deleted sessions.
 */
import { basename, join } from "node:path";
import { isFileThere } from "../../core/file/presence.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import type { LocateSessions } from "../contract/agent_descriptor.ts";
import { HISTORY_FILE } from "../contract/history_file.ts";
import { formatReader } from "./format_reader.ts";
import { isoTime } from "./events/iso_time.ts";
import { type Json, present } from "./json.ts";
import { readRecords } from "./records/jsonl_records.ts";
import type { SourceRecord } from "./records/source_record.ts";
import type { SessionFormat } from "./session_format.ts";

export interface HistoryPrompt {
  session_id: string;
  text: string;
  /** The prompt's time, in milliseconds since 1970 or ISO 8601. */
  time?: unknown;
  cwd?: string | undefined;
}

/** Returns a history record's prompt. Undefined if the record names no session. */
export type ReadPrompt = (record: Json) => HistoryPrompt | undefined;

/** A session from the prompt history. `records` are its prompts' records, if already read. */
interface HistorySession extends AgentSession {
  records?: readonly SourceRecord[];
}

export function historySearch(
  agent: Agent["name"],
  readPrompt: ReadPrompt,
): LocateSessions {
  return async function* ({ folder }): AsyncGenerator<HistorySession> {
    const path = join(folder, HISTORY_FILE);
    if (!isFileThere(path)) return;
    yield* await sessionsInHistory(agent, path, readPrompt);
  };
}

async function sessionsInHistory(
  agent: Agent["name"],
  path: string,
  readPrompt: ReadPrompt,
): Promise<HistorySession[]> {
  const found = new Map<string, HistorySession & { records: SourceRecord[] }>();
  for await (const records of readRecords(path)) {
    for (const record of records) {
      const prompt = readPrompt(record.value);
      if (prompt === undefined) continue;
      const { session_id: id, cwd } = prompt;
      const known = found.get(id);
      if (known !== undefined) known.records.push(record);
      else found.set(id, { ...present({ agent, id, path, cwd }), records: [record] });
    }
  }
  return [...found.values()];
}

export function withHistory(
  agent: Agent,
  readPrompt: ReadPrompt,
): Agent {
  const openHistory = formatReader(historyFormat(readPrompt), { files: () => undefined });
  const isHistory = (path: string): boolean => basename(path) === HISTORY_FILE;
  return {
    ...agent,
    open: (session) => (isHistory(session.path) ? openHistory : agent.open)(session),
    sessionsIn: (path) =>
      isHistory(path) ? sessionsInHistory(agent.name, path, readPrompt) : agent.sessionsIn(path),
  };
}

function historyFormat(readPrompt: ReadPrompt): SessionFormat<null> {
  return {
    source: (session) => ({
      rewritten: true,
      shared: true,
      read: () => recordsOf(session, readPrompt),
    }),
    begin({ session, writer }, first): null {
      const prompt = first && readPrompt(first.value);
      writer.emit("session_started", {
        session_id: session.id,
        created_at: timeOf(prompt?.time) ?? "",
        cwd: session.cwd ?? prompt?.cwd ?? "",
        app: { name: session.agent },
      });
      return null;
    },
    emit(record, _state, { writer }): void {
      const prompt = readPrompt(record.value);
      if (prompt === undefined) return;
      const time = timeOf(prompt.time);
      writer.emit("user_message", { content: prompt.text }, present({ time, record }));
    },
    standsAlone: () => true,
    // Only prompts are there: no turn is open.
    leavesOpen: () => false,
  };
}

async function* recordsOf(
  { id, path, records }: HistorySession,
  readPrompt: ReadPrompt,
): AsyncGenerator<readonly SourceRecord[]> {
  if (records !== undefined) return yield records;
  for await (const batch of readRecords(path)) {
    const own = batch.filter(({ value }) => readPrompt(value)?.session_id === id);
    if (own.length > 0) yield own;
  }
}

function timeOf(time: unknown): string | undefined {
  // However few they are, they are milliseconds.
  return isoTime(typeof time === "number" ? dateOf(time) : time);
}

function dateOf(time: number): string | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
