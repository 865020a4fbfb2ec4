/**
 * A response of the model in the making: its parts in their order, and the shell commands among its
 * calls. It becomes one event that declares the calls, and a start for each command. So a command
 * without a result is shown as a command too.
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
  /** The command's purpose, in a few words. */
  summary?: string | undefined;
}

export type DraftCall = Omit<ToolCallPart, "type">;

/** Returns a call whose arguments are given as JSON text. */
export function textCall({ id, name, arguments: text }: Json): DraftCall {
  const call = { call_id: asText(id) ?? "", name: asText(name) ?? "" };
  return { ...call, ...callInput(asText(text) || "{}") };
}

export interface ResponseDraft {
  readonly parts: Part[];
  /** The shell commands of the response, by their call among the parts; undefined if none. */
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

/** Returns a response's content without empty texts. A single text becomes a string. */
export function contentOf({ parts }: Pick<ResponseDraft, "parts">): Content {
  return toContent(parts.some(isNothing) ? parts.filter((part) => !isNothing(part)) : parts);
}

function isNothing(part: Part): boolean {
  return part.type === "text" && part.text === "" && part.provider_data === undefined;
}

/** Adds the event of a complete response, and a start event for each of its commands. */
export function emitResponse(
  writer: EventSink,
  draft: ResponseDraft,
  fields: Omit<AssistantMessagePayload, "content">,
  origin: EventOrigin,
): void {
  writer.emit("assistant_message", { content: contentOf(draft), ...fields }, origin);
  emitStarts(writer, draft, origin);
}

/** Adds the event of an interrupted response, and a start event for each of its commands. */
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
 * Adds the start events of a response's commands. Other calls before a command are started too, so
 * that the transcript keeps their order.
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
