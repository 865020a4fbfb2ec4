/** Holds unfinished messages: responses, prompts, and calls without a result. */
import type { Content, Message, Part, ToolCallPart, ToolResultPart } from "../../event/message.ts";
import type { EventKind, PayloadByKind } from "../../event/payload.ts";
import type { Finding } from "../projection.ts";

export interface Call {
  seq: number;
  call: ToolCallPart;
  began: boolean;
  result: ToolResultPart | undefined;
  /** Number of the event with the call's result. */
  end_seq: number | undefined;
  /** The response that declares the call; undefined if only the user saw the call. */
  response: Response | undefined;
  /** The value of `counted` when the call was opened, in characters. */
  since: number;
  /** True if too many characters came before the result. A later result is ignored. */
  overdue: boolean;
}

/**
 * One response of the model, with its calls. To save memory, a single text stays a string, and
 * `calls` is undefined until the first call.
 */
export interface Response {
  role: "assistant";
  /** Number of the first event of the response, not counting results of its calls. */
  seq: number;
  /** Number of the last event of the response, not counting results of its calls. */
  end_seq: number;
  message_id: string | undefined;
  /** A text, or an array of parts that is not shared with an event. */
  content: Content;
  /** Data for the provider. If present, only content with the same `message_id` is added. */
  provider_data: unknown;
  calls: Call[] | undefined;
  /** True if the response holds more than reasoning. */
  spoken: boolean;
  /** True if only content with the response's `message_id` is added: a result or command came. */
  closed: boolean;
}

/** A response whose content ends with its one call, and the call's result. */
export interface SettledResponse {
  role: "tool";
  said: Part[];
  content: ToolResultPart[];
}

/** The part of an event that messages are built from. */
export type SaidEvent = {
  [Kind in EventKind]: { seq: number; kind: Kind; payload: PayloadByKind[Kind] };
}[EventKind];

export interface MessageBuild {
  /** True if each message gets the numbers of its first and last event. */
  numbered: boolean;
  without_calls: boolean;
  entries: (Response | SettledResponse | Message & { role: "user" | "system" })[];
  /** The responses that have a message id, by message id. */
  responses: Map<string, Response>;
  /** Calls without a result by call id, the latest last. Providers repeat ids. */
  open: Map<string, Call[]>;
  /** Characters of the events that came while a call was open; 0 if the caller does not count. */
  counted: number;
  findings: Finding[];
}

export function startMessages(
  numbered: boolean = false,
  without_calls: boolean = false,
): MessageBuild {
  return {
    numbered,
    without_calls,
    entries: [],
    responses: new Map(),
    open: new Map(),
    counted: 0,
    findings: [],
  };
}

/** Closes the calls that were followed by more than `most_waiting` characters without a result. */
export function closeOverdueCalls({ open, counted }: MessageBuild, most_waiting: number): void {
  // In order of the first call that is open by each id.
  for (const [call_id, calls] of open) {
    if (counted - (calls[0]?.since ?? 0) <= most_waiting) return;
    for (const call of calls) call.overdue = true;
    open.delete(call_id);
  }
}

export function newCall(
  { counted }: MessageBuild,
  seq: number,
  call: ToolCallPart,
  response: Response | undefined,
): Call {
  return {
    seq,
    call,
    began: false,
    result: undefined,
    end_seq: undefined,
    response,
    since: counted,
    overdue: false,
  };
}

export function beginCall(build: MessageBuild, seq: number, call_id: string): void {
  const open = build.open.get(call_id);
  if (open !== undefined) {
    const call = open.findLast(({ began }) => !began);
    if (call !== undefined) call.began = true;
    return;
  }
  const detail = `tool call ${call_id} was started, but no answer of the model contains this call`;
  build.findings.push({ code: "orphan-settlement", seq, detail });
}

/** Adds a call, to which the next result with its id belongs. */
export function openCall(build: MessageBuild, entry: Call): void {
  if (entry.response !== undefined) (entry.response.calls ??= []).push(entry);
  const open = build.open.get(entry.call.call_id);
  if (open === undefined) build.open.set(entry.call.call_id, [entry]);
  else open.push(entry);
}

/** Gives a result to the latest open call with its id. Adds a finding if no such call is open. */
export function settle(build: MessageBuild, seq: number, result: ToolResultPart): void {
  const open = build.open.get(result.call_id);
  const call = open?.pop();
  if (call === undefined) {
    const detail = `${result.name} ${result.call_id} has no start`;
    build.findings.push({ code: "orphan-settlement", seq, detail });
    return;
  }
  if (open?.length === 0) build.open.delete(result.call_id);
  result.name = call.call.name;
  call.result = result;
  call.end_seq = seq;
  if (call.response !== undefined) call.response.closed = true;
}
