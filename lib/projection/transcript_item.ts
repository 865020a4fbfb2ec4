/**
 * What a person saw, one item at a time.
 *
 * @module
 */
import type { Integrity } from "../event/envelope.ts";
import type { CallStatus, Content, Output } from "../event/message.ts";
import type {
  BashOrigin,
  ContextSource,
  DiffLine,
  SessionStartedPayload,
} from "../event/payload.ts";

/** What every item has. */
export interface ItemBase {
  /** The event that it begins with. */
  seq: number;
  /** The event that settled it. */
  end_seq?: number;
  /** ISO 8601 in UTC, of the event that it begins with; absent where that carries none. */
  time?: string;
  /** Groups the items of a turn; absent between turns. */
  turn_id?: string;
  /** The worse of its events' marks. */
  integrity: Integrity;
}

/** The head of the session. */
export interface SessionItem extends ItemBase {
  /** Tells the items apart. */
  type: "session";
  /** What is known of how the session began. */
  session: SessionStartedPayload;
}

/** The instructions that were loaded. */
export interface ContextItem extends ItemBase {
  /** Tells the items apart. */
  type: "context";
  /** One entry a file, those included that could not be read; without their text. */
  sources: ContextSource[];
}

/** What the user or the model said. */
export interface MessageItem extends ItemBase {
  /** Tells the items apart. */
  type: "message";
  /** Says who speaks. */
  role: "user" | "assistant";
  /** As it was shown. An empty answer is no item, unless it was cut off. */
  content: Content;
  /** Ties reasoning, text and calls of one response together; absent on the user's. */
  message_id?: string;
  /** What the answer was made with; absent on the user's, and where it was not recorded. */
  model?: string;
  /** Cut off, as far as it was shown. */
  interrupted?: boolean;
  /** Why it was cut off. */
  reason?: string;
}

/** What the model thought. */
export interface ReasoningItem extends ItemBase {
  /** Tells the items apart. */
  type: "reasoning";
  /** What the provider shows of it; never empty. */
  text: string;
}

/**
 * How a call stands: as it was settled, or `unsettled` when its turn ended, or too much followed,
 * without a settlement.
 */
export type ItemStatus = CallStatus | "unsettled";

/** A tool call with its outcome. */
export interface ToolItem extends ItemBase {
  /** Tells the items apart. */
  type: "tool";
  /** Ties start and end; not unique in a session. */
  call_id: string;
  /** The tool's name, as the model was told of it. */
  name: string;
  /** Absent on an orphan whose settlement does not repeat it. */
  input?: unknown;
  /** Look at it first: `output` and `error` are absent while it is `unsettled`. */
  status: ItemStatus;
  /** What the tool gave; absent where it gave nothing. A single text is a string. */
  output?: Output;
  /** Why it failed, in words; absent where it did not. */
  error?: string;
  /** Nanoseconds. */
  duration_ns?: number;
  /** Whether `output` is not all that the tool gave; absent means whole. */
  truncated?: boolean;
  /** A settlement without its start. */
  orphan?: boolean;
}

/** A shell command with its outcome. */
export interface BashItem extends ItemBase {
  /** Tells the items apart. */
  type: "bash";
  /** Ties start and end; not unique in a session. */
  call_id: string;
  /** What the shell was given, verbatim; may have several lines. */
  command: string;
  /** What it is for, in a few words. */
  summary?: string;
  /** Absent on an orphan. */
  origin?: BashOrigin;
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
  /** Whether the outputs are not whole; absent means whole. */
  truncated?: boolean;
  /** A settlement without its start. */
  orphan?: boolean;
}

/** The lines of a file change. */
export interface DiffItem extends ItemBase {
  /** Tells the items apart. */
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
  /** Tells the items apart. */
  type: "compaction";
  /** What the user saw; may be empty. */
  status: string;
  /** What the model gets in place of what came before; absent where messages took its place. */
  summary?: string;
  /** Size of the conversation that was replaced, in tokens. */
  tokens_before?: number;
  /** Size of what took its place, in tokens. */
  tokens_after?: number;
  /** Whether the user asked for it, or the agent did it by itself; absent where not known. */
  trigger?: "manual" | "auto";
}

/** The model got another conversation than the one seen so far: no compaction. */
export interface ReplacedItem extends ItemBase {
  /** Tells the items apart. */
  type: "replaced";
  /** Why, in a few words. */
  reason: string;
  /** Number of messages that the model got instead. */
  messages: number;
}

/** A turn ended without an answer. */
export interface FailureItem extends ItemBase {
  /** Tells the items apart. */
  type: "failure";
  /** `cancelled` where it was stopped on purpose, else `error`. */
  reason: "error" | "cancelled";
  /** What the user saw; may be empty. */
  message: string;
}

/** The session ended in order. */
export interface ClosedItem extends ItemBase {
  /** Tells the items apart. */
  type: "closed";
  /** `failed` where the program was stopped, or something went wrong. */
  status: "completed" | "failed";
  /** What the program exited with; absent where it went on. */
  exit_code?: number;
  /** What came of the session, for people. */
  summary?: string;
}

/** An event of a known kind whose payload does not fit it, raw. */
export interface UnreadableItem extends ItemBase {
  /** Tells the items apart. */
  type: "unreadable";
  /** What the payload should have been. */
  kind: string;
  /** What does not fit, with its place: `payload.content is not a string`, say. */
  reason: string;
  /** As it was read, unchecked. */
  payload: unknown;
}

/** What another agent recorded that no other item shows; only on request. */
export interface ExtensionItem extends ItemBase {
  /** Tells the items apart. */
  type: "extension";
  /** Name of the agent whose record it is. */
  agent: string;
  /** What the record is, in the agent's own word. */
  name: string;
  /** The record as it was, unchecked. */
  data: unknown;
}

/** One thing that a person saw. */
export type TranscriptItem =
  | SessionItem
  | ContextItem
  | MessageItem
  | ReasoningItem
  | ToolItem
  | BashItem
  | DiffItem
  | CompactionItem
  | ReplacedItem
  | FailureItem
  | ClosedItem
  | UnreadableItem
  | ExtensionItem;
