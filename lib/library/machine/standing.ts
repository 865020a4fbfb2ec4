/** Tells whether an agent still has a session, or whether only a backup or its prompts are left. */
import { basename } from "node:path";
import { SessionError } from "../../core/event/session_error.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { HISTORY_FILE } from "../../agents/contract/history_file.ts";
import { isKeptCopy } from "./kept/kept_sessions.ts";
import { descriptorOf } from "./registry.ts";

/** True for a deleted session whose prompts are left in its agent's history. */
export function isGone({ agent, path }: Pick<AgentSession, "agent" | "path">): boolean {
  return basename(path) === HISTORY_FILE && descriptorOf(agent).loadHistory !== undefined;
}

/**
 * Refuses to resume a session that its agent has deleted or that is on another machine.
 *
 * @param ref The session's name in the message.
 * @throws {SessionError} `not-found`
 */
export function assertStanding(session: AgentSession, root: string | undefined, ref: string): void {
  if (session.machine !== undefined) {
    const message = `Cannot resume session: it is on ${session.machine}. To continue it here: ` +
      `reprise resume ${ref}`;
    throw new SessionError("not-found", message, { ref });
  }
  const advice = isKeptCopy(root, session.path)
    ? `to restore the backup: reprise backup restore ${ref}`
    : isGone(session)
    ? `only the session's prompts remain. To read the prompts: reprise show ${ref}`
    : undefined;
  if (advice === undefined) return;
  const { title } = descriptorOf(session.agent);
  const message = `Cannot resume session: ${title} no longer has the session; ${advice}`;
  throw new SessionError("not-found", message, { ref });
}
