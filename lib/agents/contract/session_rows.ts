/**
 * The contract of an agent that keeps its sessions as rows of a database. It says how a session gets
 * to a database on another machine.
 *
 * @module
 */
import type { AgentSession } from "./agent.ts";
import type { AgentPlace } from "./agent_environment.ts";

/** Rows of a session that come from another machine. */
export interface SentRows {
  /** The session's id. The rows may have subagents of it, and no other session. */
  id: string;
  /** The rows, as `read` gave them. */
  text: string;
  /** Returns the path on this machine of a directory that moved along; otherwise the same path. */
  moved(directory: string): string;
}

/** The rows of an agent's sessions. */
export interface SessionRows {
  /**
   * Returns the rows of a session and of its subagents at one moment, one a line. Undefined if the
   * session is not in a database.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`, `changed`
   */
  read(session: AgentSession): Uint8Array | undefined;
  /**
   * Adds the rows to the agent's database: all of them, or none. No row that is there is changed.
   *
   * @returns A function that removes the sessions again.
   * @throws {SessionError} `not-found` without a database; `damaged` for rows of anything else;
   * `changed` if an id is taken; `unsupported-version`, `unsupported-source`, `locked`, `io`
   */
  add(place: AgentPlace, rows: SentRows): () => void;
  /**
   * Makes a database that has the rows alone, below a folder.
   *
   * @returns The reference of the session in it.
   */
  stage(folder: string, rows: SentRows): string;
}
