/**
 * Whether a file is a chat of Gemini CLI, by its first bytes.
 */
import { headRecords } from "../head_records.ts";

/** The fields that each chat begins with, in some order. */
const FIELDS = ["sessionId", "projectHash", "startTime"];
const HEAD_LENGTH = 4096;

/** Whether a file is a chat: a log, or a document. */
export function recognizeGemini(_path: string, head: Uint8Array): boolean {
  const named = headRecords(head).some(({ value }) =>
    FIELDS.every((field) => typeof value[field] === "string")
  );
  return named || isDocument(new TextDecoder().decode(head.subarray(0, HEAD_LENGTH)));
}

/** A document on many lines, whose start does not parse. */
function isDocument(text: string): boolean {
  return /^\s*\{/.test(text) && /"messages"\s*:\s*\[/.test(text) &&
    (/"sessionId"\s*:/.test(text) || /"projectHash"\s*:/.test(text)) &&
    /"type"\s*:\s*"(?:user|gemini|info|error|warning)"/.test(text);
}
