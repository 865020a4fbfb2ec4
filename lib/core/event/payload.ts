/**
 * Types of the payloads, kind by kind.
 *
 * @module
 */
import type { Audience, CallStatus, Content, Message, Output } from "./message.ts";

/** The program that keeps the session. */
export interface AppInfo {
  /** The program's name, such as `my-agent`. */
  name: string;
  /** In the program's own notation; absent where it does not tell. */
  version?: string;
}

/** The state of the git work tree when the session began. */
export interface GitInfo {
  /** Short name; absent, or the commit's first digits, where no branch is checked out. */
  branch?: string;
  /** Hash of the head commit, in full or abbreviated; absent before the first commit. */
  commit?: string;
  /** URL of the main remote; absent where there is none. */
  remote?: string;
}

/** The setup of the agent: what it was allowed to do. */
export interface EnvironmentInfo {
  /** The sandbox of the commands, in the agent's own word: `workspace-write`. */
  sandbox?: string;
  /** The agent's rule for asking the user, in its own word: `on-request`. */
  approval?: string;
  /** The agent's access to web search, in its own word: `off`. */
  search?: string;
  /** Whatever else the agent records of its setup. */
  [key: string]: unknown;
}

/** The session that this one was forked or merged from. */
export interface ParentInfo {
  /** Id of the parent; its log may be gone. */
  session_id: string;
  /** Last event of the parent that was copied: what was used up to it counts there, not here. */
  seq?: number;
  /** The reason why this session was made: `fork`, say. */
  reason?: string;
}

/** The session of another agent that this one was made from. */
export interface ImportInfo {
  /** Name of the agent that kept the original: `pi`, say. */
  agent: string;
  /** The id by which that agent knows it. */
  id: string;
  /** The path of the original at the time of import. */
  path?: string;
  /** The version of that agent, if its record names it. */
  agent_version?: string;
  /** Size of the file that was read; absent of a database, which holds others too. */
  bytes?: number;
  /** ISO 8601: when that file was changed; absent of a database. */
  modified_at?: string;
  /** SHA-256 in lower-case hexadecimal: of that file, or of the events in a database. */
  sha256?: string;
  /** The branch that was read, by a record on it; absent of the live one. */
  branch?: string;
  /** ISO 8601: when it was imported. */
  imported_at?: string;
}

/** First event of a session. */
export interface SessionStartedPayload {
  /** UUID v4 in lower case, as in the name of the session's folder. */
  session_id: string;
  /** ISO 8601 in UTC with milliseconds; the folder's name begins with the same time. */
  created_at: string;
  /** Absolute path of the working directory. */
  cwd: string;
  /** Absent where the program does not say who it is. */
  app?: AppInfo;
  /** A title given from the start; a `session_renamed` wins over it. */
  title?: string;
  /** Absent outside a work tree. */
  git?: GitInfo;
  /** Absent where the agent does not record it. */
  environment?: EnvironmentInfo;
  /** Absent unless the session was forked or merged. */
  parent?: ParentInfo;
  /** Absent unless the session was made from another agent's. */
  imported_from?: ImportInfo;
  /** The sentence that the model gets for a call without a result; absent for the usual one. */
  unanswered_call?: string;
}

/** One file of instructions that the agent read at its start. */
export interface ContextSource {
  /** The type of the source, in the agent's own word: `instructions`, say. */
  kind: string;
  /** Absolute path of the file; its text is not kept. */
  path: string;
  /** The scope of the instructions, in the agent's own word: `user`, `project`. */
  scope?: string;
  /** The hash of the file as it was read; SHA-256 in lower-case hex is recommended. */
  hash: string;
  /** Size of the file; less may have reached the model, see `truncated`. */
  bytes: number;
  /** True if the model got only a part of it. */
  truncated: boolean;
  /** Why it could not be read; absent where it could. */
  error?: string;
}

/** The instructions that were loaded. */
export interface ContextLoadedPayload {
  /** One entry a file, those included that could not be read. */
  sources: ContextSource[];
}

/** A message of the user. */
export interface UserMessagePayload {
  /** The message as the user wrote it, with attachments, and any part that only the model got. */
  content: Content;
  /** The role in which the model got it, if not the user's. The user did not see it then. */
  role?: "system";
  /** Data that goes back to the same provider with the message, unchanged. */
  provider_data?: unknown;
}

