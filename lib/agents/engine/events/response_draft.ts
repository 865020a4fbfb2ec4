/**
 * Collects a model response: its parts in order, and the shell commands among its tool calls. The
 * response becomes one event that declares the calls, and a start event for each command. So a
 * command without a result is still shown as a command.
 */
import { toContent } from "../../../core/event/audience.ts";
import type { Content, Part, ToolCallPart } from "../../../core/event/message.ts";
import type {
  AssistantInterruptedPayload,
  AssistantMessagePayload,
} from "../../../core/event/payload.ts";
import { commandOf } from "../../../core/projection/said_parts.ts";
import { callInput } from "../../../core/event/call_input.ts";
import type { EventOrigin, EventSink } from "./event_writer.ts";
import { asText, type Json, present } from "../json.ts";

export interface ShellCommand {
  command: string;
  summary?: string | undefined;
}

export type DraftCall = Omit<ToolCallPart, "type">;

export function textCall({ id, name, arguments: text }: Json): DraftCall {
  const call = { call_id: asText(id) ?? "", name: asText(name) ?? "" };
  return { ...call, ...callInput(asText(text) || "{}") };
}

export interface ResponseDraft {
  readonly parts: Part[];
  /** The response's shell commands, keyed by their call in `parts`. Undefined if there are none. */
  commands: Map<ToolCallPart, ShellCommand> | undefined;
}

export function startResponse(parts: Part[] = []): ResponseDraft {
  return { parts, commands: undefined };
}

export function addCall(draft: ResponseDraft, call: DraftCall, command?: ShellCommand): void {
  const part: ToolCallPart = { type: "tool_call", ...call };
  draft.parts.push(part);
  if (command !== undefined) (draft.commands ??= new Map()).set(part, command);
}

export function contentOf({ parts }: Pick<ResponseDraft, "parts">): Content {
  return toContent(parts.some(isNothing) ? parts.filter((part) => !isNothing(part)) : parts);
}

function isNothing(part: Part): boolean {
  return part.type === "text" && part.text === "" && part.provider_data === undefined;
}

export function emitResponse(
  writer: EventSink,
  draft: ResponseDraft,
  fields: Omit<AssistantMessagePayload, "content">,
  origin: EventOrigin,
): void {
  writer.emit("assistant_message", { content: contentOf(draft), ...fields }, origin);
  emitStarts(writer, draft, origin);
}

export function emitInterrupted(
  writer: EventSink,
  draft: ResponseDraft,
  fields: Omit<AssistantInterruptedPayload, "content">,
  origin: EventOrigin,
): void {
  writer.emit("assistant_interrupted", { content: contentOf(draft), ...fields }, origin);
  emitStarts(writer, draft, origin);
}

/**
 * Emits start events for a response's shell commands. Calls before a command are started too, so
 * that the transcript keeps the calls' order.
 */
function emitStarts(
  writer: EventSink,
  { parts, commands }: ResponseDraft,
  origin: EventOrigin,
): void {
  // Of messages alone, all heads say how a call without a result is told.
  if (commands === undefined || writer.unlabelled) return;
  let left = commands.size;
  for (const part of parts) {
    if (left === 0) return;
    if (part.type !== "tool_call" || writer.leavesOut?.(part.audience)) continue;
    const { call_id, input } = part;
    const shell = commands.get(part);
    if (shell === undefined) {
      writer.emit("tool_start", { call_id }, origin);
      continue;
    }
    left--;
    const command = commandOf(input) === shell.command ? undefined : shell.command;
    writer.emit("bash_start", present({ call_id, command, summary: shell.summary }), origin);
  }
}
