/**
 * Options of a chat, the callbacks by which it reports, and its state.
 *
 * @module
 */
import type { Store, TranscriptItem } from "../../../mod.ts";
import type { AppInfo } from "../../core/pipeline/mod.ts";
import type { ModelClient, ModelDelta } from "./models/model.ts";
import type { ChatTool } from "./tools/tool.ts";

export interface ChatOptions {
  store: Store;
  /** Working directory of the tools, and of a new session. */
  cwd: string;
  model: ModelClient;
  /** The tools that the model may call. @default {`defaultTools()`: bash, read, write, edit} */
  tools?: readonly ChatTool[];
  permit: Permit;
  view: ChatView;
  /**
   * True to store the session. Otherwise nothing is written, and the chat cannot be resumed.
   * @default {true}
   */
  save?: boolean;
  /**
   * Past tool calls in a resumed chat. `include` sends them to the model. `omit` sends only the
   * texts of user and assistant. Calls made after the resume are always sent.
   *
   * @default {"include"}
   */
  past_calls?: "include" | "omit";
  /** System prompt that replaces the chat's default instructions. */
  system?: string;
  app?: AppInfo;
  now?: () => Date;
  /** Gives ids of turns and responses. @default {UUID v4} */
  newId?: () => string;
  /** Used share of the model's context at which the conversation is summarized. @default {0.85} */
  compact_at?: number;
  /** Maximum number of requests in one turn. @default {100} */
  max_requests?: number;
  /** Milliseconds between attempts to write events that could not be written. @default {2000} */
  retry_saving_ms?: number;
}

export interface TurnOptions {
  /** Interrupts the turn. The partial answer is stored, and open calls are settled. */
  signal?: AbortSignal;
}

export type TurnEnd = "completed" | "cancelled" | "failed";

export interface CompactionEnd {
  /** The outcome. `nothing`: there were no messages to summarize. */
  result: "applied" | "nothing" | "cancelled" | "failed";
  /** The reason of the failure; absent for other outcomes. */
  message?: string;
}

export interface ChatStatus {
  /** Id of the session; absent in a chat that is not stored. */
  session_id?: string;
  path?: string;
  /** True once the session is on disk, which is from the first message on. */
  on_disk: boolean;
  provider: string;
  model: string;
  /** Number of used tokens of the model's context. */
  context_used: number;
  /** True if any of `context_used` is estimated from characters, not counted by the provider. */
  context_estimated: boolean;
  /** Maximum number of tokens in the model's context. */
  context_limit: number;
  /** Number of messages that precede the prompt in the next request. */
  message_count: number;
  /** Number of events in memory that could not be written so far. */
  unsaved: number;
  /** Branch of the work tree at the last check. */
  git_branch?: string;
  /** True while a turn or a compaction is under way. */
  busy: boolean;
}

type NoticeCode =
  /**
   * Events cannot be written for now; reported once. The chat continues and holds them in memory.
   */
  | "saving-failed"
  /** All waiting events are written; reported once after `saving-failed`. */
  | "saving-works"
  /** The session ends, and some events could not be written. */
  | "not-saved"
  /** The work tree is on another branch than when the session stopped. */
  | "branch-changed"
  | "retrying"
  /** The conversation is being summarized, because the model's context is nearly full. */
  | "compacting"
  /** The summary failed: the chat continues with the full conversation. */
  | "compaction-failed";

/** A message to the user that is not in the log. */
export interface Notice {
  code: NoticeCode;
  /** The text without a final period. Not sanitized: may quote a file name or a server. */
  message: string;
}

/** A tool call under way. It becomes a transcript item once it ends. */
export interface CallUnderWay {
  /** The id by which the output and the transcript item refer to the call. */
  call_id: string;
  name: string;
  /** The input as the model wrote it. */
  input: unknown;
  /** One line for a person: the command, or the path. Not sanitized. */
  title: string;
}

export interface PermissionRequest extends CallUnderWay, AskedText {
  /** The reason why permission is needed, without a final period, such as `runs a command`. */
  reason: string;
  /** The kind of calls that the answer `always` allows until the chat ends, such as `bash`. */
  scope: string;
}

/** The user's answer. `always` allows all calls of the request's `scope` until the chat ends. */
export type Permission = "yes" | "no" | "always";

/** Asks the user; the question is not stored. Reject, or answer `no`, when the signal aborts. */
export type Permit = (request: PermissionRequest, signal: AbortSignal) => Promise<Permission>;

/**
 * The program's side of a chat: callbacks that show it. Items come in the order of the transcript,
 * once they are final, with the content of the log. All other output is live, and shown only until
 * its item comes. No text is sanitized.
 */
export interface ChatView {
  /** Shows a final item, as a reader of the log gets it. The session's first event is not shown. */
  onItem(item: TranscriptItem): void;
  onDelta?(delta: ModelDelta): void;
  /** Ends the display of a response: its items were shown, or the request is repeated. */
  onResponseEnd?(): void;
  onCall?(call: CallUnderWay): void;
  onOutput?(call_id: string, text: string): void;
  onNotice?(notice: Notice): void;
}

/** The text of a permission question. Not sanitized. */
export interface AskedText {
  /** The command or the arguments of the call. Only the beginning if the text is long. */
  asked: string;
  /** Number of characters cut from the end of `asked`. If not 0, `always` allows only one call. */
  left_out: number;
}
