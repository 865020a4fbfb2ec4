/**
 * What an event says, kind by kind.
 *
 * @module
 */
import type { CallStatus, Content, Message } from "./message.ts";

/** The program that keeps the session. */
export interface AppInfo {
  name: string;
  version?: string;
}

/** The state of the git work tree when the session began. */
export interface GitInfo {
  branch?: string;
  commit?: string;
  remote?: string;
}

/** How the agent was set up: what it was allowed to do. */
export interface EnvironmentInfo {
  sandbox?: string;
  approval?: string;
  search?: string;
  [key: string]: unknown;
}

/** The session that this one was forked or merged from. */
export interface ParentInfo {
  session_id: string;
  seq?: number;
  reason?: string;
}

/** The session of another agent that this one was made from. */
export interface ImportInfo {
  agent: string;
  id: string;
  path?: string;
  agent_version?: string;
}

/** First event of a session. */
export interface SessionStartedPayload {
  session_id: string;
  /** ISO 8601. */
  created_at: string;
  /** Absolute path of the working directory. */
  cwd: string;
  app?: AppInfo;
  title?: string;
  git?: GitInfo;
  environment?: EnvironmentInfo;
  parent?: ParentInfo;
  imported_from?: ImportInfo;
}

/** One file of instructions that the agent read at its start. */
export interface ContextSource {
  kind: string;
  path: string;
  scope?: string;
  hash: string;
  bytes: number;
  truncated: boolean;
  error?: string;
}

/** The instructions that were loaded. */
export interface ContextLoadedPayload {
  sources: ContextSource[];
}

/** What the user said. */
export interface UserMessagePayload {
  content: Content;
}

/** Tokens that a model call took. */
export interface TokenUsage {
  input?: number;
  output?: number;
  cache_read?: number;
  cache_write?: number;
  reasoning?: number;
}

/** A complete answer of the model. */
export interface AssistantMessagePayload {
  content: Content;
  /** Ties reasoning, text and calls of one response together. */
  message_id?: string;
  model?: string;
  provider?: string;
  request_id?: string;
  finish_reason?: string;
  usage?: TokenUsage;
  cost_usd?: number;
}

/** An answer that was cut off, as far as it was shown. */
export interface AssistantInterruptedPayload {
  content: Content;
  message_id?: string;
  reason?: string;
}

/** What the model thought. */
export interface ReasoningMessagePayload {
  content: string;
  message_id?: string;
  /** Signature or encrypted content: goes back to the provider as it came. */
  provider_data?: unknown;
}

/** A tool call begins. */
export interface ToolStartPayload {
  call_id: string;
  name: string;
  input: unknown;
  message_id?: string;
}

/** A tool call is settled. */
export interface ToolEndPayload {
  call_id: string;
  name: string;
  status: CallStatus;
  output?: string;
  error?: string;
  input?: unknown;
  /** Nanoseconds. */
  duration_ns?: number;
  truncated?: boolean;
}

/** Who asked for a shell command. */
export type BashOrigin = "model" | "user";

/** A shell command begins. */
export interface BashStartPayload {
  call_id: string;
  command: string;
  summary?: string;
  origin: BashOrigin;
  message_id?: string;
}

/** A shell command is settled. */
export interface BashEndPayload {
  call_id: string;
  command: string;
  summary?: string;
  output?: string;
  error?: string;
  exit_code?: number;
  status: CallStatus;
  /** Nanoseconds. */
  duration_ns?: number;
  truncated?: boolean;
}

/** One line of a diff; `old` and `new` are line numbers from 1. */
export interface DiffLine {
  kind: "context" | "added" | "removed" | "hunk";
  old?: number;
  new?: number;
  content: string;
}

/** The lines of a file change, as they were shown. */
export interface DiffPayload {
  call_id?: string;
  path?: string;
  lines: DiffLine[];
}

/** The conversation so far gives way to something shorter. */
export interface CompactionAppliedPayload {
  /** What the user saw; may be empty. */
  status: string;
  /** Replaces the conversation; `[]` empties it. */
  messages?: Message[];
  summary?: string;
  first_kept_seq?: number;
  tokens_before?: number;
  tokens_after?: number;
  guidance?: string;
  trigger?: "manual" | "auto";
}

/** A turn ended without an answer. */
export interface TurnFailedPayload {
  reason: "error" | "cancelled";
  message: string;
}

/** A new title; the latest wins, an empty one clears. */
export interface SessionRenamedPayload {
  title: string;
}

/** Puts the session away or takes it back; the latest wins. */
export interface SessionArchivedPayload {
  archived: boolean;
}

/** How the work tree and the context window stood. */
export interface WorkspaceSnapshotPayload {
  root: string;
  git_branch?: string;
  git_status?: string;
  files?: string[];
  /** Tokens. */
  context_used?: number;
  /** Tokens. */
  context_limit?: number;
}

/** Derived: the summary as it stood after `through_seq`, so that a list need not read the middle. */
export interface SessionCheckpointPayload {
  through_seq: number;
  title?: string;
  archived: boolean;
  message_count: number;
  turn_count: number;
  usage: TokenUsage;
  models: string[];
  first_user_message: string;
  cost_usd?: number;
  /** Time of the event that gave the title: a newer mark wins over it. */
  renamed_at?: string;
  /** Time of the event that archived the session or took it back. */
  archived_at?: string;
}

/** The session ended in order; counts only as the last event. */
export interface SessionClosedPayload {
  status: "completed" | "failed";
  exit_code?: number;
  summary?: string;
}

/** What another agent's record says that no other kind holds. */
export interface ExtensionPayload {
  agent: string;
  type: string;
  data: unknown;
}

/** Payload type by kind. */
export interface PayloadByKind {
  session_started: SessionStartedPayload;
  context_loaded: ContextLoadedPayload;
  user_message: UserMessagePayload;
  assistant_message: AssistantMessagePayload;
  assistant_interrupted: AssistantInterruptedPayload;
  reasoning_message: ReasoningMessagePayload;
  tool_start: ToolStartPayload;
  tool_end: ToolEndPayload;
  bash_start: BashStartPayload;
  bash_end: BashEndPayload;
  diff: DiffPayload;
  compaction_applied: CompactionAppliedPayload;
  turn_failed: TurnFailedPayload;
  session_renamed: SessionRenamedPayload;
  session_archived: SessionArchivedPayload;
  workspace_snapshot: WorkspaceSnapshotPayload;
  session_checkpoint: SessionCheckpointPayload;
  session_closed: SessionClosedPayload;
  extension: ExtensionPayload;
}

/** Name of a kind that this version knows. */
export type EventKind = keyof PayloadByKind;
