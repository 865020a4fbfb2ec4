/**
 * Recognizes a chat of Gemini CLI by its first bytes. The order of keys tells nothing: tools that
 * sort them write chats too.
 */
import { headRecords } from "../../reading/records/head_records.ts";
import { parseJsonPrefix } from "../../reading/records/json_prefix.ts";
import { asList, asObject } from "../../reading/json_value.ts";

type Json = Readonly<Record<string, unknown>>;

/** The fields that each chat begins with, in some order. */
const FIELDS = ["sessionId", "projectHash", "startTime"];

/** The place and the name that Gemini CLI gives to a chat. */
const NAME = /[\\/]chats[\\/](?:[^\\/]+[\\/])?session-[^\\/]+\.jsonl$/;

const TYPES: ReadonlySet<unknown> = new Set(["user", "gemini", "info", "error", "warning"]);

/** True if a file is a chat: a log, or a document. */
export function recognizeGemini(path: string, head: Uint8Array): boolean {
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
