/**
 * Gemini CLI (google-gemini/gemini-cli, up to 0.61): its chats are read in place, by its own rules.
 *
 * The conversation differs from what Gemini CLI sends. A result that it stored twice is given once,
 * because providers refuse two. Images that a tool gave stand in its result. What it makes anew for
 * each session (`<session_context>`) is not there.
 */
import { isoTime } from "../../reading/events/iso_time.ts";
import { formatReader } from "../../reading/format_reader.ts";
import type { AgentReads } from "../../reading/session_reader.ts";
import { asList, asObject } from "../../reading/json_value.ts";
import { headRecords } from "../../reading/records/head_records.ts";
import { parseJsonPrefix } from "../../reading/records/json_prefix.ts";
import type { Agent } from "../../source/agent.ts";
import { readChatHead } from "./chat_record.ts";
import { geminiFormat } from "./gemini_format.ts";
import { geminiSession } from "./locate.ts";
import { readUsage } from "./read_usage.ts";
import { subagentsOf } from "./subagents.ts";

/**
 * Adds the stated time to what is known of the messages. Gemini CLI deletes by it (0.61). In a chat
 * that was handed over it is later than all messages.
 */
function summarizeStated(summarize: AgentReads["summarize"]): AgentReads["summarize"] {
  return async (session, options) => {
    const row = await summarize(session, options);
    const stated = row && isoTime(readChatHead(session.path).lastUpdated);
    return stated && stated > (row.updated_at ?? "") ? { ...row, updated_at: stated } : row;
  };
}

type Json = Readonly<Record<string, unknown>>;

/** The fields that each chat begins with, in some order. */
const FIELDS = ["sessionId", "projectHash", "startTime"];

/** The place and the name that Gemini CLI gives to a chat. */
const NAME = /[\\/]chats[\\/](?:[^\\/]+[\\/])?session-[^\\/]+\.jsonl$/;

const TYPES: ReadonlySet<unknown> = new Set(["user", "gemini", "info", "error", "warning"]);

/** True if a file is a chat: a log, or a document. */
function recognizeGemini(path: string, head: Uint8Array): boolean {
  const records = headRecords(head).map(({ value }) => value);
  const named = records.some((value) => FIELDS.every((field) => typeof value[field] === "string"));
  // The head is lost: the name and the messages have to tell.
  const left = NAME.test(path) &&
    records.some((value) => TYPES.has(value.type) && isMessage(value));
  return named || left || isDocument(asObject(parseJsonPrefix(new TextDecoder().decode(head))));
}

/** A document on many lines, which may be cut: its id may stand behind the messages. */
function isDocument({ messages, sessionId, projectHash }: Json): boolean {
  const typed = asList(messages).map(asObject).filter(({ type }) => TYPES.has(type));
  if (typed.length === 0) return false;
  return typeof sessionId === "string" || typeof projectHash === "string" || typed.some(isMessage);
}

function isMessage({ id, timestamp, content }: Json): boolean {
  return typeof id === "string" && typeof timestamp === "string" && content !== undefined;
}

const summarize: AgentReads["summarize"] = (session, options) =>
  formatReader(geminiFormat)(session).summarize(options);

/** Reads the chats of Gemini CLI. */
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
