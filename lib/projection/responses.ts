/**
 * Groups events into messages. A response has its text, reasoning and calls, and each result its
 * call.
 */
import { contentFor, oneText } from "../event/audience.ts";
import type { KnownEvent } from "../event/envelope.ts";
import type { Audience, Content, Message, ToolCallPart, ToolResultPart } from "../event/message.ts";
import type { EventKind, PayloadByKind, UserMessagePayload } from "../event/payload.ts";
import { bashResult, toolResult } from "./call_result.ts";
import type { Finding } from "./finding.ts";
import { unsettled, UNSETTLED_OUTPUT } from "./paired_messages.ts";
import { isSpoken, reasoningPart, toolCall, toParts } from "./said_parts.ts";

interface Call {
  seq: number;
  call: ToolCallPart;
  result: ToolResultPart | undefined;
  /** Undefined of a call that only the user saw. */
  response: Response | undefined;
  /** What was counted when it began. */
  since: number;
  /** Too much waited for its result: none is taken any more. */
  overdue: boolean;
}

/**
 * One response of the model, with its calls. Held for each of what may be a million messages, so
 * what is one text stays one, and there is no list before there is a call.
 */
interface Response {
  role: "assistant";
  message_id: string | undefined;
  /** A text, or parts in an array of its own. */
  content: Content;
  calls: Call[] | undefined;
  /** Something but reasoning is in it. */
  spoken: boolean;
  /** Nothing without an id joins any more: the user ran it, or a call has its result. */
  closed: boolean;
}

/** What an event says, for messages. */
export type SaidEvent = {
  [Kind in EventKind]: { seq: number; kind: Kind; payload: PayloadByKind[Kind] };
}[EventKind];

/** Messages in the making. */
export interface MessageBuild {
  /** Responses, and the messages of the user. */
  entries: (Response | Message & { role: "user" | "system" })[];
  /** By message id. */
  responses: Map<string, Response>;
  /** Unsettled calls by call id, latest last: provider ids repeat. */
  open: Map<string, Call[]>;
  /** Characters of the events that came while a call was open, where somebody counts them. */
  counted: number;
  findings: Finding[];
}

/** Messages built from events, and what was wrong with their order. */
export interface BuiltMessages {
  /** Every call with its result, one made up where none was recorded. */
  messages: Message[];
  /** Calls that do not pair, in the order of their events. */
  findings: Finding[];
}

/**
 * Builds the messages of conversation events in the order of their log; `unanswered` is said of a
 * call without a result.
 */
export function buildMessages(
  events: Iterable<KnownEvent>,
  unanswered: string = UNSETTLED_OUTPUT,
): BuiltMessages {
  const build = startMessages();
  for (const event of events) addToMessages(build, event);
  for (const calls of build.open.values()) {
    for (const { seq, call, response } of calls) {
      if (response === undefined) continue;
      const detail = `${call.name} ${call.call_id} did not finish`;
      build.findings.push({ code: "unsettled-call", seq, detail });
    }
  }
  build.findings.sort((a, b) => a.seq - b.seq);
  return { messages: messagesOf(build.entries, unanswered), findings: build.findings };
}

/** Begins to build messages. */
export function startMessages(): MessageBuild {
  return { entries: [], responses: new Map(), open: new Map(), counted: 0, findings: [] };
}

/**
 * Takes the messages that nothing is added to any more: those before the last one, up to the first
 * whose calls wait for a result. A `message_id` joins only what stands side by side.
 */
export function takeSettledMessages(build: MessageBuild, unanswered: string): Message[] {
  const { entries, responses } = build;
  let count = 0;
  while (count < entries.length - 1 && isSettled(entries[count])) count++;
  if (count === 0) return [];
  const settled = entries.splice(0, count);
  for (const entry of settled) {
    if (entry.role !== "assistant" || entry.message_id === undefined) continue;
    responses.delete(entry.message_id);
  }
  return messagesOf(settled, unanswered);
}

/** Gives up the calls for which more than so many characters wait. */
export function closeOverdueCalls({ open, counted }: MessageBuild, most_waiting: number): void {
  // In order of the first call that is open by each id.
  for (const [call_id, calls] of open) {
    if (counted - (calls[0]?.since ?? 0) <= most_waiting) return;
    for (const call of calls) call.overdue = true;
    open.delete(call_id);
  }
}

/** Takes the messages that are left; `unanswered` is said of a call without a result. */
export function takeLastMessages(build: MessageBuild, unanswered: string): Message[] {
  return messagesOf(build.entries.splice(0), unanswered);
}

function isSettled(entry: MessageBuild["entries"][number] | undefined): boolean {
  if (entry?.role !== "assistant" || entry.calls === undefined) return true;
  return entry.calls.every(({ result, overdue }) => result !== undefined || overdue);
}

function messagesOf(entries: MessageBuild["entries"], unanswered: string): Message[] {
  const messages: Message[] = [];
  for (const entry of entries) {
    if (entry.role === "assistant") addMessages(messages, entry, unanswered);
    else messages.push(entry);
  }
  return messages;
}

