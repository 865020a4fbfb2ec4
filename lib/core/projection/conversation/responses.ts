/**
 * Groups events into messages. A response contains its text, reasoning and calls. Each result
 * follows its call.
 */
import { contentFor } from "../../event/audience.ts";
import type { KnownEvent } from "../../event/envelope.ts";
import type { Content, Message, Part, ToolCallPart } from "../../event/message.ts";
import type { BashStartPayload, UserMessagePayload } from "../../event/payload.ts";
import { bashResult, toolResult } from "../call_result.ts";
import { findingsOf, messagesOf } from "./built_messages.ts";
import type { Finding } from "../projection.ts";
import {
  beginCall,
  type MessageBuild,
  newCall,
  openCall,
  type Response,
  type SaidEvent,
  settle,
  startMessages,
} from "./message_build.ts";
import { isSpoken, reasoningPart, toParts, withoutCalls } from "../said_parts.ts";

export interface BuiltMessages {
  /** A call without a recorded result gets a placeholder. */
  messages: Message[];
  /** Calls, starts and results without a match, in the order of their events. */
  findings: Finding[];
}

/**
 * Builds the messages of conversation events in the order of their log. A call without a result
 * gets the output `unanswered`, a sentence that the log's head may define.
 */
export function buildMessages(
  events: Iterable<KnownEvent>,
  unanswered?: string,
  without_calls: boolean = false,
): BuiltMessages {
  const build = startMessages(false, without_calls);
  for (const event of events) addToMessages(build, event);
  return { messages: messagesOf(build, build.entries, unanswered), findings: findingsOf(build) };
}

export function addToMessages(build: MessageBuild, event: SaidEvent): void {
  switch (event.kind) {
    case "user_message":
      addPrompt(build, event.seq, event.payload);
      break;
    case "assistant_message":
    case "assistant_interrupted":
      addAnswer(build, event.seq, event.payload);
      break;
    case "reasoning_message":
      if (event.payload.audience === "user") break;
      addContent(build, event.seq, event.payload.message_id, [reasoningPart(event.payload)]);
      break;
    case "tool_start":
      return beginCall(build, event.seq, event.payload.call_id);
    case "bash_start":
      if (event.payload.origin === undefined) {
        return beginCall(build, event.seq, event.payload.call_id);
      }
      return addOwnCommand(build, event.seq, event.payload);
    case "tool_end":
      settle(build, event.seq, toolResult(event.payload));
      break;
    case "bash_end":
      settle(build, event.seq, bashResult(event.payload));
      break;
    default:
  }
}

function addPrompt(
  build: MessageBuild,
  seq: number,
  { role, content, provider_data }: UserMessagePayload,
): void {
  const own = contentFor(content, "model");
  if (own.length > 0 || content.length === 0) {
    const prompt: Message & { role: "user" | "system" } = { role: role ?? "user", content: own };
    if (provider_data !== undefined) prompt.provider_data = provider_data;
    if (build.numbered) Object.assign(prompt, { seq, end_seq: seq });
    build.entries.push(prompt);
  }
}

function lastResponse({ entries }: MessageBuild): Response | undefined {
  const last = entries[entries.length - 1];
  return last?.role === "assistant" ? last : undefined;
}

function addResponse(
  build: MessageBuild,
  seq: number,
  message_id: string | undefined,
  content: Content,
  closed: boolean,
): Response {
  const response: Response = {
    role: "assistant",
    seq,
    end_seq: seq,
    message_id,
    content: typeof content === "string" ? content : [...content],
    provider_data: undefined,
    calls: undefined,
    spoken: isSpoken(content),
    closed,
  };
  build.entries.push(response);
  if (message_id !== undefined) build.responses.set(message_id, response);
  return response;
}

function addAnswer(
  build: MessageBuild,
  seq: number,
  { message_id, content, provider_data }: {
    message_id?: string;
    content: Content;
    provider_data?: unknown;
  },
): void {
  const own = contentFor(build.without_calls ? withoutCalls(content) : content, "model");
  if (build.without_calls || typeof content === "string" || !content.some(isCall)) {
    addContent(build, seq, message_id, own, provider_data);
    return;
  }
  // Calls that only the user sees are in no message, but tracked, so that their end is no fault.
  for (const part of content) {
    if (part.type !== "tool_call" || part.audience !== "user") continue;
    openCall(build, newCall(build, seq, part, undefined));
  }
  if (own.length === 0) return;
  const response = addCalling(build, seq, { message_id, content: own, provider_data });
  for (const part of toParts(own)) {
    if (part.type !== "tool_call") continue;
    openCall(build, newCall(build, seq, part, response));
  }
}

/**
 * Adds a response with calls. Without text and message id, it extends the last response. It does
 * not if a call of the last response has a result.
 */
function addCalling(
  build: MessageBuild,
  seq: number,
  { message_id, content, provider_data }: {
    message_id: string | undefined;
    content: Content;
    provider_data: unknown;
  },
): Response {
  // The data for the provider belongs to a complete response.
  const whole = message_id !== undefined || provider_data !== undefined;
  const last = whole ? undefined : lastResponse(build);
  const mute = typeof content !== "string" && content.every(isMute);
  if (last === undefined || last.closed || last.provider_data !== undefined || !mute) {
    return addContent(build, seq, message_id, content, provider_data);
  }
  return extendResponse(last, seq, content);
}

function isMute(part: Part): boolean {
  return isCall(part) || part.type === "reasoning";
}

function isCall({ type }: Part): boolean {
  return type === "tool_call";
}

/** Adds content to the response with its message id, or to preceding reasoning without an id. */
function addContent(
  build: MessageBuild,
  seq: number,
  message_id: string | undefined,
  content: Content,
  provider_data?: unknown,
): Response {
  const named = message_id === undefined ? undefined : build.responses.get(message_id);
  const waits = provider_data === undefined ? waitingResponse(build, message_id) : undefined;
  const response = named ?? waits;
  if (response === undefined) {
    const added = addResponse(build, seq, message_id, content, false);
    added.provider_data = provider_data;
    return added;
  }
  return extendResponse(response, seq, content);
}

function extendResponse(response: Response, seq: number, content: Content): Response {
  response.end_seq = seq;
  const parts = toParts(response.content);
  for (const part of toParts(content)) parts.push(part);
  response.content = parts;
  response.spoken ||= isSpoken(content);
  return response;
}

/** Returns the last response if it only has reasoning without an id. Gives it `message_id`. */
function waitingResponse(
  build: MessageBuild,
  message_id: string | undefined,
): Response | undefined {
  const last = lastResponse(build);
  if (last === undefined || last.closed || last.message_id !== undefined) return undefined;
  if (last.provider_data !== undefined) return undefined;
  if (last.calls !== undefined || last.spoken || last.content.length === 0) return undefined;
  if (message_id !== undefined) {
    last.message_id = message_id;
    build.responses.set(message_id, last);
  }
  return last;
}

function addOwnCommand(
  build: MessageBuild,
  seq: number,
  { call_id, command, audience }: BashStartPayload,
): void {
  const call: ToolCallPart = { type: "tool_call", call_id, name: "bash", input: { command } };
  const seen_alone = audience === "user";
  const response = seen_alone ? undefined : addResponse(build, seq, undefined, [call], true);
  openCall(build, { ...newCall(build, seq, call, response), began: true });
}
