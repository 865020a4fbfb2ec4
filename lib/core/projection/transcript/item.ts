/**
 * The items of a transcript: what a person saw, one item at a time.
 *
 * @module
 */
import type { Integrity } from "../../event/envelope.ts";
import type { CallStatus, Content, Output } from "../../event/message.ts";
import type { ContextSource, DiffLine, SessionStartedPayload } from "../../event/payload.ts";

/** The fields that every item has. */
export interface ItemBase {
  /** The event that it begins with. */
  seq: number;
  /** The name of its record, as in `REF@ID`: of another agent's, its own id or the offset of its line. */
  id?: string;
  /** The event that settled it. */
  end_seq?: number;
  /** ISO 8601 in UTC, of the event that it begins with; absent where that carries none. */
  time?: string;
  /** Groups the items of a turn; absent between turns. */
  turn_id?: string;
  /** The worst integrity of its events. */
  integrity: Integrity;
}

/** The head of the session. */
export interface SessionItem extends ItemBase {
  /** Discriminant. */
  type: "session";
  /** The known facts about the start of the session. */
  session: SessionStartedPayload;
}

/** The instructions that were loaded. */
export interface ContextItem extends ItemBase {
  /** Discriminant. */
  type: "context";
  /** One entry a file, those included that could not be read; without their text. */
  sources: ContextSource[];
}

/** A message of the user or the model. */
export interface MessageItem extends ItemBase {
  /** Discriminant. */
  type: "message";
  /** Says who speaks. */
  role: "user" | "assistant";
  /** The content as it was shown. An empty answer is no item, unless it was cut off. */
  content: Content;
  /** Ties reasoning, text and calls of one response together; absent on the user's. */
  message_id?: string;
  /** The model that answered; absent on the user's, and where it was not recorded. */
  model?: string;
  /** Cut off, as far as it was shown. */
  interrupted?: boolean;
  /** Why it was cut off. */
  reason?: string;
}

/** A text or a file that the model alone got: a mentioned file, a selection, a reminder. */
export interface AttachedItem extends ItemBase {
  /** Discriminant. */
  type: "attached";
  /** The path of its file, or what it is. */
  name: string;
  /** The content as the model got it. */
  content: Content;
}

/** A text that the agent's program showed the user, such as an error of the provider. */
export interface NoticeItem extends ItemBase {
  /** Discriminant. */
  type: "notice";
  /** The type of the notice, in a few words. */
  title: string;
  /** The whole text; may be empty. */
  text: string;
  /** Present on what went wrong. */
  level?: "error";
}

/** The reasoning of a model. */
export interface ReasoningItem extends ItemBase {
  /** Discriminant. */
  type: "reasoning";
  /** The part of the reasoning that the provider shows; never empty. */
  text: string;
}

/**
 * The state of a call: its settlement, or `unsettled` if its turn ended, or too much followed,
 * without one. A call that a response declares, and that never began, is `not_run`.
 */
export type ItemStatus = CallStatus | "unsettled" | "not_run";

/** A tool call with its outcome. */
export interface ToolItem extends ItemBase {
  /** Discriminant. */
  type: "tool";
  /** Ties start and end; not unique in a session. */
  call_id: string;
  /** The tool's name, as the model was told of it. */
  name: string;
  /** Absent on an orphan whose settlement does not repeat it. */
  input?: unknown;
  /** Look at it first: `output` and `error` are absent while it is `unsettled`. */
  status: ItemStatus;
  /** The tool's output; absent where it gave nothing. A single text is a string. */
  output?: Output;
  /** Why it failed, in words; absent where it did not. */
  error?: string;
  /** Nanoseconds. */
  duration_ns?: number;
  /** True if `output` is cut; absent means whole. */
  truncated?: boolean;
  /** The lines by which the agent showed the call, the last one when it was settled. */
  captions?: string[];
  /** A settlement without its start. */
  orphan?: boolean;
}

