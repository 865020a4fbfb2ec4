/**
 * Reprise's own log as one more agent: the one that can also be written.
 */
import { present } from "../event/present.ts";
import { basename, dirname } from "node:path";
import { REPRISE } from "../event/agent_name.ts";
import type { LogEvent } from "../event/envelope.ts";
import type { Message } from "../event/message.ts";
import { byteSource } from "../log/byte_source.ts";
import { emptyTally } from "../log/parse_state.ts";
import { readEvents } from "../log/read_events.ts";
import type { Conversation } from "../projection/conversation/conversation.ts";
import type { Summary } from "../projection/summary_row.ts";
import type {
  Agent,
  AgentConversationOptions,
  AgentReadOptions,
  AgentSession,
  PlainLog,
  SourceAccount,
} from "../source/agent.ts";
import { deriveReader } from "../reading/session_reader.ts";
import { assertMainThread } from "../source/session_thread.ts";
import { countTally, emptyAccount } from "../source/source_account.ts";
import { summarizeSession } from "./list_sessions.ts";
import { findTail } from "./find_tail.ts";
import { loadConversation } from "./load_session.ts";
import { readLogEdges } from "./read_summary.ts";
import { readMessages } from "./read_messages.ts";
import { readTail } from "./read_tail.ts";
import { isOwnLog } from "./recognize_log.ts";
import type { SessionFolder } from "./session_folder.ts";
import { parseFolderName } from "./session_id.ts";
import { verifyLog } from "./verify_log.ts";
import { watchEvents } from "./watch_events.ts";

/** The reader of the sessions that Reprise keeps, and of its logs wherever they lie. */
export const ownAgent: Agent = {
  name: REPRISE,
  recognize: (_path, bytes) => isOwnLog({ bytes, whole: bytes.length < HEAD_BYTES }),
  sessionsIn: (path) => Promise.resolve([{ agent: REPRISE, id: sessionIdOf(path), path }]),
  open: deriveReader({
    summarize,
    read,
    messages,
    readTail,
    log: ({ path }) => openLog(path),
    files: ({ path }) => ({ paths: [path], added_words: "" }),
  }),
};

/** Recognizing gets at most so many bytes of a file. */
const HEAD_BYTES = 64 * 1024;

/** Returns the id of the session in a log: its first event's, or else its folder's or file's name. */
function sessionIdOf(path: string): string {
  const { started } = readLogEdges(path).state;
  return started?.session_id ?? parseFolderName(basename(dirname(path)))?.session_id ??
    basename(path);
}

/** Returns the folder of a session's log. Outside of a store only its path is known. */
export function folderOf({ id: session_id, path }: AgentSession): SessionFolder {
  const directory = dirname(path);
  const { created_at = "" } = parseFolderName(basename(directory)) ?? {};
  return { directory, path, session_id, created_at };
}

async function summarize(
  session: AgentSession,
  options: { exact?: boolean } = {},
): Promise<Summary | undefined> {
  const row = await summarizeSession(folderOf(session), new Map(), options);
  if (row?.created_at === "") delete row.created_at;
  if (row?.updated_at === "") delete row.updated_at;
  return row === undefined || session.ref === undefined ? row : { ...row, ref: session.ref };
}

async function* read(
  { path }: AgentSession,
  { needs, report, account, thread, last_messages, before_seq, signal }: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  assertMainThread(thread, path);
  const tally = emptyTally();
  // An account is of all bytes.
  const tail = last_messages === undefined || account !== undefined
    ? undefined
    : await findTail(path, present({ messages: last_messages, before_seq, signal }));
  const counted = account === undefined ? undefined : tally;
  const options = present({ kinds: needs, report, signal, tally: counted });
  yield* readEvents(path, { ...tail, ...options });
  countTally(account, tally);
}

async function* messages(
  { path }: AgentSession,
  { thread, ...options }: AgentConversationOptions = {},
): AsyncGenerator<readonly Message[]> {
  assertMainThread(thread, path);
  yield* readMessages(path, options);
}

function openLog(path: string): PlainLog {
  return {
    path,
    bytes: () => logBytes(path),
    watch: (options) => watchEvents(path, options),
    async conversation({ thread, ...options }): Promise<Conversation> {
      assertMainThread(thread, path);
      return await loadConversation(path, options);
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
