/** Finds the session that a hook quotes: the project's last one, or the one being compacted. */
import type { AgentName } from "../../core/event/agent_name.ts";
import { readHandovers } from "../../features/handover/handover_record.ts";
import type { Catalogue } from "../../library/catalogue/catalogue.ts";
import { LocatedFiles } from "../../library/catalogue/located_facts.ts";
import { lookAtSession, type SeenState } from "../../library/catalogue/session_state.ts";
import { summarized } from "../../library/query/find_candidates.ts";
import type { Library } from "../../library/library.ts";
import { loadLocator, tracedAgents } from "../../library/machine/locators.ts";
import { READ_COST, Turns } from "../../library/catalogue/turns.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { sessionDirectory } from "../../core/workspace/session_directory.ts";
import type { HookInput } from "./hook_input.ts";
import type { RecallGate } from "./recall_gate.ts";

/** A session with the latest time in milliseconds at which it may have been updated. */
interface Located {
  session: AgentSession;
  state: SeenState;
  latest: number;
}

export interface RecallSearch {
  library: Library;
  catalogue: Catalogue;
  gate: RecallGate;
  /** Ends the search without a result. What was already read stays in the cache. */
  signal: AbortSignal;
}

/**
 * Returns the last updated of the user's own sessions in these directories. Skips the hook's own
 * session, and sessions handed over, imported or started by another session.
 */
export async function lastSession(
  search: RecallSearch,
  directories: readonly string[],
  input: HookInput,
): Promise<Summary | undefined> {
  const { library, catalogue, signal } = search;
  const taken = takenSessions(library.place.root);
  const found: Located[] = [];
  for (const agent of agentsOf(search)) {
    for await (const one of located(search, agent, directories)) {
      const { id, path, archived } = one.session;
      const is_own = id === input.session_id || path === input.transcript_path;
      if (!is_own && !archived && !taken.has(`${agent}:${id}`)) found.push(one);
    }
  }
  found.sort((one, other) => other.latest - one.latest);
  let last: Summary | undefined;
  let updated = -Infinity;
  const turns = new Turns();
  for (const one of found) {
    if (one.latest < updated || signal.aborted) break;
    if (turns.isDue(READ_COST)) await turns.pass();
    const row = await rowOf(search, one);
    const at = Date.parse(row?.updated_at ?? "");
    if (row === undefined || !(at > updated) || !isTold(row, directories)) continue;
    if (!taken.has(`${row.agent}:${row.parent?.session_id}`)) [last, updated] = [row, at];
  }
  // The next start can then quote the session without reading it.
  catalogue.save();
  return signal.aborted ? undefined : last;
}

export async function currentSession(
  search: RecallSearch,
  { session_id, transcript_path }: HookInput,
): Promise<AgentSession | undefined> {
  if (session_id === undefined) return undefined;
  const found: AgentSession[] = [];
  for (const agent of agentsOf(search)) {
    for await (const { session } of located(search, agent)) {
      if (session.id === session_id && search.gate.admits(session)) found.push(session);
    }
  }
  return found.find(({ path }) => path === transcript_path) ?? found[0];
}

/** Returns the agents with own folders on this machine, not only with copies in Reprise's store. */
function agentsOf({ library, gate }: RecallSearch): AgentName[] {
  return tracedAgents(library.place.environment)
    .filter((name) => gate.foldersOf(name).length > 0);
}

async function* located(
  { library, catalogue, signal }: RecallSearch,
  agent: AgentName,
  directories?: readonly string[],
): AsyncGenerator<Located> {
  const { place: { environment }, kept } = library;
  const locator = await loadLocator(agent);
  const seen = new Map<string, SeenState>();
  const facts = kept.folder === undefined ? undefined : new LocatedFiles(kept, agent, seen);
  const turns = new Turns();
  const known = new Map<string, boolean>();
  const isHere = (cwd: string): boolean => {
    const is = known.get(cwd) ?? sessionDirectory(cwd)?.isIn(directories ?? []) ?? false;
    known.set(cwd, is);
    return is;
  };
  for await (const session of locator.locate(environment, { facts })) {
    if (turns.isDue()) await turns.pass();
    if (signal.aborted) break;
    const files = locator.files(session);
    if (files === undefined) continue;
    const state = lookAtSession(session, files, seen);
    const entry = catalogue.find(session, state);
    const cwd = entry?.cwd ?? session.cwd;
    const is_other = directories !== undefined && cwd !== undefined && !isHere(cwd);
    if (is_other || entry?.empty || entry?.imported || entry?.archived) continue;
    const latest = entry?.updated ?? state.changed;
    yield { session, state, latest: Number.isNaN(latest) ? -Infinity : latest };
  }
  facts?.save();
}

async function rowOf(
  { catalogue, gate }: RecallSearch,
  { session, state }: Located,
): Promise<Summary | undefined> {
  if (!gate.admits(session)) return undefined;
  const known = catalogue.find(session, state)?.row();
  if (known !== undefined) return known.summary ?? undefined;
  return await summarized(session, catalogue, state, () => {});
}

/** True for the user's own session in these directories that has a prompt and is not archived. */
function isTold(row: Summary, directories: readonly string[]): boolean {
  const { cwd, parent, imported_from, archived, first_user_message: first } = row;
  const is_own = imported_from === undefined && (parent?.reason ?? "fork") === "fork";
  return is_own && !archived && (row.last_user_message ?? first) !== undefined &&
    sessionDirectory(cwd)?.isIn(directories) === true;
}

/** Returns references of handed-over sessions, whose text other people may have written. */
function takenSessions(root: string | undefined): ReadonlySet<string> {
  const records = root === undefined ? [] : readHandovers(root);
  return new Set(records.map(({ agent, id }) => `${agent}:${id}`));
}
