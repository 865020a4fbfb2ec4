/** Holds the messages in the making: responses, prompts, and the calls that may still settle. */
import type { Content, Message, ToolCallPart, ToolResultPart } from "../../event/message.ts";
import type { EventKind, PayloadByKind } from "../../event/payload.ts";
import type { Finding } from "../finding.ts";

/** A call of a response, and what came of it. */
export interface Call {
  seq: number;
  call: ToolCallPart;
  /** It is known that it began to run. */
  began: boolean;
  result: ToolResultPart | undefined;
  /** Number of the event that settled it. */
  end_seq: number | undefined;
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
export interface Response {
  role: "assistant";
  /** Number of the first event that it is made of, without its results. */
  seq: number;
  /** Number of the last one. */
  end_seq: number;
  message_id: string | undefined;
  /** A text, or parts in an array of its own. */
  content: Content;
  /** What its provider gets back with it: then no other response joins it, unless by its id. */
  provider_data: unknown;
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
  /** Whether messages tell which events they are made of. */
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

/** Begins to build messages. */
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
