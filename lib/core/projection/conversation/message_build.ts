/** Holds the messages in the making: responses, prompts, and the calls that may still settle. */
import type { Content, Message, ToolCallPart, ToolResultPart } from "../../event/message.ts";
import type { EventKind, PayloadByKind } from "../../event/payload.ts";
import type { Finding } from "../projection.ts";

/** A call of a response, and its result. */
export interface Call {
  seq: number;
  call: ToolCallPart;
  /** True if the call is known to have begun. */
  began: boolean;
  result: ToolResultPart | undefined;
  /** Number of the event that settled the call. */
  end_seq: number | undefined;
  /** Undefined for a call that only the user saw. */
  response: Response | undefined;
  /** Number of characters counted when the call began. */
  since: number;
  /** True if too much waited for the call's result: none is taken any more. */
  overdue: boolean;
}

/**
 * One response of the model, with its calls. There may be a million of them, so a single text stays
 * a text. There is no list before the first call.
 */
export interface Response {
  role: "assistant";
  /** Number of the first event that the response is made of, without its results. */
  seq: number;
  /** Number of the last one. */
  end_seq: number;
  message_id: string | undefined;
  /** A text, or parts in an array of its own. */
  content: Content;
  /** Data for the response's provider. With it, only a response of the same id joins. */
  provider_data: unknown;
  calls: Call[] | undefined;
  /** True if the response holds more than reasoning. */
  spoken: boolean;
  /** True if only a response of the same id joins: the user ran it, or a call has its result. */
  closed: boolean;
}

/** The part of an event that messages are built from. */
export type SaidEvent = {
  [Kind in EventKind]: { seq: number; kind: Kind; payload: PayloadByKind[Kind] };
}[EventKind];

/** Unfinished messages. */
export interface MessageBuild {
  /** True if messages name their events. */
  numbered: boolean;
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

export function startMessages(numbered: boolean = false): MessageBuild {
  return {
    numbered,
    entries: [],
    responses: new Map(),
    open: new Map(),
    counted: 0,
    findings: [],
  };
}

/** Gives up the calls for which more than `most_waiting` characters wait. */
export function closeOverdueCalls({ open, counted }: MessageBuild, most_waiting: number): void {
  // In order of the first call that is open by each id.
  for (const [call_id, calls] of open) {
    if (counted - (calls[0]?.since ?? 0) <= most_waiting) return;
    for (const call of calls) call.overdue = true;
    open.delete(call_id);
  }
}

/** Returns a call that did not begin to run. */
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
  const call = build.open.get(call_id)?.findLast(({ began }) => !began);
  if (call !== undefined) {
    call.began = true;
    return;
  }
  const detail = `call ${call_id} was started, but no response contains this call`;
  build.findings.push({ code: "orphan-settlement", seq, detail });
}

/** Adds a call to its response, and opens it: the next end of its id settles it. */
export function openCall(build: MessageBuild, entry: Call): void {
  if (entry.response !== undefined) (entry.response.calls ??= []).push(entry);
  const open = build.open.get(entry.call.call_id);
  if (open === undefined) build.open.set(entry.call.call_id, [entry]);
  else open.push(entry);
}

/** Settles the latest call of an id; an end without a call becomes a finding. */
export function settle(build: MessageBuild, seq: number, result: ToolResultPart): void {
  const open = build.open.get(result.call_id);
  const call = open?.pop();
  if (call === undefined) {
    const detail = `${result.name} ${result.call_id} has no start`;
    build.findings.push({ code: "orphan-settlement", seq, detail });
    return;
  }
  if (open?.length === 0) build.open.delete(result.call_id);
  call.result = { ...result, name: call.call.name };
  call.end_seq = seq;
  if (call.response !== undefined) call.response.closed = true;
}
