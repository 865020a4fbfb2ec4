/**
 * Reads the records of a chat of Gemini CLI (packages/core/src/services/chatRecordingService.ts and
 * chatRecordingTypes.ts, 0.61). A chat is a log of patches.
 *
 * First comes a head `{sessionId, projectHash, startTime, …}`, then messages `{id, timestamp, type,
 * content, …}`. A later message with the same id replaces the earlier in its place. `{"$set": {…}}`
 * changes the head, and with `messages` begins anew. `{"$rewindTo": id}` takes back that message
 * and all behind it, or all when it is not there.
 */
import { readHeadRecords } from "../../reading/records/file_edges.ts";
import { asList, asObject, asText } from "../../reading/json_value.ts";

type Json = Readonly<Record<string, unknown>>;

/** What a record is. */
export type ChatRecordType = "head" | "message" | "$set" | "$rewindTo" | "other";

/** Tells what a record is, in the order in which Gemini CLI asks. */
export function chatRecordType(value: Json): ChatRecordType {
  if (typeof value.$rewindTo === "string") return "$rewindTo";
  if (typeof value.id === "string") return "message";
  if (typeof value.$set === "object" && value.$set !== null) return "$set";
  return typeof value.sessionId === "string" ? "head" : "other";
}

/** The messages that a record begins anew with; undefined when it does not. */
export function freshMessages(value: Json): readonly Json[] | undefined {
  const { messages } = chatRecordType(value) === "$set" ? asObject(value.$set) : value;
  return Array.isArray(messages) ? asList(messages).map(asObject) : undefined;
}

/** The id of a message. */
export function messageId(message: Json): string | undefined {
  return asText(message.id);
}

/** The first line has no message. */
const HEAD_BYTES = 16 * 1024;

/** Reads the head that a chat begins with; nothing of one that is a document. */
export function readChatHead(path: string): Json {
  const [first] = isDocument(path) ? [] : readHeadRecords(path, HEAD_BYTES);
  return first !== undefined && chatRecordType(first.value) === "head" ? first.value : {};
}

/** True for a chat that is one JSON document, as up to 0.3x. */
export function isDocument(path: string): boolean {
  return path.endsWith(".json");
}
