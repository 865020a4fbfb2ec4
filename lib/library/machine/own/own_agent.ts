/** Reprise's own log as one more agent: the one that can also be written. */
import { present } from "../../../core/event/present.ts";
import { basename, dirname } from "node:path";
import { REPRISE } from "../../../core/event/agent_name.ts";
import type { LogEvent } from "../../../core/event/envelope.ts";
import type { Message } from "../../../core/event/message.ts";
import { byteSource } from "../../../core/log/byte_source.ts";
import { emptyTally } from "../../../core/log/parse_state.ts";
import { readEvents } from "../../../core/log/read_events.ts";
import { BranchPath } from "../../../core/projection/branch_path.ts";
import {
  type Conversation,
  conversation,
} from "../../../core/projection/conversation/conversation.ts";
import { foldBatches } from "../../../core/projection/projection.ts";
import { type ResponseUsage, responseUsage } from "../../../core/projection/response_usage.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import type {
  Agent,
  AgentConversationOptions,
  AgentReadOptions,
  AgentSession,
  PlainLog,
  SourceAccount,
} from "../../../agents/contract/agent.ts";
import { deriveReader } from "../../../agents/engine/session_reader.ts";
import type { SessionReading } from "../../../agents/contract/session_reading.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import { countTally, emptyAccount } from "../../../agents/contract/source_account.ts";
import { summarizeSession } from "../../../core/store/list_sessions.ts";
import { findTail, readTail } from "./find_tail.ts";
import { loadConversation } from "../../../core/store/load_session.ts";
import { readLogEdges } from "../../../core/store/read_summary.ts";
import { findBranches, onPath } from "../../../core/store/log_branches.ts";
import { openLogReading } from "./log_reading.ts";
import { readMessages } from "../../../core/store/read_messages.ts";
import { endOfEvent, endOfThread, listThreads, openLogThreads } from "./read_threads.ts";
import { isOwnLog } from "../../../core/store/recognize_log.ts";
import type { SessionFolder } from "../../../core/store/session_folder.ts";
import { parseFolderName } from "../../../core/store/session_id.ts";
import { verifyLog } from "../../../core/store/verify_log.ts";
import { watchMainPath } from "../../../core/store/watch_events.ts";

export const ownAgent: Agent = {
  name: REPRISE,
  recognize: (_path, bytes) => isOwnLog({ bytes, whole: bytes.length < HEAD_BYTES }),
  sessionsIn: (path) => Promise.resolve([{ agent: REPRISE, id: sessionIdOf(path), path }]),
  open: deriveReader({
    summarize,
    read,
    messages,
    readTail,
    openReading,
    threads: listThreads,
    openThreads: openLogThreads,
    usage,
    log: ({ path }) => openLog(path),
    files: ({ path }) => ({ paths: [path], added_words: "" }),
  }),
};

const HEAD_BYTES = 64 * 1024;

function sessionIdOf(path: string): string {
  const { started } = readLogEdges(path).state;
  return started?.session_id ?? parseFolderName(basename(dirname(path)))?.session_id ??
    basename(path);
}

/** Returns the folder of a session's log. Outside of a store, `created_at` is empty. */
export function folderOf({ id: session_id, path }: AgentSession): SessionFolder {
  const directory = dirname(path);
  const { created_at = "" } = parseFolderName(basename(directory)) ?? {};
  return { directory, path, session_id, created_at };
}

async function summarize(
  session: AgentSession,
  { exact: whole = false }: { exact?: boolean } = {},
): Promise<Summary | undefined> {
  const row = await summarizeSession(folderOf(session), new Map(), { whole });
  if (row?.created_at === "") delete row.created_at;
  if (row?.updated_at === "") delete row.updated_at;
  return row === undefined || session.ref === undefined ? row : { ...row, ref: session.ref };
}

async function* read(
  { path }: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  const { needs, report, account, signal } = options;
  const tally = emptyTally();
  const { from, to, path: way } = await partToRead(path, options);
  const counted = account === undefined ? undefined : tally;
  const events = readEvents(
    path,
    present({ kinds: needs, from, to, report, signal, tally: counted }),
  );
  yield* way === undefined ? events : onPath(way, events);
  countTally(account, tally);
}

async function partToRead(
  path: string,
  { account, thread, last_messages, before_seq, signal, report, all_branches }: AgentReadOptions,
): Promise<{ from?: number; to?: number; path?: BranchPath }> {
  if (all_branches) return {};
  const end = thread !== undefined
    ? await endOfThread(path, thread)
    : before_seq !== undefined
    ? await endOfEvent(path, before_seq)
    : undefined;
  // An account covers all bytes.
  if (last_messages !== undefined && account === undefined) {
    const tail = await findTail(path, { messages: last_messages, before_seq, end, signal, report });
    if (tail !== undefined) return tail;
  }
  const { branches, to } = await findBranches(path);
  return { to, path: new BranchPath(branches, end) };
}

/** Returns undefined for branches, as they can only be read from the log's beginning. */
async function openReading(
  { path }: AgentSession,
  options: AgentReadOptions,
): Promise<SessionReading | undefined> {
  const { thread = MAIN_THREAD } = options;
  return thread === MAIN_THREAD ? await openLogReading(path, options) : undefined;
}

async function* messages(
  { path }: AgentSession,
  { thread, ...options }: AgentConversationOptions = {},
): AsyncGenerator<readonly Message[]> {
  if (thread === undefined || thread === MAIN_THREAD) yield* readMessages(path, options);
  else yield (await conversationOf(path, thread, options)).messages;
}

async function conversationOf(
  path: string,
  thread: string,
  { report, signal, ...choice }: Omit<AgentConversationOptions, "thread">,
): Promise<Conversation> {
  const projection = conversation(choice);
  const { branches, to } = await findBranches(path);
  const way = new BranchPath(branches, await endOfThread(path, thread));
  const options = present({ kinds: projection.needs, report, signal, to });
  return await foldBatches(projection, onPath(way, readEvents(path, options)));
}

/** Yields the responses of all branches, because abandoned branches took tokens, too. */
async function* usage({ path }: AgentSession): AsyncGenerator<readonly ResponseUsage[]> {
  const projection = responseUsage();
  yield await foldBatches(projection, readEvents(path, { kinds: projection.needs }));
}

function openLog(path: string): PlainLog {
  return {
    path,
    bytes: () => logBytes(path),
    watch: (options) => watchMainPath(path, options),
    async conversation({ thread, ...options }): Promise<Conversation> {
      return thread === undefined || thread === MAIN_THREAD
        ? await loadConversation(path, options)
        : await conversationOf(path, thread, options);
    },
    async verify(report): Promise<SourceAccount> {
      const account = emptyAccount();
      countTally(account, await verifyLog(path, report));
      return account;
    },
  };
}

async function* logBytes(path: string): AsyncGenerator<Uint8Array> {
  const { readable, recycle } = byteSource(path);
  for await (const bytes of readable) {
    yield bytes;
    recycle(bytes);
  }
}
