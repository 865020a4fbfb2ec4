/** Finds a session that was pulled from a team's store, in its mirror on this machine. */
import { REPRISE } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { type MirroredLog, mirroredLogs } from "../../core/store/remote_mirror.ts";
import { ambiguous } from "../../core/store/session_folder.ts";
import type { Ref } from "../../core/store/ref.ts";
import { teamRef } from "../../agents/contract/session_name.ts";
import type { FoundSession } from "./find_session.ts";
import { loadAgent } from "../machine/registry.ts";

type TeamRef = Extract<Ref, { kind: "team" }>;

/**
 * Finds the pulled session that a reference names. If the reference names no member, sessions of
 * other members only count if none of the user's own sessions fits.
 *
 * @throws {SessionError} `not-found` if no pulled session fits; `ambiguous` if several fit
 */
export async function findMirrored(
  root: string | undefined,
  parsed: TeamRef,
  ref: string,
): Promise<FoundSession> {
  const [only, ...others] = fitting([...root === undefined ? [] : mirroredLogs(root)], parsed);
  if (only === undefined) throw notFound(ref);
  if (others.length > 0) {
    throw ambiguous(ref, [only, ...others].map(teamRef), "type more of the id");
  }
  const agent = await loadAgent(REPRISE);
  const [session] = await agent.sessionsIn(only.path);
  if (session === undefined) throw notFound(ref);
  return { reader: agent.open({ ...session, ref: teamRef(only) }) };
}

function fitting(
  sessions: readonly MirroredLog[],
  { owner, agent, prefix }: TeamRef,
): MirroredLog[] {
  const fits = sessions.filter((one) =>
    (owner === undefined || one.owner === owner) && beginsWith(one.session, agent, prefix)
  );
  const whole = fits.filter(({ session }) => idOf(session).length === prefix.length);
  const best = whole.length > 0 ? whole : fits;
  const own = best.filter((one) => one.owner === undefined);
  return own.length > 0 ? own : best;
}

function idOf(session: string): string {
  return session.slice(session.indexOf(":") + 1);
}

/** True for a session of `agent`, or of any, whose id begins with the prefix or its lower case. */
export function beginsWith(session: string, agent: string | undefined, prefix: string): boolean {
  if (agent !== undefined && agent !== REPRISE) return session.startsWith(`${agent}:${prefix}`);
  if (agent === REPRISE && session.includes(":")) return false;
  const id = idOf(session);
  return id.startsWith(prefix) || id.startsWith(prefix.toLowerCase());
}

function notFound(ref: string): SessionError {
  const message = `Cannot find session "${ref}" among the pulled sessions. ` +
    "To pull sessions: reprise sync pull. To list them: reprise list --all";
  return new SessionError("not-found", message, { ref });
}
