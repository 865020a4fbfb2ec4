/**
 * The lines of Autohand's `conversation.jsonl`, and which call each result settles.
 *
 * autohandai/code-cli 0.8.2, src/session/types.ts `SessionMessage`.
 */
import { type CallInput, parseCallInput } from "../../event/call_input.ts";
import type { CallStatus } from "../../event/message.ts";
import { handedStatus } from "../../reading/handed/handed_status.ts";
import { asList, asName, asObject, asText } from "../../reading/records/json_value.ts";
import { type ShownAnswer, shownAnswer } from "./shown_answer.ts";

/** A call as our events have it. */
export interface LineCall extends CallInput {
  call_id: string;
  name: string;
}

/** What one line says. */
export type ConversationLine =
  | { type: "user"; text: string }
  | { type: "assistant"; text: string; shown?: ShownAnswer | undefined; calls: LineCall[] }
  | { type: "result"; call_id: string; name: string; text: string; status: CallStatus }
  | { type: "chunk"; call_id: string; name: string; stream: string; text: string }
  | { type: "note"; text: string }
  | { type: "other" };

/** A stored system prompt is not sent again: `restoreAgentSessionState`. */
const SYSTEM_PROMPT = "You are Autohand";

/** True where a line is said to the model or by it; others are kept whole. */
export function isSaid(line: ConversationLine): boolean {
  if (line.type === "note") return !line.text.startsWith(SYSTEM_PROMPT);
  return line.type !== "chunk" && line.type !== "other";
}

interface OpenCall {
  call_id: string;
  name: string;
  /** What was streamed of its output so far. */
  chunks: string[];
  /** How it ended in the session that was handed over to Autohand, which keeps no outcome. */
  told: CallStatus | undefined;
}

/** Reads lines in their order: results are told by the calls before them. */
export class ConversationLines {
  #open: OpenCall[] = [];
  #calls = 0;

  /** What a record says; results of calls that were cut off come before it. */
  take(value: Readonly<Record<string, unknown>>): ConversationLine[] {
    const text = asText(value.content);
    if (text === undefined) return [{ type: "other" }];
    if (value.role === "tool") return [this.#result(value, text)];
    if (value.role === "system") return [{ type: "note", text }];
    if (value.role === "user") return [...this.end(), { type: "user", text }];
    if (value.role !== "assistant") return [{ type: "other" }];
    const cut = this.end();
    const calls = asList(value.toolCalls).map((call) => this.#call(asObject(call), value));
    return [...cut, { type: "assistant", text, shown: shownAnswer(text), calls }];
  }

  /** Gives the calls that streamed output and never settled what they had. */
  end(): ConversationLine[] {
    const cut = this.#open.filter(({ chunks }) => chunks.length > 0);
    this.#open = this.#open.filter(({ chunks }) => chunks.length === 0);
    return cut.map(({ call_id, name, chunks }) => ({
      type: "result",
      call_id,
      name,
      text: chunks.join(""),
      status: "interrupted",
    }));
  }

  /** `{id?, tool, args?}`; imports may have `{id?, function: {name, arguments}}` (session restore). */
  #call(
    call: Readonly<Record<string, unknown>>,
    record: Readonly<Record<string, unknown>>,
  ): LineCall {
    const { name, arguments: text } = asObject(call.function);
    const made: LineCall = {
      call_id: asName(call.id) ?? `unnamed_${++this.#calls}`,
      name: asName(call.tool) ?? asName(name) ?? "unknown",
      ...parsedArguments(call.args ?? text),
    };
    const { call_id } = made;
    this.#open.push({ call_id, name: made.name, chunks: [], told: handedStatus(record, call_id) });
    return made;
  }

  #result(value: Readonly<Record<string, unknown>>, text: string): ConversationLine {
    const stream = asName(asObject(value._meta).stream);
    const at = this.#callOf(asName(value.tool_call_id), asName(value.name));
    const open = this.#open[at];
    const call_id = open?.call_id ?? asName(value.tool_call_id) ?? "unknown";
    const name = asName(value.name) ?? open?.name ?? "unknown";
    if (stream !== undefined) {
      open?.chunks.push(text);
      return { type: "chunk", call_id, name, stream, text };
    }
    if (at >= 0) this.#open.splice(at, 1);
    return { type: "result", call_id, name, text, status: open?.told ?? "ok" };
  }

  /** A result without an id belongs to the first call that waits, of its name if it has one. */
  #callOf(call_id: string | undefined, name: string | undefined): number {
    if (call_id !== undefined) return this.#open.findLastIndex((call) => call.call_id === call_id);
    return this.#open.findIndex((call) => name === undefined || call.name === name);
  }
}

/** Arguments are an object, or its JSON. */
function parsedArguments(value: unknown): CallInput {
  if (typeof value !== "string") return { input: value ?? {} };
  try {
    return parseCallInput(value);
  } catch {
    // SyntaxError: the model wrote no JSON; its text is all there is.
    return { input: value };
  }
}
