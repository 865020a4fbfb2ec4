/**
 * The sessions of a machine before any is shown. Each comes from the catalogue or was read. Only
 * those that are shown get a row.
 */
import type { AgentName } from "../event/agent_name.ts";
import { present } from "../event/present.ts";
import { SessionError } from "../event/session_error.ts";
import type { Summary } from "../projection/summary_row.ts";
import { type Marks, withMarks } from "../session/marks.ts";
import type { AgentSession, SessionReader } from "../source/agent.ts";
import { sessionRef } from "../source/session_name.ts";
import type { Catalogue, CatalogueEntry } from "./catalogue/catalogue.ts";
import type { CatalogueRow } from "./catalogue/catalogue_row.ts";
import type { CatalogueOptions } from "./catalogue/catalogue_options.ts";
import { LocatedFile } from "./catalogue/located_file.ts";
import type { ReadPart } from "./catalogue/read_part.ts";
import { sessionDigest } from "./catalogue/session_key.ts";
import { lookAtSession, type SeenState } from "./catalogue/session_state.ts";
import type { LibraryPlace } from "./library_place.ts";
import { locateWithKept } from "./kept/kept_sessions.ts";
import { loadLocator, type Locator } from "./locators.ts";
import { openReader } from "./registry.ts";
import type { LiveSessions } from "./running/live_sessions.ts";
import { READ_COST, Turns } from "./turns.ts";

/** A session, and what a list shows of it. */
export interface ListedSession {
  /** What opens it. */
  session: AgentSession;
  /** What a list shows of it, with its marks. */
  row: Summary;
  /** What somebody who read the whole has told of it. */
  read?: ReadPart;
}

/** A session that may be shown: what decides it is there, its row is parsed when it is asked for. */
export type Candidate =
  & Pick<CatalogueEntry, "updated" | "cwd" | "archived" | "imported" | "row">
  & {
    /** With its marks, where it has any or was read just now. */
    listed?: ListedSession;
    /** The session and its files' state, for who asked for them. */
    located?: Located;
  };

/** A session that was located, and the state in which its files were seen. */
export interface Located {
  /** What opens it. */
  session: AgentSession;
  /** The state of its files. */
  state: SeenState;
}

/** A session as it is listed; undefined where the catalogue's row is damaged. */
export function listedOf(candidate: Candidate): ListedSession | undefined {
  if (candidate.listed !== undefined) return candidate.listed;
  const { session, summary, read } = candidate.row() ?? {};
  if (session === undefined || summary === null || summary === undefined) return undefined;
  return present({ session, row: summary, read });
}

/** What a listing is made of. */
export interface ListingSource {
  place: LibraryPlace;
  catalogue: Catalogue;
  /** Where what was read to locate sessions is kept. */
  kept: CatalogueOptions;
  marks: Marks;
  /** Tells which of them run now. */
  live: LiveSessions;
  /** Gets what could not be read. */
  onError: (error: SessionError) => void;
  /** Tell of each candidate what opens it, before its row is asked for. @default {false} */
  located?: boolean;
}

/** Finds the sessions of some agents; reads the ends of those that the catalogue does not know. */
export async function candidatesOf(
  source: ListingSource,
  agents: readonly AgentName[],
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  // An agent may list a session for several directories.
  const known = new Set<number>();
  for (const name of agents) {
    const locator = await loadLocator(name);
    try {
      await addCandidates(source, name, locator, { found, known });
      source.catalogue.sawAll(name);
    } catch (error) {
      // One agent's folder that cannot be read must not hide the others.
      if (!(error instanceof SessionError)) throw error;
      source.onError(error);
    }
  }
  return found;
}

async function addCandidates(
  source: ListingSource,
  name: AgentName,
  locator: Locator,
  { found, known }: { found: Candidate[]; known: Set<number> },
): Promise<void> {
  const { catalogue, kept: { folder, ...kept }, marks, place, onError } = source;
  const seen = new Map<string, SeenState>();
  const facts = folder === undefined ? undefined : new LocatedFile({ ...kept, folder }, name, seen);
  const options = facts === undefined ? {} : { facts };
  const turns = new Turns();
  for await (const session of locateWithKept(locator, name, place.environment, options)) {
    if (turns.isDue()) await turns.pass();
    const files = locator.files(session);
    // Of one file a table of those that were seen would only grow.
    const state = files === undefined ? undefined : lookAtSession(
      session,
      files,
      files.length > 1 || seen.has(session.path) ? seen : undefined,
    );
    const entry = state === undefined ? undefined : catalogue.find(session, state);
    const key = entry?.key ?? sessionDigest(session);
    const known_count = known.size;
    if (known.add(key).size === known_count) continue;
    const isMarked = marks.relinks !== undefined || marks.has(sessionRef(session));
    if (entry !== undefined && !isMarked) {
      if (entry.empty) continue;
      // A hundred thousand of them are held only where somebody wants them.
      const is = source.located === true && state !== undefined;
      found.push(is ? new LocatedCandidate(entry, session, state) : entry);
      continue;
    }
    const row = entry?.row();
    if (row === undefined && turns.isDue(READ_COST)) await turns.pass();
    const summary = row === undefined
      ? await summarized(session, catalogue, state, onError)
      : row.summary ?? undefined;
    if (summary === undefined) continue;
    const listed = { session, row: withMarks(summary, marks) };
    // What was read of an older state is told apart when it is shown.
    const read = row?.read ?? catalogue.lastRow(session)?.read;
    const located = source.located && state !== undefined ? { session, state } : undefined;
    found.push(readCandidate(read === undefined ? listed : { ...listed, read }, located));
  }
  facts?.save();
}

/** Reads the ends of a session, and keeps what they tell. */
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
    onError(error);
    return undefined;
  }
}

/** The files of other sessions that a fork is read from; undefined where that cannot be told. */
async function otherFiles(reader: SessionReader): Promise<readonly string[] | undefined> {
  return (await reader.files())?.paths.filter((path) => path !== reader.session.path);
}

/** A session of the catalogue, with what opens it: one object each, for there may be 100,000. */
class LocatedCandidate implements Candidate, Located {
  readonly session: AgentSession;
  readonly state: SeenState;
  readonly #entry: CatalogueEntry;

  constructor(entry: CatalogueEntry, session: AgentSession, state: SeenState) {
    this.#entry = entry;
    this.session = session;
    this.state = state;
  }

  get located(): Located {
    return this;
  }

  get updated(): number {
    return this.#entry.updated;
  }

  get cwd(): string {
    return this.#entry.cwd;
  }

  get archived(): boolean {
    return this.#entry.archived;
  }

  get imported(): boolean {
    return this.#entry.imported;
  }

  row(): CatalogueRow | undefined {
    return this.#entry.row();
  }
}

function readCandidate(listed: ListedSession, located: Located | undefined): Candidate {
  const { row } = listed;
  return present({
    updated: Date.parse(row.updated_at ?? ""),
    cwd: row.cwd ?? "",
    archived: row.archived,
    imported: row.imported_from !== undefined,
    row: () => undefined,
    listed,
    located,
  });
}
