/**
 * What an event says, kind by kind.
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

/** How the agent was set up: what it was allowed to do. */
export interface EnvironmentInfo {
  /** What commands were confined to, in the agent's own word: `workspace-write`. */
  sandbox?: string;
  /** When the user was asked, in the agent's own word: `on-request`. */
  approval?: string;
  /** Whether the web could be searched, in the agent's own word: `off`. */
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
  /** How this session came of it: `fork`, say. */
  reason?: string;
}

/** The session of another agent that this one was made from. */
export interface ImportInfo {
  /** Name of the agent that kept the original: `pi`, say. */
  agent: string;
  /** The id by which that agent knows it. */
  id: string;
  /** Where the original lay when it was imported. */
  path?: string;
  /** That agent's own version, where its record tells. */
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
  /** What sort of source, in the agent's own word: `instructions`, say. */
  kind: string;
  /** Absolute path of the file; its text is not kept. */
  path: string;
  /** How far it holds, in the agent's own word: `user`, `project`. */
  scope?: string;
  /** Of the file as it was read; SHA-256 in lower-case hex is recommended. */
  hash: string;
  /** Size of the file; less may have reached the model, see `truncated`. */
  bytes: number;
  /** Whether the model got only a part of it. */
  truncated: boolean;
  /** Why it could not be read; absent where it could. */
  error?: string;
}

/** The instructions that were loaded. */
export interface ContextLoadedPayload {
  /** One entry a file, those included that could not be read. */
  sources: ContextSource[];
}

/** What the user said. */
export interface UserMessagePayload {
  /** As the user wrote it, with what was attached, and what the model got beside or instead. */
  content: Content;
  /** In whose name the model got it, where that is not the user's; then nobody saw it. */
  role?: "system";
  /** Of older logs: what the model got, where that is not `content`. Not written any more. */
  told?: Content;
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
  /** Tokens of the output that were spent on reasoning, where the provider tells them apart. */
  reasoning?: number;
}

/** A complete answer of the model. */
export interface AssistantMessagePayload {
  /** `""` where the response said nothing and only calls. */
  content: Content;
  /** Ties reasoning, text and calls of one response together. */
  message_id?: string;
  /** For the record only: a resumed session uses the current model. */
  model?: string;
  /** Who served the model: `anthropic`, say. For the record only. */
  provider?: string;
  /** The provider's id of the request, for its support. */
  request_id?: string;
  /** Why the model stopped, in the provider's word: `stop`, `tool_calls`. */
  finish_reason?: string;
  /** Tokens of the whole response; other answers of the same `message_id` may repeat it. */
  usage?: TokenUsage;
  /** What the response cost, in US dollars; absent where no price is known. */
  cost_usd?: number;
}

/** An answer that was cut off, as far as it was shown. */
export interface AssistantInterruptedPayload {
  /** What had been shown when it stopped; the model gets it on resume. */
  content: Content;
  /** As on the complete answer that it would have become. */
  message_id?: string;
  /** Who or what stopped it: `user`, `error`. */
  reason?: string;
}

/** What the model thought. */
export interface ReasoningMessagePayload {
  /** What the provider shows of it; empty where it hides all. */
  content: string;
  /** Ties it to its answer; without one it belongs to the next text. */
  message_id?: string;
  /** Signature or encrypted content: goes back to the same provider as it came. */
  provider_data?: unknown;
  /** Who alone gets it: `user` where the agent does not send it again. Absent for both. */
  audience?: Audience;
}

/** A tool call begins. */
export interface ToolStartPayload {
  /** Ties start and end; the provider's or the writer's, and not unique in a session. */
  call_id: string;
  /** The tool's name, as the model was told of it. */
  name: string;
  /** The arguments as JSON, in the tool's own form; odd numbers are `ExactNumber`s. */
  input: unknown;
  /** The JSON text of `input` as the model wrote it; absent where `JSON.stringify` gives it. */
  input_text?: string;
  /** The response that made the call; calls of one response are parallel. */
  message_id?: string;
  /** What goes back to the same provider with the call, as it came. */
  provider_data?: unknown;
  /** Who alone gets the call and its result; absent for both. */
  audience?: Audience;
}

/** A tool call is settled. */
export interface ToolEndPayload {
  /** Settles the latest unsettled start with this id. */
  call_id: string;
  /** As in the start. */
  name: string;
  /** Whether it worked; `skipped` where the tool was not run. */
  status: CallStatus;
  /** What the tool gave; absent where it gave nothing. Parts are all that the model gets. */
  output?: Output;
  /** Why it failed; the model gets it too, unless `output` has parts. Absent where it did not. */
  error?: string;
  /** What the tool was given in the end; absent where that is as in the start. */
  input?: unknown;
  /** How long it took, in nanoseconds; absent where nobody measured. */
  duration_ns?: number;
  /** Whether `output` is not all that the tool gave; absent means whole. */
  truncated?: boolean;
  /** What goes back to the same provider with the result, as it came. */
  provider_data?: unknown;
  /** Of older logs: what the model got, where that is not `output` and `error` joined by LF. */
  told?: string;
}

/** Who asked for a shell command. */
export type BashOrigin = "model" | "user";

