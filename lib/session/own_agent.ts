/**
 * Reprise's own log as one more agent: the one that can also be written.
 */
import { basename, dirname } from "node:path";
import { REPRISE } from "../event/agent_name.ts";
import { contentFor } from "../event/audience.ts";
import type { LogEvent } from "../event/envelope.ts";
import { contentText, type Message } from "../event/message.ts";
import { present } from "../event/present.ts";
import { linesFromEnd } from "../log/backward_reader.ts";
import { readOpened } from "../log/byte_source.ts";
import { type ChecksumHistory, checksumHistory } from "../log/checksum_history.ts";
import type { Report } from "../log/diagnostic.ts";
import { parseLine } from "../log/line_parser.ts";
import { emptyTally, type ParseState } from "../log/parse_state.ts";
import { readEvents } from "../log/read_events.ts";
import type { Conversation } from "../projection/conversation/conversation.ts";
import type { Summary } from "../projection/summary_row.ts";
import type {
  Agent,
  AgentConversationOptions,
  AgentReadOptions,
  AgentSession,
  AgentTailOptions,
  SourceAccount,
} from "../source/agent.ts";
import { assertMainThread } from "../source/main_thread.ts";
import { countTally, emptyAccount } from "../source/source_account.ts";
import { findTail } from "./find_tail.ts";
import { summarizeSession } from "./list_sessions.ts";
import { loadConversation } from "./load_session.ts";
import { readMessages } from "./read_messages.ts";
import { readLogEdges } from "./read_summary.ts";
import { isOwnLog } from "./recognize_log.ts";
import type { SessionFolder } from "./session_folder.ts";
import { parseFolderName } from "./session_id.ts";
import { verifyLog } from "./verify_log.ts";
import { watchEvents } from "./watch_events.ts";

/** Messages that are not in so much of a log's end are not looked for further. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Reads the events of at least so many messages at the end of a log, and what stands between. */
async function readTail(
  { path }: AgentSession,
  { messages, most_bytes = MOST_BYTES, needs, signal, thread }: AgentTailOptions,
): Promise<LogEvent[]> {
  assertMainThread(thread, path);
  return await readOpened(path, async (file) => {
    const history = checksumHistory(path);
    const found: LogEvent[] = [];
    let [bytes, count] = [0, 0];
    for await (const lines of linesFromEnd(file, { max_line_bytes: MOST_BYTES })) {
      for (const line of lines) {
        if (signal?.aborted || bytes > most_bytes) return found.reverse();
        bytes += line.length;
        const events: LogEvent[] = [];
        parseLine(oneLine(needs, history), line, events);
        const wanted = events.filter(({ form }) => form !== "unparsed").reverse();
        found.push(...wanted);
        count += wanted.filter(speaks).length;
        if (count >= messages) return found.reverse();
      }
    }
    return found.reverse();
  });
}

function oneLine(kinds: AgentTailOptions["needs"], history: ChecksumHistory): ParseState {
  return { last_seq: undefined, kinds, report(): void {}, tally: emptyTally(), history };
}

/** Whether an event says something; an answer that only calls tools does not. */
function speaks(event: LogEvent): boolean {
  if (event.form !== "known") return false;
  if (event.kind === "assistant_interrupted") return true;
  return (event.kind === "user_message" || event.kind === "assistant_message") &&
    contentText(contentFor(event.payload.content, "user")).trim() !== "";
}

/** The reader of the sessions that Reprise keeps, and of its logs wherever they lie. */
export const ownAgent: Agent = {
  name: REPRISE,
  recognize: (_path, bytes) => isOwnLog({ bytes, whole: bytes.length < HEAD_BYTES }),
  sessionsIn: (path) => Promise.resolve([{ agent: REPRISE, id: sessionIdOf(path), path }]),
  summarize,
  read,
  conversation,
  messages,
  verify,
  readTail,
  log: ({ path }) => path,
  watch: ({ path }, options) => watchEvents(path, options),
  verbatim: ({ path }) => Promise.resolve({ paths: [path], added_words: "" }),
  stateFiles: ({ path }) => Promise.resolve([path]),
};

/** Recognizing gets at most so many bytes of a file. */
const HEAD_BYTES = 64 * 1024;

/** The id of the session in a log: as its first event says, or else its folder's or file's name. */
function sessionIdOf(path: string): string {
  const { started } = readLogEdges(path).state;
  return started?.session_id ?? parseFolderName(basename(dirname(path)))?.session_id ??
    basename(path);
}

/** The folder of a session's log; nothing but its place is known where the log lies elsewhere. */
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
  const options = {
    ...tail,
    ...(needs === undefined ? {} : { kinds: needs }),
    ...(report === undefined ? {} : { report }),
    ...(signal === undefined ? {} : { signal }),
    ...(account === undefined ? {} : { tally }),
  };
  yield* readEvents(path, options);
  countTally(account, tally);
}

async function conversation(
  { path }: AgentSession,
  { thread, ...options }: AgentConversationOptions,
): Promise<Conversation> {
  assertMainThread(thread, path);
  return await loadConversation(path, options);
}

async function* messages(
  { path }: AgentSession,
  { thread, ...options }: AgentConversationOptions = {},
): AsyncGenerator<readonly Message[]> {
  assertMainThread(thread, path);
  yield* readMessages(path, options);
}

async function verify({ path }: AgentSession, report: Report): Promise<SourceAccount> {
  const account = emptyAccount();
  countTally(account, await verifyLog(path, report));
  return account;
}
