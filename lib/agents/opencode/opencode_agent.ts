/**
 * The reader of OpenCode's sessions.
 *
 * The format was read from OpenCode 1.18.34: its bundle, a database that it wrote, and its
 * conversions of older layouts. The schema of 2.0 was read too.
 */
import type { ParentInfo } from "../../core/event/payload.ts";
import type { LogEvent } from "../../core/event/envelope.ts";
import { SUMMARY_KINDS } from "../../core/event/policy.ts";
import type { EventWriter } from "../engine/events/event_writer.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { formatReader } from "../engine/format_reader.ts";
import { asName, present } from "../engine/json.ts";
import { EventRun } from "../engine/linear/format_run.ts";
import { readFormat } from "../engine/linear/read_format.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { FormatReading, SessionFormat } from "../engine/session_format.ts";
import { rowSource } from "../engine/sources/row_source.ts";
import { sqliteFiles } from "../engine/sqlite/sqlite_file.ts";
import { describedThread } from "../engine/threads.ts";
import type { Agent, AgentSession, Subagent } from "../contract/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../core/projection/session_thread.ts";
import {
  compactionAnswer,
  compactionAt,
  compactionRequest,
  writeCompaction,
} from "./compaction.ts";
import { childrenOf, recognizeStore, sessionsIn, threadHolder } from "./find_sessions.ts";
import { announcesCommand, endsOpen, writeMessage } from "./message_events.ts";
import { openRows } from "./message_rows.ts";
import { openSession } from "./store/open_session.ts";
import type { SessionInfo, StoredMessage } from "./stored_session.ts";
import { INTERRUPTED_ERROR } from "./tool_events.ts";
import { userMessage } from "./user_content.ts";

/**
 * Matches OpenCode's title for a new session (1.18.34, src/session/session.ts, `isDefaultTitle`).
 * OpenCode replaces the title after the first prompt.
 */
const DEFAULT_TITLE =
  /^(New session - |Child session - )\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

function writeStart(
  writer: EventWriter,
  { agent, id }: AgentSession,
  info: SessionInfo,
): void {
  const { title, version, created, archived } = info;
  const created_at = isoTime(created);
  writer.emit(
    "session_started",
    present({
      session_id: id,
      created_at: created_at ?? "",
      cwd: info.directory ?? "",
      app: present({ name: agent, version }),
      unanswered_call: INTERRUPTED_ERROR,
      title: title === undefined || DEFAULT_TITLE.test(title) ? undefined : title,
      parent: parentOf(info),
    }),
    { id, time: created },
  );
  if (archived !== undefined) {
    writer.emit("session_archived", { archived: true }, { id, time: archived });
  }
}

/**
 * Returns the parent. OpenCode 1.18.34 records none for a fork (session/session.ts), OpenCode 2
 * does.
 */
function parentOf({ parent_id, fork_of }: SessionInfo): ParentInfo | undefined {
  if (parent_id !== undefined) return { session_id: parent_id, reason: "subagent" };
  return fork_of === undefined ? undefined : { session_id: fork_of, reason: "fork" };
}

interface OpencodeState {
  /** The id of the prompt that is being answered. */
  turn_id?: string;
  /** The id of the prompt that announces a command of the user, if it was the last prompt. */
  command?: string | undefined;
}

interface OpencodeEntry {
  info?: SessionInfo;
  message?: StoredMessage;
}

function entryOf({ value }: SourceRecord): OpencodeEntry {
  return value;
}

export const opencodeFormat: SessionFormat<OpencodeState> = {
  source: (session) => rowSource(() => openRows(session)),
  holderOf: threadHolder,
  begin({ session, writer }, first): OpencodeState {
    const { info } = first === undefined ? {} : entryOf(first);
    if (info !== undefined) writeStart(writer, session, info);
    return {};
  },
  emit(record, state, reading): void {
    const { message } = entryOf(record);
    if (message !== undefined) emitMessage(message, state, reading);
  },
  standsAlone(record): boolean {
    const { message } = entryOf(record);
    return message?.info.role === "user" && compactionRequest(message) === undefined &&
      userMessage(message) !== undefined;
  },
  leavesOpen(records): boolean | undefined {
    const last = records.map((record) => entryOf(record).message).findLast(Boolean);
    return last === undefined ? undefined : endsOpen(last);
  },
  startState: () => ({}),
};

