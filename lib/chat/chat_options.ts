/**
 * What a chat is given, and what it tells of itself.
 *
 * @module
 */
import type { AppInfo, SessionStore } from "../../mod.ts";
import type { ChatView, Permit } from "./chat_view.ts";
import type { ModelClient } from "./models/model.ts";
import type { ChatTool } from "./tools/tool.ts";

/** Options of a chat. */
export interface ChatOptions {
  /** Where the session is kept. */
  store: SessionStore;
  /** Working directory of the tools, and of a new session. */
  cwd: string;
  /** The model to talk to. */
  model: ModelClient;
  /** What the model may call. @default {`defaultTools()`: bash, read, write, edit} */
  tools?: readonly ChatTool[];
  /** Asks the user before a call that wants it. */
  permit: Permit;
  /** Shows the chat. */
  view: ChatView;
  /** Whether anything is kept. Without, nothing is written and nothing can be resumed. @default {true} */
  save?: boolean;
  /**
   * What the model gets of the calls that a resumed session made before: all of them, or only what
   * user and assistant said. What is called from then on it gets in any case.
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

/** How a turn ended. */
export type TurnEnd = "completed" | "cancelled" | "failed";

/** What came of a compaction. */
export interface CompactionEnd {
  /** `nothing`: there was nothing to summarize. */
  result: "applied" | "nothing" | "cancelled" | "failed";
  /** Why it failed. */
  message?: string;
}

/** How the chat stands. */
export interface ChatStatus {
  /** Id of the session; absent where nothing is kept. */
  session_id?: string;
  /** Path of the log; absent where nothing is kept, or not yet. */
  path?: string;
  /** Whether the session is on disk: it is from the first message on. */
  on_disk: boolean;
  /** Who serves the model. */
  provider: string;
  /** Name of the model. */
  model: string;
  /** Tokens of the window that are taken. */
  context_used: number;
  /** Whether `context_used` is counted from characters, in part or in whole, not by the provider. */
  context_estimated: boolean;
  /** Tokens that the window holds. */
  context_limit: number;
  /** Messages that the next request would begin with. */
  message_count: number;
  /** Events that could not be written so far and wait in memory. */
  unsaved: number;
  /** Branch of the work tree when it was last looked at. */
  git_branch?: string;
  /** Whether a turn or a compaction is under way. */
  busy: boolean;
}
