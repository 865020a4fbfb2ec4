/** Finds the sessions of agents. Reads the start and end of sessions that the catalogue lacks. */
import { type AgentName, REPRISE } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { withMarks } from "../../core/store/marks.ts";
import { isSubagent } from "../../core/store/subagents.ts";
import type { AgentSession, LocateOptions, SessionReader } from "../../agents/contract/agent.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import { Candidate } from "./candidate.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { LocatedFiles } from "../catalogue/located_facts.ts";
import { sessionDigest } from "../catalogue/session_key.ts";
import { lookAtSession, type SeenState } from "../catalogue/session_state.ts";
import { locateGone } from "../machine/gone_sessions.ts";
import type { Listing } from "./listing.ts";
import { locateWithKept } from "../machine/kept/kept_sessions.ts";
import { loadLocator, type Locator } from "../machine/locators.ts";
import { isShared, teamSessions } from "../machine/pulled/team_sessions.ts";
import { openReader } from "../machine/registry.ts";
import { READ_COST, Turns } from "../catalogue/turns.ts";

interface FindOptions {
  /** True to keep the states of files, for callers that read the sessions. */
  with_state: boolean;
  /** Milliseconds since 1970; known sessions with an earlier last update are left out. */
  since: number;
  /** True to find deleted sessions instead of existing ones. @default {false} */
  gone?: boolean | undefined;
  /** True to find copies that members of the user's team share. @default {false} */
  members?: boolean | undefined;
}

export async function findCandidates(
  listing: Listing,
  agents: readonly AgentName[],
  options: FindOptions,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  // An agent may list a session for several directories.
  const known = new Set<number>();
  for (const name of agents) {
    const locator = await loadLocator(name);
    try {
      await addCandidates(listing, name, locator, { ...options, found, known });
      listing.catalogue.sawAll(name);
    } catch (error) {
      // One agent's folder that cannot be read must not hide the others.
      if (!(error instanceof SessionError)) throw error;
      listing.onError(namingAgent(error, name));
    }
  }
  return found;
}

async function addCandidates(
  { source, catalogue, marks, onError }: Listing,
  name: AgentName,
  locator: Locator,
  { found, known, with_state, since, gone, members }: FindOptions & {
    found: Candidate[];
    known: Set<number>;
  },
): Promise<void> {
  const { place, kept } = source;
  const seen = new Map<string, SeenState>();
  const facts = kept.folder === undefined ? undefined : new LocatedFiles(kept, name, seen);
  const turns = new Turns();
  const located = gone
    ? locateGone(name, place.environment)
    : locateAll(locator, name, place.environment, { facts });
  for await (const session of located) {
    if (turns.isDue()) await turns.pass();
    const files = locator.files(session);
    // For sessions of one file, a table of the files that were seen would only grow.
    const state = files === undefined ? undefined : lookAtSession(
      session,
      files,
      files.length > 1 || seen.has(session.path) ? seen : undefined,
    );
    const entry = state === undefined ? undefined : catalogue.find(session, state);
    // The catalogue keeps shared sessions, whoever asks.
    if (isShared(session) && !members) continue;
    const key = entry?.key ?? sessionDigest(session);
    const known_count = known.size;
    if (known.add(key).size === known_count) continue;
    const kept_state = with_state ? state : undefined;
    const isMarked = marks.relinks !== undefined || marks.has(sessionRef(session));
    if (entry !== undefined && !isMarked) {
      if (entry.empty || entry.updated < since) continue;
      found.push(new Candidate(source, session, entry, kept_state));
      continue;
    }
    const row = entry?.row();
    if (row === undefined && turns.isDue(READ_COST)) await turns.pass();
    const summary = row === undefined
      ? await summarized(session, catalogue, state, onError)
      : row.summary ?? undefined;
    if (summary === undefined) continue;
    // Counts of an older state are recognized when the row is shown.
    const read = row?.read ?? catalogue.lastRow(session)?.read;
    found.push(
      readCandidate(source, session, kept_state, { row: withMarks(summary, marks), read }),
    );
  }
  facts?.save();
}

async function* locateAll(
  locator: Locator,
  name: AgentName,
  environment: AgentEnvironment,
  options: LocateOptions,
): AsyncGenerator<AgentSession> {
  yield* locateWithKept(locator, name, environment, options);
  if (name === REPRISE) yield* teamSessions(environment.root);
}

function readCandidate(
  source: Listing["source"],
  session: AgentSession,
  state: SeenState | undefined,
  listed: NonNullable<Candidate["listed"]>,
): Candidate {
  const { updated_at = "", cwd = "", archived, imported_from } = listed.row;
  const imported = imported_from !== undefined;
  const subagent = isSubagent(listed.row);
  const updated = Date.parse(updated_at);
  const facts = { updated, cwd, archived, imported, subagent, row: () => undefined };
  const candidate = new Candidate(source, session, facts, state);
  candidate.listed = listed;
  return candidate;
}

/** Reads a session's summary and stores it in the catalogue. Errors go to `onError`. */
export async function summarized(
  session: AgentSession,
  catalogue: Catalogue,
  state: SeenState | undefined,
  onError: (error: SessionError) => void,
): Promise<Summary | undefined> {
  try {
    const reader = await openReader(session);
    const summary = await reader.summarize();
    if (state !== undefined) {
      const more = summary?.parent === undefined ? [] : await otherFiles(reader);
      if (more !== undefined) catalogue.put(session, state, summary, more);
    }
    return summary;
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    onError(namingAgent(error, session.agent));
    return undefined;
  }
}

function namingAgent({ code, message, data, cause }: SessionError, agent: AgentName): SessionError {
  const text = message.replace(/^Cannot read (?:database|session)(?=:)/, `$& of ${agent}`);
  return new SessionError(code, text, data, cause);
}

/** Returns the files of other sessions that a fork is read from; undefined if not known. */
async function otherFiles(reader: SessionReader): Promise<readonly string[] | undefined> {
  return (await reader.files())?.paths.filter((path) => path !== reader.session.path);
}