function emitMessage(
  message: StoredMessage,
  state: OpencodeState,
  { session, writer }: FormatReading,
): void {
  const { role, parentID } = message.info;
  if (role === "user") state.turn_id = message.id;
  const turn_id = role === "assistant" ? asName(parentID) ?? state.turn_id : state.turn_id;
  if (compactionRequest(message) !== undefined || compactionAnswer(message) !== undefined) {
    if (emitCompaction(message, turn_id, { session, writer })) return;
  }
  const by_user = state.command !== undefined && parentID === state.command;
  writeMessage(writer, message, { turn_id, by_user });
  if (role === "user") state.command = announcesCommand(message) ? message.id : undefined;
}

/**
 * Writes a compaction if `message` answers a compaction request. Writes no event for the request,
 * because its answer follows. Returns false if `message` is neither request nor answer.
 */
function emitCompaction(
  message: StoredMessage,
  turn_id: string | undefined,
  { session, writer }: Pick<FormatReading, "session"> & { writer: EventWriter },
): boolean {
  using records = openSession(session);
  const index = records.indexOf(message.id);
  if (index === undefined) return false;
  if (compactionRequest(message) !== undefined) {
    // Its answer comes at once and takes its place; else it stays a question.
    const next = records.load(index + 1);
    return next !== undefined && compactionAt(records, next, index + 1) !== undefined;
  }
  const compaction = compactionAt(records, message, index);
  if (compaction === undefined) return false;
  writeCompaction(writer, session, records, compaction, message, turn_id);
  return true;
}

export const opencodeAgent: Agent = {
  name: "opencode",
  recognize: recognizeStore,
  sessionsIn: (path) => Promise.resolve().then(() => sessionsIn(path)),
  open: formatReader(opencodeFormat, {
    // Messages are found by their number, so that only a thread's edges are read.
    threads: threadsOf,
    // In the older layout each message is a file of its own.
    files: ({ path }) => path.endsWith(".db") ? { paths: sqliteFiles(path) } : undefined,
  }),
};

async function threadsOf(session: AgentSession): Promise<SessionThread[]> {
  const threads: SessionThread[] = [];
  {
    using records = openSession(session);
    const reverted = records.indexOf(records.info.revert?.message_id) ?? records.count;
    const main: SessionThread = { id: MAIN_THREAD, kind: "main", records: reverted };
    threads.push(await describedThread(main, eventsFrom(session, reverted - 1, reverted)));
    if (reverted < records.count) {
      const known: SessionThread = {
        id: records.info.revert?.message_id ?? "",
        kind: "replaced",
        parent: { thread: MAIN_THREAD },
        records: records.count - reverted,
      };
      const events = eventsFrom(session, reverted, records.count);
      threads.push(await describedThread(known, events));
    }
  }
  for (const child of childrenOf(session)) threads.push(await childThread(child));
  return threads;
}

async function* eventsFrom(
  session: AgentSession,
  from: number,
  to: number,
): AsyncGenerator<readonly LogEvent[]> {
  const run = new EventRun(opencodeFormat, session, { needs: SUMMARY_KINDS });
  await run.goOn();
  using rows = openRows({ ...session, with_reverted: true });
  for (let index = Math.max(0, from); index < to; index++) {
    const row = rows.at(index + 1, {});
    if (row === undefined) continue;
    await run.take([{ ...row, position: { offset: index, length: 1, line: index } }]);
    yield run.events();
  }
  await run.end();
  yield run.events();
}

async function childThread(child: Subagent): Promise<SessionThread> {
  let records = 0;
  {
    using stored = openSession(child);
    records = stored.count;
  }
  const { id, parent: thread } = child;
  const known: SessionThread = { id, kind: "subagent", parent: { thread }, records };
  return await describedThread(known, readFormat(opencodeFormat, child, { needs: SUMMARY_KINDS }));
}