/** Tokens that a model call took. */
export interface TokenUsage {
  /** Tokens of the prompt that were neither taken from a cache nor written to one. */
  input?: number;
  /** Tokens that the model made, reasoning included. */
  output?: number;
  /** Tokens of the prompt that the provider took from its cache. */
  cache_read?: number;
  /** Tokens of the prompt that the provider put into its cache. */
  cache_write?: number;
  /** The part of `cache_write` that is kept for an hour, which costs more; absent where none is. */
  cache_write_1h?: number;
  /** Tokens of the output that were spent on reasoning, where the provider tells them apart. */
  reasoning?: number;
}

/** A complete answer of the model. */
export interface AssistantMessagePayload {
  /**
   * Texts, reasoning and calls in the order of the response; `""` where it said nothing. A
   * `tool_call` part declares its call.
   */
  content: Content;
  /** Ties reasoning, text and calls of one response together. */
  message_id?: string;
  /** For the record only: a resumed session uses the current model. */
  model?: string;
  /** The service that runs the model: `anthropic`, say. For the record only. */
  provider?: string;
  /** The provider's id of the request, for its support. */
  request_id?: string;
  /** Why the model stopped, in the provider's word: `stop`, `tool_calls`. */
  finish_reason?: string;
  /** Tokens of the whole response; other answers of the same `message_id` may repeat it. */
  usage?: TokenUsage;
  /** The prompt of the last request, in tokens, where `usage` sums several requests. */
  last_prompt_tokens?: number;
  /** The span that `usage` sums up, where the size of a request is not known. */
  usage_of?: "turn" | "session";
  /** The cost of the response in US dollars; absent where no price is known. */
  cost_usd?: number;
  /** Data that goes back to the same provider with the message, unchanged. */
  provider_data?: unknown;
}

/** An answer that was cut off, as far as it was shown. */
export interface AssistantInterruptedPayload {
  /** The text shown before the answer stopped; the model gets it on resume. */
  content: Content;
  /** The id that the complete answer would have had. */
  message_id?: string;
  /** The cause of the interruption: `user`, `error`. */
  reason?: string;
}

/** The reasoning of a model. */
export interface ReasoningMessagePayload {
  /** The part of the reasoning that the provider shows; empty where it hides all. */
  content: string;
  /** Ties it to its answer; without one it belongs to the next text. */
  message_id?: string;
  /** Signature or encrypted content: goes back to the same provider as it came. */
  provider_data?: unknown;
  /**
   * The only audience of the reasoning: `user` where the agent does not send it again. Absent for
   * both.
   */
  audience?: Audience;
}

/** A tool call, which a response declares, begins to run. */
export interface ToolStartPayload {
  /** Ties declaration, start and end; the provider's or the writer's, and not unique in a session. */
  call_id: string;
}

/** A tool call is settled. */
export interface ToolEndPayload {
  /** Settles the latest unsettled declaration or start with this id. */
  call_id: string;
  /** The tool's name, as in the start. */
  name: string;
  /** The outcome of the call; `skipped` where the tool was not run. */
  status: CallStatus;
  /** The tool's output; absent where it gave nothing. Parts are all that the model gets. */
  output?: Output;
  /** Why it failed; the model gets it too, unless `output` has parts. Absent where it did not. */
  error?: string;
  /** The final input of the tool; absent where that is as in the start. */
  input?: unknown;
  /** The duration in nanoseconds; absent if unmeasured. */
  duration_ns?: number;
  /** True if `output` is cut; absent means whole. */
  truncated?: boolean;
  /** The line by which the agent showed the settled call. Not sent. */
  caption?: string;
  /** Data that goes back to the same provider with the result, unchanged. */
  provider_data?: unknown;
}

/**
 * A shell command begins to run. The start of a declared call has a `command` only where the input
 * of the call does not hold it.
 */
export interface BashStartPayload {
  /** Ties declaration, start and end; not unique in a session. */
  call_id: string;
  /** The command line, verbatim; may have several lines. Present if `origin` is. */
  command?: string;
  /** The purpose of the command, in a few words. */
  summary?: string;
  /**
   * Present if the user ran the command, which then is its own response in the conversation. Absent
   * if the model's response declares the call.
   */
  origin?: "user";
  /** The only audience of the command and its result; absent for both. */
  audience?: Audience;
}

