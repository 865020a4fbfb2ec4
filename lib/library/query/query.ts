/** Describes a query over all sessions of this machine: its options and its result. */
import type { AgentName } from "../../core/event/agent_name.ts";
import { present } from "../../core/event/present.ts";
import type { SessionError } from "../../core/event/session_error.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import type { ListOptions } from "../../core/store/list_sessions.ts";
import type { SessionWords } from "../../core/store/session_words.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import type { SeenState } from "../catalogue/session_state.ts";
import type { SessionHandle } from "../handle/session_handle.ts";

/**
 * The directories whose sessions are wanted. `project`: the project around `cwd`, or all
 * directories if that project has no session. `here`: only that project. `all`: all directories.
 */
export type Scope = "project" | "here" | "all";

/** The conditions for the sessions to find. */
export interface QueryOptions
  extends SessionWords, Pick<ListOptions, "archived" | "exact" | "since" | "until" | "limit"> {
  /**
   * True to include subagents of Reprise. Without `archived`, this includes archived subagents.
   *
   * @default {true only if `archived` is true or "any"}
   */
  subagents?: boolean | undefined;
  /** True to include undated sessions even if `since` or `until` is given. @default {false} */
  undated?: boolean | undefined;
  /** The directories whose sessions are wanted. @default {"all"} */
  scope?: Scope | undefined;
  /** The directory in the project that `scope` refers to. @default {the library's} */
  cwd?: string | undefined;
  /** Real paths of directories, used instead of `scope`. Directories below them match too. */
  directories?: readonly string[] | undefined;
  /** The agents whose sessions are wanted. @default {all} */
  agents?: readonly AgentName[] | undefined;
  /** The root of an agent; only sessions whose files are below it are found. @default {all} */
  root?: string | undefined;
  /**
   * True to find only deleted sessions, whose prompts are left in their agent's history. Otherwise
   * no deleted session is found.
   *
   * @default {false}
   */
  gone?: boolean | undefined;
  /** True to find only running sessions, at most `limit`. @default {false} */
  running?: boolean | undefined;
  /** True to find the copies that members of the user's team share, too. @default {false} */
  members?: boolean | undefined;
  /**
   * True to read all rows at once. Sessions without a readable row are left out, as in lists.
   *
   * @default {each row is read when it is requested}
   */
  rows?: boolean | undefined;
  /**
   * True to return the catalogue's rows at once, without a search for sessions. The sessions may
   * have changed or be gone.
   *
   * @default {false}
   */
  remembered?: boolean | undefined;
  /** Gets the bytes read so far and in total, after each session that is read for `exact`. */
  onProgress?: ((done: number, all: number) => void) | undefined;
  /** Called for each session or store that could not be read. @default {nothing} */
  onError?: ((error: SessionError) => void) | undefined;
}

/** A session that a query found. */
export interface SessionEntry {
  /** The session's agent, id and path. */
  readonly session: AgentSession;
  /** The reference by which commands name the session. */
  readonly ref: string;
  /** The working directory; undefined if unknown. For a team's copy, its project's directory. */
  readonly cwd: string | undefined;
  /** Time of the session's last update in milliseconds since 1970; NaN if it is not known. */
  readonly updated: number;
  /** The state of the session's files when it was found; undefined if the state was not read. */
  readonly state: SeenState | undefined;
  /** Returns the row that a list shows; undefined if the session cannot be read. */
  row(): Promise<Summary | undefined>;
  /** Opens the session. No event is read before it is requested. */
  open(): Promise<SessionHandle>;
}

export function sessionOf({ agent, session_id, path, cwd, ref }: Summary): AgentSession {
  const session = present({ agent: agent as AgentName, id: session_id, path, cwd });
  return ref === sessionRef(session) ? session : { ...session, ref };
}

/** The result of a query: the sessions, and what limited them. */
export interface FoundSessions {
  /** The sessions, the most recently updated first. */
  entries: readonly SessionEntry[];
  /** The directories to which the sessions were limited; undefined if there was no limit. */
  directories: readonly string[] | undefined;
  /** True if the project has no session, so that sessions of all directories were taken. */
  widened: boolean;
  /** Number of sessions that were left out because their time is not known. */
  undated: number;
}
