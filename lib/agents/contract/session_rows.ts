/**
 * The contract of an agent that keeps its sessions as rows of a database. It describes how a
 * session moves to a database on another machine.
 *
 * @module
 */
import type { AgentSession } from "./agent.ts";
import type { AgentPlace } from "./agent_environment.ts";

/** Rows of a session that come from another machine. */
export interface SentRows {
  /** The session's id. The rows belong to this session and its subagents only. */
  id: string;
  /** The rows, as {@linkcode SessionRows.read} returned them. */
  text: string;
  /** Returns a directory's new path if it moved with the session, else the unchanged path. */
  moved(directory: string): string;
}

export interface SessionRows {
  /**
   * Returns the rows of a session and of its subagents at one moment, one row on each line.
   * Undefined if the session is not in a database.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`, `changed`
   */
  read(session: AgentSession): Uint8Array | undefined;
  /**
   * Adds the rows to the agent's database: all of them, or none. No existing row is changed.
   *
   * @returns A function that removes the sessions again.
   * @throws {SessionError} `not-found` without a database; `damaged` for rows of another session;
   * `changed` if an id is taken; `unsupported-version`, `unsupported-source`, `locked`, `io`
   */
  add(place: AgentPlace, rows: SentRows): () => void;
  /**
   * Creates a database below `folder` with only these rows.
   *
   * @returns The session's reference in that database.
   */
  stage(folder: string, rows: SentRows): string;
}