/** Adds what an event says to the messages. */
export function addToMessages(build: MessageBuild, event: SaidEvent): void {
  switch (event.kind) {
    case "user_message":
      addPrompt(build, event.payload);
      break;
    case "assistant_message":
    case "assistant_interrupted":
      addContent(build, event.payload.message_id, contentFor(event.payload.content, "model"));
      break;
    case "reasoning_message":
      if (event.payload.audience === "user") break;
      addContent(build, event.payload.message_id, [reasoningPart(event.payload)]);
      break;
    case "tool_start": {
      const { name, input } = event.payload;
      addCall(build, event.seq, toolCall(event.payload, name, input), event.payload, false);
      break;
    }
    case "bash_start": {
      const { command, origin, name = "bash", input = { command } } = event.payload;
      const call = toolCall(event.payload, name, input);
      addCall(build, event.seq, call, event.payload, origin === "user");
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

/** What the user alone saw of a prompt is left out; where that was all, there is no message. */
function addPrompt(build: MessageBuild, { role, content, told }: UserMessagePayload): void {
  const said = told ?? content;
  const own = contentFor(said, "model");
  if (own.length > 0 || said.length === 0) {
    build.entries.push({ role: role ?? "user", content: own });
  }
}

function lastResponse({ entries }: MessageBuild): Response | undefined {
  const last = entries[entries.length - 1];
  return last?.role === "assistant" ? last : undefined;
}

function addResponse(
  build: MessageBuild,
  message_id: string | undefined,
  content: Content,
  closed: boolean,
): Response {
  const response: Response = {
    role: "assistant",
    message_id,
    content: typeof content === "string" ? content : [...content],
    calls: undefined,
    spoken: isSpoken(content),
    closed,
  };
  build.entries.push(response);
  if (message_id !== undefined) build.responses.set(message_id, response);
  return response;
}

/** Text and reasoning join the response of their id; without one, reasoning waits for its text. */
function addContent(build: MessageBuild, message_id: string | undefined, content: Content): void {
  const named = message_id === undefined ? undefined : build.responses.get(message_id);
  const response = named ?? waitingResponse(build, message_id);
  if (response === undefined) {
    addResponse(build, message_id, content, false);
    return;
  }
  const parts = toParts(response.content);
  for (const part of toParts(content)) parts.push(part);
  response.content = parts;
  response.spoken ||= isSpoken(content);
}

/** The last response, if it is only reasoning so far and may be the response asked for. */
function waitingResponse(
  build: MessageBuild,
  message_id: string | undefined,
): Response | undefined {
  const last = lastResponse(build);
  if (last === undefined || last.closed || last.message_id !== undefined) return undefined;
  if (last.calls !== undefined || last.spoken || last.content.length === 0) return undefined;
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
  build: MessageBuild,
  seq: number,
  call: ToolCallPart,
  { message_id, audience }: { message_id?: string; audience?: Audience },
  own: boolean,
): void {
  if (audience === "user") {
    return openCall(build, newCall(build, seq, call, undefined));
  }
  const named = message_id === undefined ? undefined : build.responses.get(message_id);
  const last = own || message_id !== undefined ? undefined : lastResponse(build);
  const response = named ??
    (last === undefined || last.closed ? addResponse(build, message_id, "", own) : last);
  const entry = newCall(build, seq, call, response);
  if (response.calls === undefined) response.calls = [entry];
  else response.calls.push(entry);
  openCall(build, entry);
}

function newCall(
  { counted }: MessageBuild,
  seq: number,
  call: ToolCallPart,
  response: Response | undefined,
): Call {
  return { seq, call, result: undefined, response, since: counted, overdue: false };
}

function openCall(build: MessageBuild, entry: Call): void {
  const open = build.open.get(entry.call.call_id);
  if (open === undefined) build.open.set(entry.call.call_id, [entry]);
  else open.push(entry);
}

function settle(build: MessageBuild, seq: number, result: ToolResultPart): void {
  const open = build.open.get(result.call_id);
  const call = open?.pop();
  if (call === undefined) {
    const detail = `${result.name} ${result.call_id} has no start`;
    build.findings.push({ code: "orphan-settlement", seq, detail });
    return;
  }
  if (open?.length === 0) build.open.delete(result.call_id);
  call.result = { ...result, name: call.call.name };
  if (call.response !== undefined) call.response.closed = true;
}

function addMessages(
  messages: Message[],
  { content, calls }: Response,
  unanswered: string,
): void {
  if (calls === undefined) {
    if (content.length > 0) messages.push({ role: "assistant", content: oneText(content) });
    return;
  }
  const parts = [...toParts(content), ...calls.map(({ call }) => call)];
  messages.push({ role: "assistant", content: parts });
  messages.push({
    role: "tool",
    content: calls.map(({ call, result }) => result ?? unsettled(call, unanswered)),
  });
}
