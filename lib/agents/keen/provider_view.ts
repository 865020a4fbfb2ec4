/**
 * Builds the conversation that Keen sends to a provider. The model gets each call of an earlier
 * turn again. In place of the call's output, the model gets only how the call ended.
 *
 * Keen Code 0.38.1, internal/llm/message_format.go `historicalMessageSteps` and anthropic.go
 * `toAnthropicMessages`. A `retained_output` is sent whole (commit 887ad5a3).
 */
import { Buffer } from "node:buffer";
import type { Message, Part, ToolCallPart, ToolResultPart } from "../../core/event/message.ts";
import { toParts } from "../../core/projection/said_parts.ts";
import type { EventTarget } from "../engine/events/event_writer.ts";
import { emitResponse, startResponse } from "../engine/events/response_draft.ts";
import type { KeenMessage, KeenTurn, ToolActivity } from "./keen_event.ts";

/** Index of a request's first logged message. Index 0 is the system prompt, never logged. */
const FIRST_INDEX = 1;

export function isSent(message: KeenMessage | null): boolean {
  return ["system", "user", "assistant"].includes(message?.Role ?? "");
}

/**
 * Returns the messages that Keen sends, but with other call ids. Keen makes a call's id from the
 * index of the message, which only a read of all lines finds. The ids here have the line's number.
 * The two differ only after compactions and turns that are not sent.
 *
 * @param first Index of the first element of `messages`.
 */
export function providerView(
  messages: readonly (KeenMessage | null)[],
  first = FIRST_INDEX,
): Message[] {
  return messages.flatMap((message, index) => toMessages(message ?? {}, first + index));
}

function toMessages(message: KeenMessage, index: number): Message[] {
  const { Role: role, Content: content } = message;
  if (role === "assistant") return stepsOf(message, index).flatMap(stepMessages);
  return role === "user" || role === "system" ? [{ role, content: content ?? "" }] : [];
}

interface Step {
  text: string;
  activities: { call_id: string; activity: ToolActivity }[];
}

/** Splits an answer's text at its calls. Calls with invalid byte offsets are skipped. */
function stepsOf({ Content, TurnMemory }: KeenMessage, index: number): Step[] {
  const prose = Buffer.from(Content ?? "");
  const steps: Step[] = [];
  let cursor = 0;
  let count = 0;
  for (const activity of TurnMemory?.tool_activity ?? []) {
    const offset = activity?.text_offset ?? 0;
    if (!activity?.tool || offset < cursor || !isCut(prose, offset)) continue;
    const call = { call_id: `historical_${index}_${count++}`, activity };
    const last = steps.at(-1);
    if (last !== undefined && offset === cursor) last.activities.push(call);
    else steps.push({ text: prose.toString("utf8", cursor, offset), activities: [call] });
    cursor = offset;
  }
  return [...steps, { text: prose.toString("utf8", cursor), activities: [] }];
}

/** True if a character begins at byte `offset`, or if the text ends there. */
function isCut(prose: Uint8Array, offset: number): boolean {
  if (offset > prose.length) return false;
  return offset === prose.length || ((prose[offset] as number) & 0xc0) !== 0x80;
}

function stepMessages({ text, activities }: Step): Message[] {
  if (activities.length === 0) return text === "" ? [] : [{ role: "assistant", content: text }];
  const said: Part[] = text === "" ? [] : [{ type: "text", text }];
  const calls = activities.map(({ call_id, activity }): ToolCallPart => ({
    type: "tool_call",
    call_id,
    name: activity.tool ?? "",
    input: activity.input ?? {},
  }));
  const results = activities.map(({ call_id, activity }): ToolResultPart => ({
    type: "tool_result",
    call_id,
    name: activity.tool ?? "",
    status: activity.status === "success" ? "ok" : "error",
    output: outcomeOf(activity),
  }));
  return [{ role: "assistant", content: [...said, ...calls] }, { role: "tool", content: results }];
}

function outcomeOf({ status, exit_code, retained_output }: ToolActivity): string {
  if (retained_output !== undefined && retained_output !== null) {
    return JSON.stringify(retained_output);
  }
  const ended = status === "success" ? "success" : "error";
  return JSON.stringify(
    exit_code === undefined || exit_code === null
      ? { status: ended }
      : { status: ended, exit_code },
  );
}

export interface TurnTarget extends EventTarget {
  /** Number of the turn's record, from which the ids of the turn's calls are made. */
  readonly number: number;
}

export function emitSent({ message, turn_memory }: KeenTurn, target: TurnTarget): void {
  const { writer, origin, number } = target;
  const said = { Role: "assistant", Content: message ?? "", TurnMemory: turn_memory ?? null };
  writer.audience = "model";
  for (const { content } of providerView([said], number - 1)) {
    const parts = toParts(content);
    const response = parts.filter(({ type }) => type !== "tool_result");
    if (response.length > 0) emitResponse(writer, startResponse(response), {}, origin);
    for (const part of parts) {
      if (part.type !== "tool_result") continue;
      const { call_id, name, status, output } = part;
      writer.emit("tool_end", { call_id, name, status, output }, origin);
    }
  }
  writer.audience = undefined;
}
