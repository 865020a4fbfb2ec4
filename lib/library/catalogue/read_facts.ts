/**
 * Stores facts that need a read of the whole session. A row names the files that were read, and
 * their state before the read.
 */
import { SessionError } from "../../core/event/session_error.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { sumOf } from "./cache/cache_database.ts";
import { descriptorOf, openReader } from "../machine/registry.ts";
import { Turns } from "./turns.ts";
import { type CatalogueOptions, isSettled } from "./catalogue_options.ts";
import type { FACT_TABLES, FactsDatabase } from "./facts_database.ts";
import type { ReadFiles } from "./read_part.ts";
import { sessionDigest } from "./session_key.ts";
import { isSameState, lookAtSession, type SeenState } from "./session_state.ts";

type FactTable = typeof FACT_TABLES[number];

export interface SeenFiles extends ReadFiles {
  state: SeenState;
}

/** A session, and the state of its files if a list has just looked at them. */
interface ListedSession {
  session: AgentSession;
  state?: SeenState | undefined;
}

export interface LookedUp<Facts> {
  session: AgentSession;
  /** The session's files and their state. Undefined if the files are not known. */
  files: SeenFiles | undefined;
  /** The facts from the last read of the whole session. Undefined if its files have changed. */
  facts: Facts | undefined;
}

export async function lookUp<Facts>(
  database: FactsDatabase,
  table: FactTable,
  sessions: readonly ListedSession[],
): Promise<LookedUp<Facts>[]> {
  const known = findFacts<Facts>(database, table, sessions.map(({ session }) => session));
  const found: LookedUp<Facts>[] = [];
  const turns = new Turns();
  for (const one of sessions) {
    if (turns.isDue()) await turns.pass();
    const { session } = one;
    const row = known.get(sessionDigest(session));
    const files = row && sameFiles(session, row) || await lookAtFiles(one);
    const facts = row && files && isSameState(row.state, files.state) ? row : undefined;
    found.push({ session, files, facts });
  }
  return found;
}

/** Returns the state of a session's known files. Undefined if one changed or new ones may exist. */
function sameFiles(session: AgentSession, { files, state }: ReadFiles): SeenFiles | undefined {
  if (!descriptorOf(session.agent).names_files) return undefined;
  const now = lookAtSession(session, files);
  return isSameState(state, now) ? { files, state: now } : undefined;
}

async function lookAtFiles({ session, state }: ListedSession): Promise<SeenFiles | undefined> {
  try {
    const reader = await openReader(session);
    const files = (await reader.files())?.paths;
    if (files === undefined) return undefined;
    // A list already looked at all files of a Reprise log.
    const listed = reader.log === undefined ? undefined : state;
    return { files, state: listed ?? lookAtSession(session, files) };
  } catch (error) {
    // Reading the session reports why.
    if (!(error instanceof SessionError)) throw error;
    return undefined;
  }
}

/** Returns the stored facts of a session. Its files may have changed since. */
export function findFact<Facts>(
  database: FactsDatabase,
  table: FactTable,
  session: AgentSession,
): Facts & ReadFiles | undefined {
  return findFacts<Facts>(database, table, [session]).get(sessionDigest(session));
}

/** Returns the stored facts of sessions, by {@linkcode sessionDigest}. */
function findFacts<Facts>(
  database: FactsDatabase,
  table: FactTable,
  sessions: readonly AgentSession[],
): Map<number, Facts & ReadFiles> {
  const found = new Map<number, Facts & ReadFiles>();
  // A statement for each session would take long.
  const sql =
    `SELECT one.* FROM json_each(?) AS asked JOIN ${table} AS one ON one.key = asked.value`;
  try {
    for (const row of database.prepare(sql).iterate(JSON.stringify(sessions.map(sessionDigest)))) {
      const { key, agent, id, json, sum } = row;
      if (sum !== sumOf([key, agent, id, json])) {
        throw new TypeError("A row of the cache is damaged");
      }
      found.set(Number(key), JSON.parse(String(json)) as Facts & ReadFiles);
    }
  } catch {
    // Damaged, or another process writes for long: the other sessions are read.
    database.examine();
  }
  return found;
}

/**
 * Stores the facts from reads of sessions. Skips a session that changed just now, and a session
 * that was deleted since it was read.
 */
export function keepFacts<Facts extends object>(
  database: FactsDatabase,
  table: FactTable,
  kept: CatalogueOptions,
  reads: readonly LookedUp<Facts>[],
): void {
  const settled = reads.filter(({ files }) => files !== undefined && isSettled(files.state, kept));
  if (kept.folder === undefined || settled.length === 0) return;
  database.write(() => {
    for (const { session, files, facts } of settled) {
      if (files === undefined || facts === undefined || lookAtSession(session).size < 0) continue;
      putFacts(database, table, session, files, facts);
    }
  });
}

/**
 * Replaces the row of a session, within a write transaction.
 *
 * @param value The facts from the read, without the read files and their state.
 */
export function putFacts(
  database: FactsDatabase,
  table: FactTable,
  session: AgentSession,
  { files, state: { changed: _, ...state } }: ReadFiles & { state: Partial<SeenState> },
  value: object,
): void {
  const json = JSON.stringify({ ...value, files, state });
  const [key, { agent, id }] = [sessionDigest(session), session];
  database.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?, ?, ?)`)
    .run(key, agent, id, json, sumOf([key, agent, id, json]));
}
