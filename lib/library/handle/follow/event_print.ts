/** Fingerprints of events, by which a later read finds the events that are new. Pure. */
import { partsOf } from "../../../core/projection/said_parts.ts";
import type { LogEvent } from "../../../core/event/envelope.ts";
import type { Part, ReasoningPart, TextPart } from "../../../core/event/message.ts";
import type { AssistantMessagePayload } from "../../../core/event/payload.ts";

export interface EventPrint {
  /** The event's kind and its record's id, or its contents if the record has no id. */
  key: string;
  print: number;
  prompt: boolean;
  /** The fingerprints of a response's parts, in order. Absent for an event that is no response. */
  parts?: readonly PartPrint[];
}

export interface PartPrint {
  print: number;
  /** For a part with text: the length, the text's fingerprint, and that of the other fields. */
  text?: { length: number; print: number; rest: number };
}

/** Number of characters at each end of a text that, with its length, make its fingerprint. */
const EDGE = 32;

function mix(print: number, value: number): number {
  return Math.imul(print ^ value, 0x9e3779b1) ^ (print >>> 15);
}

/** Returns a fingerprint of a text's length, start and end. Hashing all of a log takes too long. */
function printText(text: string, start = 0): number {
  let print = mix(start, text.length);
  for (let at = 0; at < text.length && at < EDGE; at++) print = mix(print, text.charCodeAt(at));
  const from = Math.max(EDGE, text.length - EDGE);
  for (let at = from; at < text.length; at++) print = mix(print, text.charCodeAt(at));
  return print;
}

function printValue(value: unknown, start = 0): number {
  if (typeof value === "string") return printText(value, start);
  if (typeof value !== "object" || value === null) return printText(String(value), start);
  let print = mix(start, Array.isArray(value) ? 1 : 2);
  for (const [name, member] of Object.entries(value)) {
    print = printValue(member, printText(name, print));
  }
  return print;
}

/** Returns the fingerprints of events. Numbers the keys that repeat within one record. */
export function printEvents(events: readonly LogEvent[]): EventPrint[] {
  const counts = new Map<string, number>();
  let record: number | undefined;
  return events.map((event) => {
    const print = printEvent(event);
    const offset = event.form === "unparsed" ? undefined : event.position?.offset;
    if (offset === undefined) return print;
    if (offset !== record) counts.clear();
    record = offset;
    const count = (counts.get(print.key) ?? 0) + 1;
    counts.set(print.key, count);
    return count === 1 ? print : { ...print, key: `${print.key} ${count}` };
  });
}

function printEvent(event: LogEvent): EventPrint {
  if (event.form === "unparsed") {
    return { key: `${event.kind} ${event.seq}`, print: 0, prompt: false };
  }
  const { kind, payload, source } = event;
  const print = printValue(payload);
  const id = textOf(payload, "message_id") ?? source?.id;
  const name = id === undefined ? `${event.time} ${print}` : `${source?.session_id} ${id}`;
  const key = `${kind} ${name} ${textOf(payload, "call_id") ?? ""}`;
  const prompt = kind === "user_message";
  return event.form === "known" && event.kind === "assistant_message"
    ? { key, print, prompt, parts: partsOf(event.payload.content).map(printPart) }
    : { key, print, prompt };
}

/** Returns a text field of a payload, such as the `message_id` that a growing response keeps. */
function textOf(payload: unknown, name: "message_id" | "call_id"): string | undefined {
  const value = (payload as Record<string, unknown>)[name];
  return typeof value === "string" ? value : undefined;
}

function printPart(part: Part): PartPrint {
  const print = printValue(part);
  if (!hasText(part)) return { print };
  const { text, ...rest } = part;
  return {
    print,
    text: { length: text.length, print: printText(text), rest: printValue(rest) },
  };
}

/** True if a response begins with all parts of an earlier one, by their fingerprints. */
export function isGrown({ parts: before }: EventPrint, { parts: now }: EventPrint): boolean {
  if (before === undefined || now === undefined || before.length > now.length) return false;
  return before.every(({ print }, index) => print === now[index]?.print);
}

/**
 * Returns the parts or the text that were added to a response. Empty if nothing was added.
 * Undefined if another change was made.
 */
export function gainedContent(
  { parts: before = [] }: EventPrint,
  { payload }: { payload: AssistantMessagePayload },
): readonly Part[] | undefined {
  const parts = partsOf(payload.content);
  const at = before.findIndex(({ print }, index) => {
    const part = parts[index];
    return part === undefined || printPart(part).print !== print;
  });
  if (at < 0) return parts.slice(before.length);
  const part = parts[at];
  const grown = at === before.length - 1 ? before[at]?.text : undefined;
  if (grown === undefined || part === undefined || !hasText(part)) return undefined;
  const { text, ...rest } = part;
  const same = printText(text.slice(0, grown.length)) === grown.print &&
    printValue(rest) === grown.rest;
  return same ? [{ ...part, text: text.slice(grown.length) }, ...parts.slice(at + 1)] : undefined;
}

function hasText(part: Part): part is TextPart | ReasoningPart {
  return part.type === "text" || part.type === "reasoning";
}
