/** Finds the branch in a store that a reference names. */
import { AGENT_NAMES, REPRISE } from "../../core/event/agent_name.ts";
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { fitting, type TeamRef } from "../../library/query/find_mirrored.ts";
import { ambiguous } from "../../core/store/session_folder.ts";
import { parseRef } from "../../core/store/ref.ts";
import { teamRef } from "../../agents/contract/session_name.ts";
import type { BranchQuery, SharedBranch, TeamStore } from "./team_store.ts";

/** A branch of a shared session, with its full reference. */
export interface FoundBranch extends SharedBranch {
  /** `team:[owner/]ID[@n]`; the owner only of others' sessions. */
  ref: string;
}

/**
 * Finds the branch that a reference names, of what the user may read.
 *
 * @param store The connection.
 * @param owner The name under which it reads: what this member shares comes first.
 * @param ref `team:[owner/][agent:]ID[@n]`, or an id as on this machine.
 * @returns The branch, with its whole reference.
 * @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`; as the store.
 */
export async function findShared(
  store: TeamStore,
  owner: string,
  ref: string,
): Promise<FoundBranch> {
  const named = parseShared(ref, owner);
  const begins = beginnings(named);
  const found = async (query: BranchQuery): Promise<Named[]> =>
    fitting((await store.branches(query)).map((branch) => toNamed(branch, owner)), named);
  const own = named.owner !== undefined ? [] : await found({ mine: true, begins });
  const [only, ...others] = own.length > 0 ? own : await found({ begins, limit: MOST });
  if (only === undefined) throw notFound(ref);
  if (others.length > 0) {
    throw ambiguous(ref, [only, ...others].map(teamRef), "type more of the id");
  }
  return { ...only.branch, ref: teamRef(only) };
}

/** Chooses the sessions of the user that a reference names. */
export function namedSessions(
  sessions: readonly string[],
  owner: string,
  ref: string,
): string[] {
  return fitting(sessions.map((session) => ({ session, n: 1 })), parseShared(ref, owner))
    .map(({ session }) => session);
}

function parseShared(ref: string, owner: string): TeamRef {
  const parsed = parseRef(ref, AGENT_NAMES);
  if (parsed.kind !== "path") return withoutOwner({ ...parsed, kind: "team" }, owner);
  const message = `Cannot use reference "${ref}": give the id of a shared session, not a path`;
  throw new SessionError("invalid-ref", message, { ref });
}

/** Maximum branches to ask for. More matches would make the reference no more ambiguous. */
const MOST = 200;

/** Returns possible beginnings of a reference's ids. Other agents' ids begin with the agent. */
function beginnings({ agent, prefix }: { agent?: string; prefix: string }): string[] {
  if (agent !== undefined && agent !== REPRISE) return [`${agent}:${prefix}`];
  const forms = [...new Set([prefix, prefix.toLowerCase()])];
  if (agent === REPRISE) return forms;
  return forms.flatMap((form) => [form, ...AGENT_NAMES.map((name) => `${name}:${form}`)]);
}

/** Returns a reference without the user's own name, which own sessions do not have. */
function withoutOwner({ owner, ...named }: TeamRef, me: string): TeamRef {
  return present({ ...named, owner: owner === me ? undefined : owner });
}

interface Named {
  owner?: string;
  session: string;
  n: number;
  branch: SharedBranch;
}

function toNamed(branch: SharedBranch, me: string): Named {
  const { owner, session, n } = branch;
  return present({ session, n, branch, owner: owner === me ? undefined : owner });
}

function notFound(ref: string): SessionError {
  const message =
    `Cannot find session "${ref}" in the team's store; to list the store's sessions: ` +
    "reprise list --remote";
  return new SessionError("not-found", message, { ref });
}
