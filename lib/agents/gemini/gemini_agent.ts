/**
 * Gemini CLI (google-gemini/gemini-cli, up to 0.61). Its chats are read in place, by its own rules.
 *
 * The messages differ from what Gemini CLI sends. A result that a chat has twice is read once,
 * because providers refuse two. Images from a tool are in the tool's result. The context that
 * Gemini CLI makes anew for each session (`<session_context>`) is left out.
 */
import { asList, asName, asObject, type Json, present } from "../engine/json.ts";
import { basename, dirname } from "node:path";
import { UNSETTLED_OUTPUT } from "../../core/projection/conversation/paired_messages.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { formatReader } from "../engine/format_reader.ts";
import { type GenAiCalls, noCalls } from "../engine/genai/genai_calls.ts";
import { headRecords, parseJsonPrefix } from "../engine/records/head_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { type FormatReading, savedState, type SessionFormat } from "../engine/session_format.ts";
import type { AgentReads } from "../engine/session_reader.ts";
import { documentSource } from "../engine/sources/document_source.ts";
import type { RecordSource } from "../engine/sources/record_source.ts";
import { replayedSource, standingAmong } from "../engine/sources/replayed_source.ts";
import type { Agent } from "../contract/agent.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { type ChatHead, chatRules, isDocument, readChatHead } from "./chat_replay.ts";
import { geminiSession, subagentsOf } from "./locate.ts";
import { emitMessage, isPrompt } from "./message_events.ts";
import { chatDirectory, markedRoot, namedDirectories, projectFolder } from "./project_root.ts";
import { readUsage, threadsOf } from "./threads.ts";

// The format of Gemini CLI's chats. The patches of a chat are replayed. The messages that stand become
// events one by one.

interface ChatState {
  head?: SourceRecord | undefined;
  calls: GenAiCalls;
  /** True if prompts may have a guard, as in a handed-over chat. See `guarded_prompt.ts`. */
  guarded: boolean;
}

export const geminiFormat: SessionFormat<ChatState> = {
  source({ path }, thread): RecordSource {
    const rules = chatRules(thread === MAIN_THREAD ? undefined : thread);
    return isDocument(path)
      ? documentSource(path, (document) => standingAmong(rules, document))
      : replayedSource(path, rules);
  },
  threads: threadsOf,
  begin: emitHead,
  emit(record, state, { writer }): void {
    if (record !== state.head) emitMessage({ ...state, writer }, record);
  },
  standsAlone: ({ value }) => isPrompt(value),
  startState: ({ session }) => ({
    calls: noCalls(),
    guarded: readChatHead(session.path).reprise !== undefined,
  }),
  saveState: ({ calls, guarded }) => savedState({ calls, guarded }),
};

function emitHead({ session, writer }: FormatReading, first: SourceRecord | undefined): ChatState {
  if (first === undefined) return { calls: noCalls(), guarded: false };
  const { fields, found, startTime, context } = first.value as ChatHead;
  const folder = projectFolder(session.path);
  const marked = folder === undefined ? undefined : markedRoot(folder);
  const cwd = chatDirectory(fields.projectHash, [
    session.cwd,
    marked,
    ...namedDirectories(context),
  ]);
  const parent = fields.kind === "subagent" ? basename(dirname(session.path)) : undefined;
  const started = present({
    session_id: session.id,
    created_at: isoTime(startTime) ?? "",
    cwd: cwd ?? "",
    app: { name: "gemini" },
    unanswered_call: UNSETTLED_OUTPUT,
    title: asName(fields.summary),
    environment: present({ directories: fields.directories, kind: fields.kind }),
    parent: parent === undefined ? undefined : { session_id: parent, reason: "subagent" },
  });
  const record = found ? first : undefined;
  writer.emit("session_started", started, { id: session.id, time: startTime, record });
  return { head: first, calls: noCalls(), guarded: fields.reprise !== undefined };
}

/**
 * Returns a `summarize` that uses the chat's `lastUpdated` if it is later than the last message.
 * Gemini CLI deletes by `lastUpdated` (0.61), and a hand-over sets it later than all messages.
 */
function summarizeStated(summarize: AgentReads["summarize"]): AgentReads["summarize"] {
  return async (session, options) => {
    const row = await summarize(session, options);
    const stated = row && isoTime(readChatHead(session.path).lastUpdated);
    return stated && stated > (row.updated_at ?? "") ? { ...row, updated_at: stated } : row;
  };
}

const FIELDS = ["sessionId", "projectHash", "startTime"];

const NAME = /[\\/]chats[\\/](?:[^\\/]+[\\/])?session-[^\\/]+\.jsonl$/;

const TYPES: ReadonlySet<unknown> = new Set(["user", "gemini", "info", "error", "warning"]);

function recognizeGemini(path: string, head: Uint8Array): boolean {
  const records = headRecords(head).map(({ value }) => value);
  const named = records.some((value) => FIELDS.every((field) => typeof value[field] === "string"));
  // The head is lost: the name and the messages have to tell.
  const left = NAME.test(path) &&
    records.some((value) => TYPES.has(value.type) && isMessage(value));
  return named || left || isDocumentHead(asObject(parseJsonPrefix(new TextDecoder().decode(head))));
}

/**
 * True for the start of a chat document with line breaks. The start may be cut, and the id may come
 * after the messages.
 */
function isDocumentHead({ messages, sessionId, projectHash }: Json): boolean {
  const typed = asList(messages).map(asObject).filter(({ type }) => TYPES.has(type));
  if (typed.length === 0) return false;
  return typeof sessionId === "string" || typeof projectHash === "string" || typed.some(isMessage);
}

function isMessage({ id, timestamp, content }: Json): boolean {
  return typeof id === "string" && typeof timestamp === "string" && content !== undefined;
}

const summarize: AgentReads["summarize"] = (session, options) =>
  formatReader(geminiFormat)(session).summarize(options);

export const geminiAgent: Agent = {
  name: "gemini",
  recognize: recognizeGemini,
  sessionsIn: (path) => Promise.resolve([geminiSession(path)]),
  open: formatReader(geminiFormat, {
    summarize: summarizeStated(summarize),
    // Of an answer that was rewound its tokens count.
    usage: readUsage,
    files: (session) => ({
      paths: [session.path, ...subagentsOf(session).map(({ path }) => path)],
    }),
  }),
};
