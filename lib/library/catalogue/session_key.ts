/**
 * The name of a session in the catalogue. One file may hold several sessions, and agents may share
 * ids.
 */
import type { AgentSession } from "../../agents/contract/agent.ts";
import { digest } from "./session_state.ts";

export type SessionName = Pick<AgentSession, "agent" | "path" | "id">;

/** Returns a text that names a session. Its parts are separated by NUL, which no path has. */
export function sessionKey({ agent, path, id }: SessionName): string {
  return `${agent}\0${path}\0${id}`;
}

/** Returns a hash of a session's name. Among 100,000 sessions, the clash risk is 1 in 2 million. */
export function sessionDigest(session: SessionName): number {
  return digest(sessionKey(session));
}

export function isSameSession(one: SessionName, other: SessionName): boolean {
  return one.agent === other.agent && one.path === other.path && one.id === other.id;
}
