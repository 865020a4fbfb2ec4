/**
 * Recognizes a chat of Gemini CLI by its first bytes. The order of keys tells nothing: tools that
 * sort them write chats too.
 */
import { headRecords } from "../head_records.ts";
import { parseJsonPrefix } from "../json_prefix.ts";
import { asList, asObject } from "../json_value.ts";

type Json = Readonly<Record<string, unknown>>;

/** The fields that each chat begins with, in some order. */
const FIELDS = ["sessionId", "projectHash", "startTime"];

const TYPES: ReadonlySet<unknown> = new Set(["user", "gemini", "info", "error", "warning"]);

/** Whether a file is a chat: a log, or a document. */
export function recognizeGemini(_path: string, head: Uint8Array): boolean {
  const named = headRecords(head).some(({ value }) =>
    FIELDS.every((field) => typeof value[field] === "string")
  );
  return named || isDocument(asObject(parseJsonPrefix(new TextDecoder().decode(head))));
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
