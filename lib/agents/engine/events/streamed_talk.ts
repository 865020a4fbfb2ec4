/**
 * Collects responses that agents record in pieces: texts, tool calls and call results. The pieces
 * become one event as soon as a result or another record follows them.
 */
import type { CallStatus, Output } from "../../../core/event/message.ts";
import type { AssistantMessagePayload } from "../../../core/event/payload.ts";
import { present } from "../json.ts";
import type { EventOrigin, EventWriter } from "./event_writer.ts";
import {
  addCall,
  type DraftCall,
  emitResponse,
  type ResponseDraft,
  type ShellCommand,
  startResponse,
} from "./response_draft.ts";

interface StreamedResponse {
  readonly draft: ResponseDraft;
  readonly origin: EventOrigin;
  fields: Omit<AssistantMessagePayload, "content">;
  /** True once the response's event was emitted. Its token usage may still follow. */
  told: boolean;
}

/** The state of a reader of responses in pieces. It can be saved only while no response is open. */
export interface StreamedTalk {
  response?: StreamedResponse | undefined;
  /** The calls that have no result yet, by id. */
  calls: Map<string, { name: string; command?: string | undefined }>;
}

export function openResponse(
  talk: StreamedTalk,
  origin: EventOrigin,
  message_id: string | undefined = origin.id,
): StreamedResponse {
  const { response } = talk;
  if (response?.told === false) return response;
  const fields = present({ message_id });
  return talk.response = { draft: startResponse(), origin, fields, told: false };
}

export function addPiece(
  { draft }: StreamedResponse,
  type: "text" | "reasoning",
  text: string,
): void {
  const last = draft.parts.at(-1);
  if (last?.type === type) last.text += text;
  else draft.parts.push({ type, text });
}

export function declareCall(
  { calls }: StreamedTalk,
  draft: ResponseDraft,
  call: DraftCall,
  shell?: ShellCommand,
): void {
  calls.set(call.call_id, present({ name: call.name, command: shell?.command }));
  addCall(draft, call, shell);
}

/**
 * Emits the open response. Skips a response without parts and token usage.
 *
 * @returns The seq of the response's first event. Undefined if nothing was emitted.
 */
export function emitOpen({ response }: StreamedTalk, writer: EventWriter): number | undefined {
  if (response === undefined || response.told) return undefined;
  response.told = true;
  const { draft, fields, origin } = response;
  if (draft.parts.length === 0 && fields.usage === undefined) return undefined;
  const seq = writer.seq + 1;
  emitResponse(writer, draft, fields, origin);
  return seq;
}

export interface CallEnd {
  call_id: string;
  status: CallStatus;
  output?: Output | undefined;
  exit_code?: number | undefined;
  duration_ns?: number | undefined;
  caption?: string | undefined;
}

export function settleCall(
  { calls }: StreamedTalk,
  writer: EventWriter,
  { exit_code, ...outcome }: CallEnd,
  origin: EventOrigin,
): void {
  const { name = "", command } = calls.get(outcome.call_id) ?? {};
  calls.delete(outcome.call_id);
  const end = present(outcome);
  if (command === undefined) writer.emit("tool_end", { ...end, name }, origin);
  else writer.emit("bash_end", present({ ...end, command, exit_code }), origin);
}
