/**
 * Types of the payloads, kind by kind.
 *
 * @module
 */
import type { Audience, CallStatus, Content, Message, Output } from "./message.ts";

/** The program that records the session. */
export interface AppInfo {
  /** The program's name, such as `my-agent`. */
  name: string;
  /** Version of the program, in its own notation. Absent if the program names no version. */
  version?: string;
}

/** The state of the git work tree when the session began. */
export interface GitInfo {
  /** Short name of the branch. Without a branch: absent, or the first digits of the commit. */
  branch?: string;
  /** Hash of the head commit, in full or abbreviated. Absent before the first commit. */
  commit?: string;
  /** URL of the main remote. Absent if there is none. */
  remote?: string;
}

/** The setup of the agent, such as its permissions. */
export interface EnvironmentInfo {
  /** The sandbox of the commands, in the agent's own word, such as `workspace-write`. */
  sandbox?: string;
  /** The rule by which the agent asks the user, in its own word, such as `on-request`. */
  approval?: string;
  /** The agent's access to web search, in its own word, such as `off`. */
  search?: string;
  /** Any other facts that the agent records about its setup. */
  [key: string]: unknown;
}

/** The session from which the current session was forked or merged. */
export interface ParentInfo {
  /** Id of the parent session, whose log may be gone. */
  session_id: string;
  /** Seq of the parent's last copied event. Usage up to this event counts for the parent alone. */
  seq?: number;
  /** The reason why the current session was made: `fork`, `merge`, or `subagent` of the parent. */
  reason?: string;
}

/** The session of another agent from which the current session was imported. */
export interface ImportInfo {
  /** Name of the agent that recorded the original session, such as `pi`. */
  agent: string;
  /** Id of the original session, in its agent's notation. */
  id: string;
  /** Path of the original when it was imported. */
  path?: string;
  /** Version of the agent. Absent if the session does not record it. */
  agent_version?: string;
  /** Size of the imported file in bytes. Absent for a database, which has other sessions too. */
  bytes?: number;
  /** Time of the imported file's last change, in ISO 8601. Absent for a database. */
  modified_at?: string;
  /** SHA-256 in lower-case hexadecimal: of the imported file, or of events from a database. */
  sha256?: string;
  /** The branch that was read, named by one of its records. Absent for the live branch. */
  branch?: string;
  /** Time of the import, in ISO 8601. */
  imported_at?: string;
}

/** One file of instructions that the agent read at its start. */
export interface ContextSource {
  /** Type of the source, in the agent's own word, such as `instructions`. */
  kind: string;
  /** Absolute path of the file. Its text is not kept. */
  path: string;
  /** The scope of the instructions, in the agent's own word, such as `user` or `project`. */
  scope?: string;
  /** Hash of the file as it was read. SHA-256 in lower-case hex is recommended. */
  hash: string;
  /** Size of the file in bytes. If `truncated`, the model got less. */
  bytes: number;
  /** True if the model got only a part of the file. */
  truncated: boolean;
  /** Reason why the file could not be read. Absent if it was read. */
  error?: string;
}

/** Token counts of one call to the model. */
export interface TokenUsage {
  /** Tokens of the prompt that were neither read from a cache nor written to one. */
  input?: number;
  /** Tokens that the model made, reasoning included. */
  output?: number;
  /** Tokens of the prompt that the provider read from its cache. */
  cache_read?: number;
  /** Tokens of the prompt that the provider wrote to its cache. */
  cache_write?: number;
  /** Tokens of `cache_write` cached for an hour, at a higher price. Absent if there are none. */
  cache_write_1h?: number;
  /** Tokens of the output that were spent on reasoning, where the provider tells them apart. */
  reasoning?: number;
}

/** One line of a diff. `old` and `new` are line numbers from 1. */
export interface DiffLine {
  /** The type of the line. A `hunk` is the header before unchanged, added and removed lines. */
  kind: "context" | "added" | "removed" | "hunk";
  /** Line number before the change, from 1. Absent on added lines and if not known. */
  old?: number;
  /** Line number after the change, from 1. Absent on removed lines and if not known. */
  new?: number;
  /** The line without its sign and newline. For a hunk, the whole header. */
  content: string;
}

