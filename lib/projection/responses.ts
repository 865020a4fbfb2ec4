/**
 * Events to messages: which text, reasoning and calls are one response of the model, and which
 * result belongs to which call.
 */
import type { KnownEvent } from "../event/envelope.ts";
import type {
  Message,
  Part,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
} from "../event/message.ts";
import { bashResult, toolResult } from "./call_result.ts";
import type { Finding } from "./finding.ts";
import { UNSETTLED_OUTPUT } from "./paired_messages.ts";

interface Call {
  seq: number;
  call: ToolCallPart;
  result?: ToolResultPart;
}

/** One response of the model, with its calls. */
interface Response {
  role: "assistant";
  message_id: string | undefined;
  parts: Part[];
  calls: Call[];
  /** Nothing without an id joins any more. */
  closed: boolean;
}

interface Prompt {
  role: "user";
  message: Message;
}

interface Build {
  entries: (Response | Prompt)[];
  /** By message id. */
  responses: Map<string, Response>;
  /** Unsettled calls by call id, latest last: provider ids repeat. */
  open: Map<string, Call[]>;
  findings: Finding[];
}

/** Messages built from events, and what was wrong with their order. */
export interface BuiltMessages {
  /** Every call with its result, one made up where none was recorded. */
  messages: Message[];
  /** Calls that do not pair, in the order of their events. */
  findings: Finding[];
}

/** Builds the messages of conversation events in the order of their log. */
export function buildMessages(events: Iterable<KnownEvent>): BuiltMessages {
  const build: Build = { entries: [], responses: new Map(), open: new Map(), findings: [] };
  for (const event of events) take(build, event);
  for (const calls of build.open.values()) {
    for (const { seq, call } of calls) {
      const detail = `${call.name} ${call.call_id} did not finish`;
      build.findings.push({ code: "unsettled-call", seq, detail });
    }
  }
  build.findings.sort((a, b) => a.seq - b.seq);
  return { messages: build.entries.flatMap(toMessages), findings: build.findings };
}

function take(build: Build, event: KnownEvent): void {
  switch (event.kind) {
    case "user_message":
      build.entries.push({
        role: "user",
        message: { role: "user", content: event.payload.content },
      });
      break;
    case "assistant_message":
    case "assistant_interrupted":
      addParts(build, event.payload.message_id, toParts(event.payload.content));
      break;
    case "reasoning_message":
      addParts(build, event.payload.message_id, [reasoningPart(event.payload)]);
      break;
    case "tool_start": {
      const { call_id, name, input, message_id } = event.payload;
      addCall(build, event.seq, { type: "tool_call", call_id, name, input }, message_id, false);
      break;
    }
    case "bash_start": {
      const { call_id, command, message_id, origin } = event.payload;
      const call: ToolCallPart = { type: "tool_call", call_id, name: "bash", input: { command } };
      addCall(build, event.seq, call, message_id, origin === "user");
      break;
    }
    case "tool_end":
      settle(build, event.seq, toolResult(event.payload));
      break;
    case "bash_end":
      settle(build, event.seq, bashResult(event.payload));
      break;
    default:
  }
}

function toParts(content: Message["content"]): Part[] {
  if (typeof content !== "string") return content;
  return content === "" ? [] : [{ type: "text", text: content }];
}

function reasoningPart(payload: { content: string; provider_data?: unknown }): ReasoningPart {
  const { content, provider_data } = payload;
  return provider_data === undefined
    ? { type: "reasoning", text: content }
    : { type: "reasoning", text: content, provider_data };
}

function lastResponse({ entries }: Build): Response | undefined {
  const last = entries[entries.length - 1];
  return last?.role === "assistant" ? last : undefined;
}

function addResponse(
  build: Build,
  message_id: string | undefined,
  closed: boolean,
  parts: readonly Part[] = [],
): Response {
  // A copy has room for just these; an array that is pushed to, for 17 at least.
  const response: Response = {
    role: "assistant",
    message_id,
    parts: [...parts],
    calls: [],
    closed,
  };
  build.entries.push(response);
  if (message_id !== undefined) build.responses.set(message_id, response);
  return response;
}

/** Text and reasoning join the response of their id; without one, reasoning waits for its text. */
function addParts(build: Build, message_id: string | undefined, parts: Part[]): void {
  const named = message_id === undefined ? undefined : build.responses.get(message_id);
  const response = named ?? waitingResponse(build, message_id);
  if (response === undefined) addResponse(build, message_id, false, parts);
  else response.parts.push(...parts);
}

/** The last response, if it is only reasoning so far and may be the response asked for. */
function waitingResponse(build: Build, message_id: string | undefined): Response | undefined {
  const last = lastResponse(build);
  if (last === undefined || last.closed || last.message_id !== undefined) return undefined;
  if (last.calls.length > 0 || last.parts.length === 0) return undefined;
  if (last.parts.some((part) => part.type !== "reasoning")) return undefined;
  if (message_id !== undefined) {
    last.message_id = message_id;
    build.responses.set(message_id, last);
  }
  return last;
}

/**
 * A call joins the response of its id. Without one it joins the last response, unless a result came
 * since: then the model was asked again. What the user ran stands for itself.
 */
function addCall(
  build: Build,
  seq: number,
  call: ToolCallPart,
  message_id: string | undefined,
  own: boolean,
): void {
  const named = message_id === undefined ? undefined : build.responses.get(message_id);
  const last = own || message_id !== undefined ? undefined : lastResponse(build);
  const joins = last !== undefined && !last.closed &&
    last.calls.every((other) => other.result === undefined);
  const response = named ?? (joins ? last : addResponse(build, message_id, own));
  const entry: Call = { seq, call };
  response.calls.push(entry);
  const open = build.open.get(call.call_id);
  if (open === undefined) build.open.set(call.call_id, [entry]);
  else open.push(entry);
}

function settle(build: Build, seq: number, result: ToolResultPart): void {
  const call = build.open.get(result.call_id)?.pop();
  if (call === undefined) {
    const detail = `${result.name} ${result.call_id} has no start`;
    build.findings.push({ code: "orphan-settlement", seq, detail });
    return;
  }
  call.result = { ...result, name: call.call.name };
}

function toMessages(entry: Response | Prompt): Message[] {
  if (entry.role === "user") return [entry.message];
  const { parts, calls } = entry;
  const content: Part[] = [...parts, ...calls.map(({ call }) => call)];
  if (content.length === 0) return [];
  const [only] = content;
  const assistant: Message = {
    role: "assistant",
    content: content.length === 1 && only?.type === "text" ? only.text : content,
  };
  if (calls.length === 0) return [assistant];
  return [assistant, { role: "tool", content: calls.map(resultOf) }];
}

function resultOf({ call, result }: Call): ToolResultPart {
  const { call_id, name } = call;
  return result ??
    { type: "tool_result", call_id, name, status: "error", output: UNSETTLED_OUTPUT };
}