/** A shell command is settled. */
export interface BashEndPayload {
  /** Settles the latest unsettled declaration or start with this id. */
  call_id: string;
  /** The command line, as in the start. */
  command: string;
  /** The purpose of the command, in a few words; wins over the start's. */
  summary?: string;
  /** Standard output, or both outputs in order. Parts are all that the model gets. */
  output?: Output;
  /** Standard error, where it was kept apart; the model gets it too, unless `output` has parts. */
  error?: string;
  /** Absent when the command has not ended by itself. The model gets one that is not 0 as `error`. */
  exit_code?: number;
  /** The outcome of the command; `skipped` where the command was not run. */
  status: CallStatus;
  /** The duration in nanoseconds; absent if unmeasured. */
  duration_ns?: number;
  /** True if the outputs are cut; absent means whole. */
  truncated?: boolean;
  /** The line by which the agent showed the settled command. Not sent. */
  caption?: string;
  /** Data that goes back to the same provider with the result, unchanged. */
  provider_data?: unknown;
}

/** One line of a diff; `old` and `new` are line numbers from 1. */
export interface DiffLine {
  /** `hunk` heads a stretch of lines, which are unchanged, new or gone. */
  kind: "context" | "added" | "removed" | "hunk";
  /** Line number before the change, from 1; absent on added lines and where it is not known. */
  old?: number;
  /** Line number after the change, from 1; absent on removed lines and where it is not known. */
  new?: number;
  /** The line without its sign and its newline; of a hunk, the whole header. */
  content: string;
}

/** The lines of a file change, as they were shown. */
export interface DiffPayload {
  /** The call that made the change; absent on a change that no call made. */
  call_id?: string;
  /** The changed file, absolute or below the working directory; absent where it is not known. */
  path?: string;
  /** In the order in which they were shown. */
  lines: DiffLine[];
}

/** The conversation so far gives way to something shorter. */
export interface CompactionAppliedPayload {
  /** The status line that the user saw; may be empty. */
  status: string;
  /** Replaces the conversation; `[]` empties it. Where it is there, `summary` has no effect. */
  messages?: Message[];
  /** Stands for what came before, as one user message, verbatim. */
  summary?: string;
  /** From this event on, the conversation is kept after `summary`; absent keeps none. */
  first_kept_seq?: number;
  /** Size of the conversation that was replaced, in tokens. */
  tokens_before?: number;
  /** Size of what took its place, in tokens. */
  tokens_after?: number;
  /** The user's wish for the compaction, what to keep; absent where nothing was asked. */
  guidance?: string;
  /** The initiator of the compaction, user or agent; absent where not known. */
  trigger?: "manual" | "auto";
  /** Only tells that it happened: replaces nothing, for other events say what the model gets. */
  status_only?: boolean;
}

/** The agent's own rebuild gave the model something else than the events so far: no compaction. */
export interface ConversationReplacedPayload {
  /** Replaces the conversation; `[]` empties it. */
  messages: Message[];
  /** Why, in a few words: `history edited`, say. */
  reason: string;
}

/** The session continues from an earlier event. The events between are on another branch. */
export interface ConversationBranchedPayload {
  /** The event that the following ones continue. It may lie on another branch. */
  from_seq: number;
  /** The reason, in a few words. */
  reason?: string;
}

/** A turn ended without an answer. */
export interface TurnFailedPayload {
  /** `cancelled` where it was stopped on purpose, else `error`. */
  reason: "error" | "cancelled";
  /** The message that the user saw; may be empty. */
  message: string;
}

/**
 * A text that the agent showed the user or gave the model, once. It is neither prompt nor answer, and
 * the model does not get it again.
 */
export interface NoticePayload {
  /** The only audience of the text: the user's screen, or the model. */
  audience: Audience;
  /** The type of the notice, in a few words: `API error`, say. */
  title: string;
  /** The whole text; may be empty. */
  text: string;
  /** Present on what went wrong. */
  level?: "error";
}

/** A new title; the latest wins, an empty one clears. */
export interface SessionRenamedPayload {
  /** Any text, shown on one line. */
  title: string;
}

/** Puts the session away or takes it back; the latest wins. */
export interface SessionArchivedPayload {
  /** `true` puts it away: lists leave it out unless asked. */
  archived: boolean;
}

/** Labels an event, or removes its label; the latest label of an event wins. */
export interface EventLabeledPayload {
  /** The event that is labelled, on any branch. */
  target_seq: number;
  /** The label, on one line; absent removes it. */
  label?: string;
}

