/**
 * Locates sessions and their directories for readers that show no list. No row is parsed, and no
 * writer is looked up.
 */
import { type AgentName, REPRISE } from "../event/agent_name.ts";
import type { Summary } from "../projection/summary_row.ts";
import type { AgentSession } from "../source/agent.ts";
import { sessionRef } from "../source/session_name.ts";
import type { SeenState } from "./catalogue/session_state.ts";
import { type EntryOptions, wantedCandidates } from "./list_entries.ts";
import { type Candidate, candidatesOf, listedOf, type ListingSource } from "./listing.ts";

/** A session, and what is known of it without its row. */
export interface LocatedEntry {
  /** The session, to be opened. */
  session: AgentSession;
  /** Its reference, and its directory where it is known. */
  row: Pick<Summary, "ref" | "cwd">;
  /** The time of its last update, as a list says: milliseconds since 1970; NaN where nothing tells. */
  updated: number;
  /** The state of its files as it was looked at just now; absent where nobody had to look. */
  state?: SeenState;
}

/** The sessions that were located. */
export interface LocatedEntries {
  /** The newest update first. */
  entries: LocatedEntry[];
  /** True where the directories have none and those of all others are told. */
  widened: boolean;
}

/** Locates sessions; undefined where a row of the catalogue is damaged: then it is not to be used. */
export async function locateEntries(
  source: ListingSource,
  agents: readonly AgentName[],
  options: EntryOptions,
): Promise<LocatedEntries | undefined> {
  const { wanted, widened } = wantedCandidates(
    await candidatesOf({ ...source, located: true }, agents),
    options,
  );
  const entries = wanted.map(toEntry);
  if (!entries.every((entry) => entry !== undefined)) return undefined;
  const held = wanted.some(({ imported }) => imported)
    ? await heldOf(wanted, entries)
    : new Set<string>();
  if (held === undefined) return undefined;
  const left = held.size === 0 ? entries : entries.filter(({ row: { ref } }) => !held.has(ref));
  return { entries: left.slice(0, options.limit ?? left.length), widened };
}

function toEntry({ located, listed, cwd, updated }: Candidate): LocatedEntry | undefined {
  if (listed !== undefined) {
    const { session, row } = listed;
    return {
      session,
      row,
      updated,
      ...(located?.state === undefined ? {} : { state: located.state }),
    };
  }
  if (located === undefined) return undefined;
  const { session, state } = located;
  const ref = sessionRef(session);
  return { session, row: cwd === "" ? { ref } : { ref, cwd }, updated, state };
}

/** The references of sessions that another one holds whole; undefined where a row is damaged. */
async function heldOf(
  candidates: readonly Candidate[],
  entries: readonly LocatedEntry[],
): Promise<ReadonlySet<string> | undefined> {
  const copies = candidates.filter(({ imported }) => imported).map(listedOf);
  if (!copies.every((copy) => copy !== undefined)) return undefined;
  const { relate } = await import("./listed_copies.ts");
  const imports = copies.flatMap(({ row: { ref, path, agent, imported_from } }) =>
    agent === REPRISE && imported_from !== undefined ? [{ ref, path, imported_from }] : []
  );
  const originals = new Map(
    entries.map(({ session: { path }, row: { ref } }) => [ref, { ref, path }]),
  );
  return relate(imports, originals).held;
}
