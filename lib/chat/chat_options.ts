/**
 * Options of a chat, and the state that it reports.
 *
 * @module
 */
import type { Store } from "../../mod.ts";
import type { AppInfo } from "../pipeline/mod.ts";
import type { ChatView, Permit } from "./chat_view.ts";
import type { ModelClient } from "./models/model.ts";
import type { ChatTool } from "./tools/tool.ts";

/** Options of a chat. */
export interface ChatOptions {
  /** The store that keeps the session. */
  store: Store;
  /** Working directory of the tools, and of a new session. */
  cwd: string;
  /** The model to talk to. */
  model: ModelClient;
  /** The tools that the model may call. @default {`defaultTools()`: bash, read, write, edit} */
  tools?: readonly ChatTool[];
  /** Asks the user before a call that wants it. */
  permit: Permit;
  /** Shows the chat. */
  view: ChatView;
  /**
   * True to keep the session. Without, nothing is written and nothing can be resumed. @default
   * {true}
   */
  save?: boolean;
  /**
   * The calls before a resume that the model gets: all of them, or only the texts of user and
   * assistant. It always gets the calls made from then on.
   *
   * @default {"include"}
   */
  past_calls?: "include" | "omit";
  /** Instructions instead of the chat's own. */
  system?: string;
  /** The program, for the head of the session. */
  app?: AppInfo;
  /** Gives the time. @default {the system's clock} */
  now?: () => Date;
  /** Gives ids of turns and responses. @default {UUID v4} */
  newId?: () => string;
  /** Part of the window from which on the conversation is summarized. @default {0.85} */
  compact_at?: number;
  /** Requests in one turn at most. @default {100} */
  max_requests?: number;
  /** Milliseconds between two tries to write what could not be written. @default {5000} */
  retry_saving_ms?: number;
}

/** Options of a turn, and of a compaction. */
export interface TurnOptions {
  /** Interrupts: what was shown is kept, and calls are settled. */
  signal?: AbortSignal;
}

/** The way a turn ended. */
export type TurnEnd = "completed" | "cancelled" | "failed";

/** The outcome of a compaction. */
export interface CompactionEnd {
  /** `nothing`: there was nothing to summarize. */
  result: "applied" | "nothing" | "cancelled" | "failed";
  /** Why it failed. */
  message?: string;
}

/** The state of a chat. */
export interface ChatStatus {
  /** Id of the session; absent where nothing is kept. */
  session_id?: string;
  /** Path of the log; absent where nothing is kept, or not yet. */
  path?: string;
  /** True once the session is on disk: it is from the first message on. */
  on_disk: boolean;
  /** The service that runs the model. */
  provider: string;
  /** Name of the model. */
  model: string;
  /** Tokens of the window that are taken. */
  context_used: number;
  /**
   * True if `context_used` is, in part or in whole, counted from characters, not by the provider.
   */
  context_estimated: boolean;
  /** Tokens that the window holds. */
  context_limit: number;
  /** Messages that the next request would begin with. */
  message_count: number;
  /** Events that could not be written so far and wait in memory. */
  unsaved: number;
  /** Branch of the work tree when it was last looked at. */
  git_branch?: string;
  /** True while a turn or a compaction is under way. */
  busy: boolean;
}