/** The state of the work tree and the context window. */
export interface WorkspaceSnapshotPayload {
  /** Absolute path of the work tree. */
  root: string;
  /** Short name; absent, or the commit's first digits, where no branch is checked out. */
  git_branch?: string;
  /** The lines of `git status --short`; empty where nothing is changed. */
  git_status?: string;
  /** Paths, absolute or below `root`. */
  files?: string[];
  /** Tokens of the context window that were taken. */
  context_used?: number;
  /** Tokens that the model's context window holds. */
  context_limit?: number;
}

/** Derived: the summary as it stood after `through_seq`, so that a list need not read the middle. */
export interface SessionCheckpointPayload {
  /** The last event that is counted: one less than the checkpoint's own `seq`. */
  through_seq: number;
  /** The title of the last `session_renamed`; absent where there is none or it is empty. */
  title?: string;
  /** The flag of the last `session_archived`; `false` where there is none. */
  archived: boolean;
  /** User messages that were seen, and answers whose seen text is not empty, cut off or not. */
  message_count: number;
  /** User messages; those of one `turn_id` in a row count once. */
  turn_count: number;
  /** Sum of all `usage`; a count that never occurs is absent. */
  usage: TokenUsage;
  /** Each model once, in the order of its first answer. */
  models: string[];
  /** The first that has text, on one line, at most 300 UTF-16 units; `""` if none. */
  first_user_message: string;
  /** Sum of all `cost_usd`, in US dollars; absent where no answer has one. */
  cost_usd?: number;
  /** Time of the event that gave the title: a newer mark wins over it. */
  renamed_at?: string;
  /** Time of the event that archived the session or took it back. */
  archived_at?: string;
}

/** The session ended in order; counts only as the last event. */
export interface SessionClosedPayload {
  /** `failed` where the program was stopped, or something went wrong. */
  status: "completed" | "failed";
  /** The exit code of the program; absent where it went on. */
  exit_code?: number;
  /** The outcome of the session, for people. */
  summary?: string;
}

/** A record of another agent that fits no other kind. */
export interface ExtensionPayload {
  /** Name of the agent whose record it is. */
  agent: string;
  /** The type of the record, in the agent's own word. */
  type: string;
  /** The record as it was, unchecked. */
  data: unknown;
}

/** Payload type by kind. */
export interface PayloadByKind {
  /** Head of every log: where, when and by what program. Held, boundary. */
  session_started: SessionStartedPayload;
  /** The instruction files that were read, without their text. Held. */
  context_loaded: ContextLoadedPayload;
  /** A prompt. Boundary. */
  user_message: UserMessagePayload;
  /** A complete answer, or the head of a response that calls. Boundary. */
  assistant_message: AssistantMessagePayload;
  /** The part of an answer that was shown. Boundary. */
  assistant_interrupted: AssistantInterruptedPayload;
  /** Thinking; the model gets it back only on request. */
  reasoning_message: ReasoningMessagePayload;
  /** Stands alone if the program dies during the call: then it is unsettled. */
  tool_start: ToolStartPayload;
  /** The outcome of a tool call. Boundary. */
  tool_end: ToolEndPayload;
  /** The start of a shell command, by the model or by the user. */
  bash_start: BashStartPayload;
  /** The outcome of a shell command. Boundary. */
  bash_end: BashEndPayload;
  /** For the transcript only: the model does not get it. */
  diff: DiffPayload;
  /** Replaces the conversation, never the transcript. Boundary. */
  compaction_applied: CompactionAppliedPayload;
  /** The conversation so far is other than the events say. Boundary. */
  conversation_replaced: ConversationReplacedPayload;
  /** The conversation goes on from an earlier event. Boundary. */
  conversation_branched: ConversationBranchedPayload;
  /** For the transcript only. Boundary. */
  turn_failed: TurnFailedPayload;
  /** For the transcript only. */
  notice: NoticePayload;
  /** The latest wins, and a later mark over it; outside of turns. Held. */
  session_renamed: SessionRenamedPayload;
  /** The latest wins, and a later mark over it; outside of turns. */
  session_archived: SessionArchivedPayload;
  /** About an event, whatever the branch; lists of threads show it. */
  event_labeled: EventLabeledPayload;
  /** For programs; neither transcript nor conversation show it. Held. */
  workspace_snapshot: WorkspaceSnapshotPayload;
  /** Written by the session itself, about every 256 KiB and on close. */
  session_checkpoint: SessionCheckpointPayload;
  /** The last word; void once another event follows. Boundary. */
  session_closed: SessionClosedPayload;
  /** A record of another agent that fits no kind above; shown on request. */
  extension: ExtensionPayload;
}

/** Name of a kind that this version knows. */
export type EventKind = keyof PayloadByKind;
