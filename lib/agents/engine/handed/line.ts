/**
 * Writes the lines of a session that is handed over to another agent. A line's member `reprise`
 * stores the original tool calls. All agents for which Reprise writes sessions ignore unknown
 * members.
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

interface HandedOriginals {
  /** The reference of the session from which the calls come. */
  from: string;
  /** The original calls, keyed by their new call ids. */
  calls: Record<string, OriginalCall>;
}

/**
 * Returns the member `reprise` with a record's original calls. Empty if there are no calls. `from`
 * has to be the first key, because readers search for the member's first bytes.
 */
export function handedOriginals(
  from: string,
  calls: readonly HandedCall[],
): { reprise?: HandedOriginals } {
  if (calls.length === 0) return {};
  const originals = calls.map(({ id, original }) => [id, original] as const);
  return { reprise: { from, calls: Object.fromEntries(originals) } };
}

/** The start of the member `reprise`. It marks a line that stores original tool calls. */
export const ORIGINALS_MARK = '"reprise":{"from":';

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

/** Returns a value as JSON. Escapes the Unicode separators at which some programs split lines. */
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

export function handedStatus(record: Json, call_id: string): CallStatus | undefined {
  if (record.reprise === undefined) return undefined;
  const { calls } = asObject(record.reprise);
  const { status } = asObject(new Map(Object.entries(asObject(calls))).get(call_id));
  return isCallStatus(status) ? status : undefined;
}

export function handedText(parts: readonly HandedPart[]): string {
  return parts.map(partText).join("\n");
}

export function outputText(parts: readonly HandedPart[]): string {
  return parts.flatMap((part) => part.type === "text" ? part.text : []).join("\n");
}

export function isImage(part: HandedPart): part is HandedImage {
  return part.type === "image";
}

export function partText(part: HandedPart): string {
  return part.type === "text" ? part.text : `[image (${part.media_type}): not handed over]`;
}