/** A shell command begins. */
export interface BashStartPayload {
  /** Ties start and end; not unique in a session. */
  call_id: string;
  /** What the shell was given, verbatim; may have several lines. */
  command: string;
  /** What it is for, in a few words. */
  summary?: string;
  /** Who asked for it: a `user` command is a response of its own in the conversation. */
  origin: BashOrigin;
  /** The response that made the call; absent on what the user ran. */
  message_id?: string;
  /** The tool's name as the model knows it; absent means `bash`. */
  name?: string;
  /** The call's input as the model wrote it; absent means `{command}`. */
  input?: unknown;
  /** The JSON text of `input` as the model wrote it; absent where `JSON.stringify` gives it. */
  input_text?: string;
  /** What goes back to the same provider with the call, as it came. */
  provider_data?: unknown;
  /** Who alone gets the command and its result; absent for both. */
  audience?: Audience;
}

/** A shell command is settled. */
export interface BashEndPayload {
  /** Settles the latest unsettled start with this id. */
  call_id: string;
  /** As in the start. */
  command: string;
  /** What it was for, in a few words; wins over the start's. */
  summary?: string;
  /** Standard output, or both outputs in order. Parts are all that the model gets. */
  output?: Output;
  /** Standard error, where it was kept apart; the model gets it too, unless `output` has parts. */
  error?: string;
  /** Absent when the command has not ended by itself. The model gets one that is not 0 as `error`. */
  exit_code?: number;
  /** Whether it worked; `skipped` where the command was not run. */
  status: CallStatus;
  /** How long it took, in nanoseconds; absent where nobody measured. */
  duration_ns?: number;
  /** Whether the outputs are not whole; absent means whole. */
  truncated?: boolean;
  /** What goes back to the same provider with the result, as it came. */
  provider_data?: unknown;
  /** Of older logs: what the model got, where that is not `output`, `error` and an exit code. */
  told?: string;
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
  /** What the user saw; may be empty. */
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
  /** What the user asked to keep; absent where nothing was asked. */
  guidance?: string;
  /** Whether the user asked for it, or the agent did it by itself; absent where not known. */
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

/** A turn ended without an answer. */
export interface TurnFailedPayload {
  /** `cancelled` where it was stopped on purpose, else `error`. */
  reason: "error" | "cancelled";
  /** What the user saw; may be empty. */
  message: string;
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

/** How the work tree and the context window stood. */
export interface WorkspaceSnapshotPayload {
  /** Absolute path of the work tree. */
  root: string;
  /** Short name; absent, or the commit's first digits, where no branch is checked out. */
  git_branch?: string;
  /** As `git status --short` says, line by line; empty where nothing is changed. */
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
  /** Of the last `session_renamed`; absent where there is none or it is empty. */
  title?: string;
  /** As the last `session_archived` says; `false` where there is none. */
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
  /** What the program exited with; absent where it went on. */
  exit_code?: number;
  /** What came of the session, for people. */
  summary?: string;
}

/** What another agent's record says that no other kind holds. */
export interface ExtensionPayload {
  /** Name of the agent whose record it is. */
  agent: string;
  /** What the record is, in the agent's own word. */
  type: string;
  /** The record as it was, unchecked. */
  data: unknown;
}

/** Payload type by kind. */
export interface PayloadByKind {
  /** Head of every log: where, when and by what program. Held, boundary. */
  session_started: SessionStartedPayload;
  /** Which files of instructions were read, not their text. Held. */
  context_loaded: ContextLoadedPayload;
  /** A prompt. Boundary. */
  user_message: UserMessagePayload;
  /** A complete answer, or the head of a response that calls. Boundary. */
  assistant_message: AssistantMessagePayload;
  /** As much of an answer as was shown. Boundary. */
  assistant_interrupted: AssistantInterruptedPayload;
  /** Thinking; the model gets it back only on request. */
  reasoning_message: ReasoningMessagePayload;
  /** Stands alone if the program dies during the call: then it is unsettled. */
  tool_start: ToolStartPayload;
  /** The outcome of a tool call. Boundary. */
  tool_end: ToolEndPayload;
  /** As `tool_start`, of a shell command by the model or by the user. */
  bash_start: BashStartPayload;
  /** The outcome of a shell command. Boundary. */
  bash_end: BashEndPayload;
  /** For the transcript only: the model does not get it. */
  diff: DiffPayload;
  /** Replaces the conversation, never the transcript. Boundary. */
  compaction_applied: CompactionAppliedPayload;
  /** The conversation so far is other than the events say. Boundary. */
  conversation_replaced: ConversationReplacedPayload;
  /** For the transcript only. Boundary. */
  turn_failed: TurnFailedPayload;
  /** The latest wins, and a later mark over it; outside of turns. Held. */
  session_renamed: SessionRenamedPayload;
  /** The latest wins, and a later mark over it; outside of turns. */
  session_archived: SessionArchivedPayload;
  /** For programs; neither transcript nor conversation show it. Held. */
  workspace_snapshot: WorkspaceSnapshotPayload;
  /** Written by the session itself, about every 256 KiB and on close. */
  session_checkpoint: SessionCheckpointPayload;
  /** The last word; void once another event follows. Boundary. */
  session_closed: SessionClosedPayload;
  /** What another agent's record says that no kind above holds; shown on request. */
  extension: ExtensionPayload;
}

/** Name of a kind that this version knows. */
export type EventKind = keyof PayloadByKind;
