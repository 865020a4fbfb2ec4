/**
 * What a person saw, one item at a time.
 *
 * @module
 */
import type { Integrity } from "../event/envelope.ts";
import type { CallStatus, Content } from "../event/message.ts";
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
  time?: string;
  turn_id?: string;
  /** The worse of its events' marks. */
  integrity: Integrity;
}

/** The head of the session. */
export interface SessionItem extends ItemBase {
  type: "session";
  session: SessionStartedPayload;
}

/** The instructions that were loaded. */
export interface ContextItem extends ItemBase {
  type: "context";
  sources: ContextSource[];
}

/** What the user or the model said. */
export interface MessageItem extends ItemBase {
  type: "message";
  role: "user" | "assistant";
  content: Content;
  message_id?: string;
  model?: string;
  /** Cut off, as far as it was shown. */
  interrupted?: boolean;
  /** Why it was cut off. */
  reason?: string;
}

/** What the model thought. */
export interface ReasoningItem extends ItemBase {
  type: "reasoning";
  text: string;
}

/** How a call stands: as it was settled, or `unsettled` when its turn ended without a settlement. */
export type ItemStatus = CallStatus | "unsettled";

/** A tool call with its outcome. */
export interface ToolItem extends ItemBase {
  type: "tool";
  call_id: string;
  name: string;
  /** Absent on an orphan whose settlement does not repeat it. */
  input?: unknown;
  status: ItemStatus;
  output?: string;
  error?: string;
  /** Nanoseconds. */
  duration_ns?: number;
  truncated?: boolean;
  /** A settlement without its start. */
  orphan?: boolean;
}

/** A shell command with its outcome. */
export interface BashItem extends ItemBase {
  type: "bash";
  call_id: string;
  command: string;
  summary?: string;
  /** Absent on an orphan. */
  origin?: BashOrigin;
  status: ItemStatus;
  output?: string;
  error?: string;
  exit_code?: number;
  /** Nanoseconds. */
  duration_ns?: number;
  truncated?: boolean;
  /** A settlement without its start. */
  orphan?: boolean;
}

/** The lines of a file change. */
export interface DiffItem extends ItemBase {
  type: "diff";
  call_id?: string;
  path?: string;
  lines: DiffLine[];
}

/** The conversation gave way to something shorter. What was seen before stays. */
export interface CompactionItem extends ItemBase {
  type: "compaction";
  status: string;
  summary?: string;
  tokens_before?: number;
  tokens_after?: number;
  trigger?: "manual" | "auto";
}

/** A turn ended without an answer. */
export interface FailureItem extends ItemBase {
  type: "failure";
  reason: "error" | "cancelled";
  message: string;
}

/** The session ended in order. */
export interface ClosedItem extends ItemBase {
  type: "closed";
  status: "completed" | "failed";
  exit_code?: number;
  summary?: string;
}

/** An event of a known kind whose payload does not fit it, raw. */
export interface UnreadableItem extends ItemBase {
  type: "unreadable";
  kind: string;
  reason: string;
  payload: unknown;
}

/** What another agent recorded that no other item shows; only on request. */
export interface ExtensionItem extends ItemBase {
  type: "extension";
  agent: string;
  name: string;
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
  | FailureItem
  | ClosedItem
  | UnreadableItem
  | ExtensionItem;