/** The payload's fields, by kind of event. Events of other kinds are read as `UnknownEvent`. */
export interface PayloadByKind {
  /**
   * The first event of every log: working directory, time and program. Kept in memory until the
   * session is created, then synced to disk by default.
   */
  session_started: {
    /** Id in the session folder's name: a lower-case UUID v4, or an id given by the program. */
    session_id: string;
    /** ISO 8601 in UTC with milliseconds. The folder's name begins with the same time. */
    created_at: string;
    /** Absolute path of the working directory. */
    cwd: string;
    /** The program that records the session. Absent if the program does not name itself. */
    app?: AppInfo;
    /** A title given from the start. A `session_renamed` event overrides it. */
    title?: string;
    git?: GitInfo;
    environment?: EnvironmentInfo;
    parent?: ParentInfo;
    imported_from?: ImportInfo;
    /** The text that the model gets for a call without a result. Absent for the default text. */
    unanswered_call?: string;
  };
  /**
   * The instruction files that the agent read, without their text. Kept in memory until the session
   * is created.
   */
  context_loaded: {
    /** An entry for each file, including files that could not be read. */
    sources: ContextSource[];
  };
  /** A prompt. Synced to disk on append, by default. */
  user_message: {
    /** The message as the user wrote it, with attachments, and any part that only the model got. */
    content: Content;
    /** `system` for a system message, which the user did not see. Absent for a user's message. */
    role?: "system";
    /** Opaque data of the provider. The provider gets it back unchanged with the message. */
    provider_data?: unknown;
  };
  /**
   * A complete answer, or the beginning of a response that calls tools. Synced to disk on append,
   * by default.
   */
  assistant_message: {
    /**
     * Texts, reasoning and calls in the order of the response, or `""` if it has none of these. A
     * `tool_call` part declares its call.
     */
    content: Content;
    /** Id that the reasoning, text and calls of one response share. */
    message_id?: string;
    /** Name of the model that answered. A resumed session uses the current model. */
    model?: string;
    /** Service that runs the model, such as `anthropic`. A resumed session uses the current one. */
    provider?: string;
    /** The provider's id of the request, by which the provider's support finds the request. */
    request_id?: string;
    /** The reason why the model stopped, in the provider's word, such as `tool_calls`. */
    finish_reason?: string;
    /** Tokens of the whole response. Other events with the same `message_id` may repeat them. */
    usage?: TokenUsage;
    /** Tokens of the prompt of the last request. Set if `usage` is the sum of several requests. */
    last_prompt_tokens?: number;
    /** The span of which `usage` is the sum. Set if the usage of single requests is not known. */
    usage_of?: "turn" | "session";
    /** The cost of the response in US dollars. Absent if no price is known. */
    cost_usd?: number;
    /** Opaque data of the provider. The provider gets it back unchanged with the message. */
    provider_data?: unknown;
  };
  /** An answer that was cut off, with its shown text. Synced to disk on append, by default. */
  assistant_interrupted: {
    /** The text shown before the answer stopped. The model gets it on resume. */
    content: Content;
    /** The id that the complete answer would have had. */
    message_id?: string;
    /** The cause of the interruption, such as `user` or `error`. */
    reason?: string;
  };
  /** Reasoning of the model. The model gets it back only on request. */
  reasoning_message: {
    /** The part of the reasoning that the provider shows. Empty if it hides everything. */
    content: string;
    /** Id of the reasoning's response. Without it, the reasoning belongs to the next text. */
    message_id?: string;
    /** Signature or encrypted content. The same provider gets it back unchanged. */
    provider_data?: unknown;
    /**
     * The only audience of the reasoning: `user` if the agent does not send it again. Absent for
     * both audiences.
     */
    audience?: Audience;
  };
  /** The start of a tool call. If the program dies during the call, no `tool_end` follows. */
  tool_start: {
    /** Id of the call, from the provider or the writing program. Not unique in the session. */
    call_id: string;
  };
  /** The outcome of a tool call. Synced to disk on append, by default. */
  tool_end: {
    /** Id of the ended call. If calls share the id, it means the latest without an outcome. */
    call_id: string;
    /** The tool's name, as in the `tool_call` part. */
    name: string;
    /** The outcome of the call. `skipped` if the tool was not run. */
    status: CallStatus;
    /** The tool's output. Absent if there is none. If it has parts, the model gets only these. */
    output?: Output;
    /**
     * Error message of a failed call, else absent. Sent to the model unless `output` has parts. For
     * this reason, `Turn.result` adds the error to the parts.
     */
    error?: string;
    /** The tool's final input. Absent if it equals the input at the start. */
    input?: unknown;
    duration_ns?: number;
    /** True if `output` was shortened. Absent means that it is complete. */
    truncated?: boolean;
    /** The line that showed the ended call to the user. Not sent to the model. */
    caption?: string;
    /** Opaque data of the provider. The provider gets it back unchanged with the result. */
    provider_data?: unknown;
  };
  /** The start of a shell command, by the model or by the user. */
  bash_start: {
    /** Id of the call, the same in declaration, start and end. Not unique in the session. */
    call_id: string;
    /** The command line, verbatim. May have several lines. Present if `origin` is present. */
    command?: string;
    /** The purpose of the command, in a few words. */
    summary?: string;
    /**
     * Present if the user ran the command. The conversation then contains the call as a separate
     * response. Absent if the model's response declares the call.
     */
    origin?: "user";
    /** The only audience of the command and its result. Absent for both audiences. */
    audience?: Audience;
  };
  /** The outcome of a shell command. Synced to disk on append, by default. */
  bash_end: {
    /** Id of the ended call. If calls share the id, it means the latest without an outcome. */
    call_id: string;
    /** The command line, as in `bash_start` or in the model's call. */
    command: string;
    /** The purpose of the command, in a few words. Replaces the `summary` of `bash_start`. */
    summary?: string;
    /** Standard output, or both streams in order. If it has parts, the model gets only these. */
    output?: Output;
    /** Standard error, if captured separately. The model gets it too, unless `output` has parts. */
    error?: string;
    /**
     * Exit code. Absent if the command did not end by itself. The model gets each code except 0.
     */
    exit_code?: number;
    /** The outcome of the command. `skipped` if it did not run. */
    status: CallStatus;
    duration_ns?: number;
    /** True if `output` or `error` was shortened. Absent means that both are complete. */
    truncated?: boolean;
    /** The line that showed the ended command to the user. Not sent to the model. */
    caption?: string;
    /** Opaque data of the provider. The provider gets it back unchanged with the result. */
    provider_data?: unknown;
  };
  /** Lines of a changed file. Only the transcript shows them. The model does not get them. */
  diff: {
    /** The call that made the change. Absent if no call made it. */
    call_id?: string;
    /** Path of the changed file, absolute or below the working directory. Absent if unknown. */
    path?: string;
    /** The lines of the diff, in the order in which the agent showed them. */
    lines: DiffLine[];
  };
  /** Replaces the conversation, but not the transcript. Synced to disk on append, by default. */
  compaction_applied: {
    /** The status line that the user saw. May be empty. */
    status: string;
    /** Messages that replace the conversation. `[]` empties it. If set, `summary` is ignored. */
    messages?: Message[];
    /** Text that replaces the earlier conversation, verbatim, as one user message. */
    summary?: string;
    /** Seq of the first event whose messages are kept after `summary`. Absent if none are kept. */
    first_kept_seq?: number;
    tokens_before?: number;
    tokens_after?: number;
    /** The user's instruction about the content to keep. Absent if the user gave none. */
    guidance?: string;
    /** The initiator of the compaction, user or agent. Absent if not known. */
    trigger?: "manual" | "auto";
    /** True if the compaction is only for display, and does not change the conversation. */
    status_only?: boolean;
  };
  /**
   * Replaces the conversation, because the model got other messages than those in the events.
   * Synced to disk on append, by default.
   */
  conversation_replaced: {
    /** Messages that replace the conversation. `[]` empties it. */
    messages: Message[];
    /** Reason for the replacement, in a few words, such as `history edited`. */
    reason: string;
  };
  /** The conversation continues from an earlier event. Synced to disk on append, by default. */
  conversation_branched: {
    /** Seq of the event from which the session continues. It may be on another branch. */
    from_seq: number;
    reason?: string;
  };
  /**
   * A turn that ended without an answer. The model does not get this event. Synced to disk on
   * append, by default.
   */
  turn_failed: {
    /** `cancelled` if the turn was stopped on purpose, else `error`. */
    reason: "error" | "cancelled";
    /** The message that the user saw. May be empty. */
    message: string;
  };
  /**
   * A text that the agent showed its user, or sent its model in one request. The transcript shows
   * the text. The conversation does not contain it.
   */
  notice: {
    audience: Audience;
    /** The type of the notice, in a few words, such as `API error`. */
    title: string;
    /** The notice's text. May be empty. */
    text: string;
    level?: "error";
  };
  /**
   * The title of the session. The latest title counts, unless a newer one is stored outside the
   * log. The event belongs to no turn. Kept in memory until the session is created.
   */
  session_renamed: {
    /** Any text, shown on one line. */
    title: string;
  };
  /**
   * A change of the session's archived flag. The latest change counts, unless a newer value is
   * stored outside the event log. The event belongs to no turn.
   */
  session_archived: {
    /** True to archive the session. Lists show an archived session only on request. */
    archived: boolean;
  };
  /** A label of an event on any branch. Lists of threads show the label. */
  event_labeled: {
    target_seq: number;
    /** The label, on one line. If absent, the event loses its label. */
    label?: string;
  };
  /**
   * The work tree's state, for programs. The transcript and the conversation do not contain it.
   * Kept in memory until the session is created.
   */
  workspace_snapshot: {
    /** Absolute path of the work tree. */
    root: string;
    /** Short name of the branch. Without a branch: absent, or the first digits of the commit. */
    git_branch?: string;
    /** The lines of `git status --short`. Empty if nothing is changed. */
    git_status?: string;
    /** Paths, absolute or below `root`. */
    files?: string[];
    /** Number of tokens in use in the context window. */
    context_used?: number;
    /** Tokens that the model's context window holds. */
    context_limit?: number;
  };
  /** A summary for lists. The session writes it about every 256 KiB and when it is closed. */
  session_checkpoint: {
    /** Seq of the last event that is counted: one less than the checkpoint's own `seq`. */
    through_seq: number;
    /** Title of the last `session_renamed`. Absent if there is none or if it is empty. */
    title?: string;
    /** Value of `archived` in the last `session_archived`, or `false` if there is none. */
    archived: boolean;
    /** Number of shown user messages, and of answers with shown text, interrupted ones too. */
    message_count: number;
    /** Number of user messages. Consecutive messages with the same `turn_id` count once. */
    turn_count: number;
    /** Sum of `usage` over all answers. A count that no answer has is absent. */
    usage: TokenUsage;
    /** Each model once, in the order of its first answer. */
    models: string[];
    /** The first user message with text, on one line, at most 300 UTF-16 units. `""` if none. */
    first_user_message: string;
    /** The last user message with text, in the form of `first_user_message`. Absent if none. */
    last_user_message?: string;
    /** The last error, on one line, at most 300 UTF-16 units. Absent if an answer followed. */
    last_error?: string;
    /** Sum of all `cost_usd`, in US dollars. Absent if no answer has a cost. */
    cost_usd?: number;
    /** Time of the event that set the title. A newer title outside the log replaces the title. */
    renamed_at?: string;
    /** Time of the last `session_archived`. */
    archived_at?: string;
  };
  /**
   * The end of the session. This event has no effect if another event follows. Synced to disk on
   * append, by default.
   */
  session_closed: {
    /** `failed` if the program was stopped or an error occurred. */
    status: "completed" | "failed";
    /** Exit code of the program. Absent if the program continued to run. */
    exit_code?: number;
    /** The outcome of the session, for people. */
    summary?: string;
  };
  /** A record of another agent that fits no other kind. Shown on request. */
  extension: {
    agent: string;
    /** The type of the record, in the agent's own word. */
    type: string;
    /** The agent's record, unchanged and not validated. */
    data: unknown;
  };
}

/** Name of a kind that this version knows. */
export type EventKind = keyof PayloadByKind;

export type SessionStartedPayload = PayloadByKind["session_started"];
export type UserMessagePayload = PayloadByKind["user_message"];
export type AssistantMessagePayload = PayloadByKind["assistant_message"];
export type AssistantInterruptedPayload = PayloadByKind["assistant_interrupted"];
export type ToolEndPayload = PayloadByKind["tool_end"];
export type BashStartPayload = PayloadByKind["bash_start"];
export type BashEndPayload = PayloadByKind["bash_end"];
export type DiffPayload = PayloadByKind["diff"];
export type CompactionAppliedPayload = PayloadByKind["compaction_applied"];
export type NoticePayload = PayloadByKind["notice"];
export type WorkspaceSnapshotPayload = PayloadByKind["workspace_snapshot"];
export type SessionClosedPayload = PayloadByKind["session_closed"];
