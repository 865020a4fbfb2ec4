/**
 * Writes the lines of a session that is handed over. The member `reprise` of a line stores the
 * original calls. All agents for which Reprise writes ignore an unknown member.
 */
import { asObject, type Json } from "../json.ts";
import type { CallStatus } from "../../../core/event/message.ts";
import type {
  HandedCall,
  HandedImage,
  HandedMessage,
  HandedPart,
  OriginalCall,
} from "../../contract/session_writer.ts";

/** The original calls of a handed-over record. */
interface HandedOriginals {
  /** The reference of the session from which the calls come. */
  from: string;
  /** The original calls, by their new id. */
  calls: Record<string, OriginalCall>;
}

/**
 * Returns the member `reprise` with a record's original calls; an empty object if there are no
 * calls. The order of keys matters, because readers search for the member's first bytes.
 */
export function handedOriginals(
  from: string,
  calls: readonly HandedCall[],
): { reprise?: HandedOriginals } {
  if (calls.length === 0) return {};
  const originals = calls.map(({ id, original }) => [id, original] as const);
  return { reprise: { from, calls: Object.fromEntries(originals) } };
}

/** The text that marks a line with original calls. */
export const ORIGINALS_MARK = '"reprise":{"from":';

/**
 * Returns a record as a JSON line. Escapes Unicode separators at which some programs split lines.
 */
export function handedLine(record: unknown): string {
  return `${handedJson(record)}\n`;
}

/** Yields the text of a JSON document: its fields, then a list with one record per line. */
export async function* handedDocument(
  fields: object,
  list: string,
  messages: AsyncIterable<HandedMessage>,
  recordsOf: (message: HandedMessage) => Iterable<object>,
): AsyncGenerator<string> {
  let before = `${handedJson(fields).slice(0, -1)},"${list}":[`;
  for await (const message of messages) {
    for (const record of recordsOf(message)) {
      yield `${before}\n${handedJson(record)}`;
      before = ",";
    }
  }
  yield `${before === "," ? "" : before}\n]}\n`;
}

/** Returns a value as JSON in which Unicode line separators are escaped. */
export function handedJson(value: unknown): string {
  const json = JSON.stringify(value);
  return /[\u2028\u2029]/.test(json) ? json.replace(/[\u2028\u2029]/g, escaped) : json;
}

function escaped(separator: string): string {
  return separator === "\u2028" ? "\\u2028" : "\\u2029";
}

// Reads how a call ended before its session was handed over. Some agents record only success and
// failure, and some record nothing.

const STATUSES: ReadonlySet<unknown> = new Set(["ok", "error", "interrupted", "skipped"]);

export function isCallStatus(value: unknown): value is CallStatus {
  return STATUSES.has(value);
}

/**
 * Returns the status of the original call in a handed-over record; undefined if no status is
 * recorded.
 */
export function handedStatus(record: Json, call_id: string): CallStatus | undefined {
  if (record.reprise === undefined) return undefined;
  const { calls } = asObject(record.reprise);
  const { status } = asObject(new Map(Object.entries(asObject(calls))).get(call_id));
  return isCallStatus(status) ? status : undefined;
}

/** Returns the texts of parts, joined by newlines. An image becomes a line that names its type. */
export function handedText(parts: readonly HandedPart[]): string {
  return parts.map(partText).join("\n");
}

/** Returns the texts of parts, joined by newlines, without images. */
export function outputText(parts: readonly HandedPart[]): string {
  return parts.flatMap((part) => part.type === "text" ? part.text : []).join("\n");
}

export function isImage(part: HandedPart): part is HandedImage {
  return part.type === "image";
}

/** Returns a part's text. An image becomes a line that says that it was not handed over. */
export function partText(part: HandedPart): string {
  return part.type === "text" ? part.text : `[image (${part.media_type}): not handed over]`;
}