/** A shell command with its outcome. */
export interface BashItem extends ItemBase {
  /** Discriminant. */
  type: "bash";
  /** Ties start and end; not unique in a session. */
  call_id: string;
  /** The command line, verbatim; may have several lines. */
  command: string;
  /** The purpose of the command, in a few words. */
  summary?: string;
  /** The party that asked for the command; absent on an orphan. */
  origin?: "model" | "user";
  /** Look at it first: outputs and exit code are absent while it is `unsettled`. */
  status: ItemStatus;
  /** Standard output, or both outputs in order. A single text is a string. */
  output?: Output;
  /** Standard error, where it was kept apart. */
  error?: string;
  /** Absent when the command has not ended by itself. */
  exit_code?: number;
  /** Nanoseconds. */
  duration_ns?: number;
  /** True if the outputs are cut; absent means whole. */
  truncated?: boolean;
  /** The lines by which the agent showed the command, the last one when it was settled. */
  captions?: string[];
  /** A settlement without its start. */
  orphan?: boolean;
}

/** The lines of a file change. */
export interface DiffItem extends ItemBase {
  /** Discriminant. */
  type: "diff";
  /** The call that made the change; absent on a change that no call made. */
  call_id?: string;
  /** The changed file, absolute or below the working directory; absent where it is not known. */
  path?: string;
  /** In the order in which they were shown. */
  lines: DiffLine[];
}

/** The conversation gave way to something shorter. What was seen before stays. */
export interface CompactionItem extends ItemBase {
  /** Discriminant. */
  type: "compaction";
  /** The status line that the user saw; may be empty. */
  status: string;
  /**
   * The text that the model gets in place of the earlier messages; absent where messages took its
   * place.
   */
  summary?: string;
  /** Size of the conversation that was replaced, in tokens. */
  tokens_before?: number;
  /** Size of what took its place, in tokens. */
  tokens_after?: number;
  /** The user's wish for the compaction, what to keep; absent where nothing was asked. */
  guidance?: string;
  /** The initiator of the compaction, user or agent; absent where not known. */
  trigger?: "manual" | "auto";
}

/** The model got another conversation than the one seen so far: no compaction. */
export interface ReplacedItem extends ItemBase {
  /** Discriminant. */
  type: "replaced";
  /** Why, in a few words. */
  reason: string;
  /** Number of messages that the model got instead. */
  messages: number;
}

/** The session continued from an earlier event. The events between are on another branch. */
export interface BranchedItem extends ItemBase {
  /** Discriminant. */
  type: "branched";
  /** The event that the following ones continue. */
  from_seq: number;
  /** The reason, in a few words. */
  reason?: string;
}

/** A turn ended without an answer. */
export interface FailureItem extends ItemBase {
  /** Discriminant. */
  type: "failure";
  /** `cancelled` where it was stopped on purpose, else `error`. */
  reason: "error" | "cancelled";
  /** The message that the user saw; may be empty. */
  message: string;
}

/** The session ended in order. */
export interface ClosedItem extends ItemBase {
  /** Discriminant. */
  type: "closed";
  /** `failed` where the program was stopped, or something went wrong. */
  status: "completed" | "failed";
  /** The exit code of the program; absent where it went on. */
  exit_code?: number;
  /** The outcome of the session, for people. */
  summary?: string;
}

/** An event of a known kind whose payload does not fit it, raw. */
export interface UnreadableItem extends ItemBase {
  /** Discriminant. */
  type: "unreadable";
  /** The kind that the payload claims to be. */
  kind: string;
  /**
   * The reason why the payload does not fit, with its place: `payload.content is not a string`,
   * say.
   */
  reason: string;
  /** The payload as it was read, unchecked. */
  payload: unknown;
}

/** A record of another agent that fits no other item; only on request. */
export interface ExtensionItem extends ItemBase {
  /** Discriminant. */
  type: "extension";
  /** Name of the agent whose record it is. */
  agent: string;
  /** The type of the record, in the agent's own word. */
  name: string;
  /** The record as it was, unchecked. */
  data: unknown;
}

/** One thing that a person saw. */
export type TranscriptItem =
  | SessionItem
  | ContextItem
  | MessageItem
  | AttachedItem
  | NoticeItem
  | ReasoningItem
  | ToolItem
  | BashItem
  | DiffItem
  | CompactionItem
  | ReplacedItem
  | BranchedItem
  | FailureItem
  | ClosedItem
  | UnreadableItem
  | ExtensionItem;

const TRUST: readonly Integrity[] = ["verified", "unverified", "salvaged", "mismatch"];

/** Returns the less trusted of two marks. */
export function worseIntegrity(one: Integrity, other: Integrity): Integrity {
  return TRUST.indexOf(one) > TRUST.indexOf(other) ? one : other;
}
