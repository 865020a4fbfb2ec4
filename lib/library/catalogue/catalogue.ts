/**
 * Caches facts about every session on this machine, so that no session is read twice. Without the
 * cache, every answer is the same and takes longer. A row is used only while the session's files
 * are in the state in which they were read.
 */
import { present } from "../../core/event/present.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { isSubagent } from "../../core/store/subagents.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { type CatalogueOptions, isSettled } from "./catalogue_options.ts";
import { type CatalogueRow, parseRow } from "./catalogue_row.ts";
import { sumOf } from "./cache/cache_database.ts";
import { FACT_TABLES, type FactsDatabase, openFacts } from "./facts_database.ts";
import { putFacts } from "./read_facts.ts";
import type { PassedFiles } from "./kept_places.ts";
import { isFresh, type ReadPart } from "./read_part.ts";
import { isSameSession, sessionDigest } from "./session_key.ts";
import { isSameState, lookAtSession, type SeenState, type SessionState } from "./session_state.ts";

export interface CatalogueEntry {
  /** Digest of the session's name. */
  readonly key: number;
  /** Time of the session's last update in milliseconds. NaN if it is not known. */
  readonly updated: number;
  /** The session's working directory. Empty if it is not known. */
  readonly cwd: string;
  readonly archived: boolean;
  /** True if the session was made from another agent's session. */
  readonly imported: boolean;
  readonly subagent: boolean;
  /** True if the file holds no session. */
  readonly empty: boolean;
  /** True if the row was also made from files of other sessions, which must be unchanged, too. */
  readonly more: boolean;
  /** Returns the parsed row. Undefined if its bytes are damaged: then read the session again. */
  row(): CatalogueRow | undefined;
}

interface Kept extends CatalogueEntry {
  state: SessionState;
}

interface Put extends Kept {
  session: AgentSession;
  json: string;
  /**
   * Places at which a later read can begin. They replace the stored places.
   * @default {the stored places stay}
   */
  passed: PassedFiles | undefined;
}

const [ARCHIVED, IMPORTED, EMPTY, MORE, SUBAGENT] = [1, 2, 4, 8, 16] as const;

/** Number of rows to collect for one write. Rows of 100,000 sessions would take 600 MB. */
const MOST_UNSAVED = 8192;

const KNOWN = `SELECT key, agent, id, size, mtime, ctime, ino, others, updated, cwd, flags, sum
  FROM session WHERE agent = ?`;
const ROW = "SELECT json, sum FROM session_row WHERE key = ?";
const PUT = `INSERT OR REPLACE INTO session VALUES (
  :key, :agent, :id, :size, :mtime, :ctime, :ino, :others, :updated, :cwd, :flags, :sum)`;
const PUT_ROW = "INSERT OR REPLACE INTO session_row VALUES (?, ?, ?)";
const DROP = [
  ...["session", "session_row", ...FACT_TABLES]
    .map((table) => `DELETE FROM ${table} WHERE key = ?`),
  "DELETE FROM response WHERE session = ?",
];

/** True if a row was made from no files of other sessions, or these files are unchanged. */
function isWhole(session: AgentSession, entry: CatalogueEntry): boolean {
  if (!entry.more) return true;
  const { more } = entry.row() ?? {};
  return more !== undefined && isFresh(session, more);
}

export class Catalogue implements Disposable {
  readonly #kept: CatalogueOptions;
  readonly #facts: FactsDatabase;
  /** The sessions of each requested agent, by their keys. */
  readonly #known = new Map<string, Map<number, Kept>>();
  readonly #seen = new Set<number>();
  readonly #puts = new Map<number, Put>();
  readonly #unsaved = new Set<number>();
  readonly #complete = new Set<string>();

  /** Opens the catalogue of a cache folder. A missing or damaged catalogue is empty. */
  constructor(kept: CatalogueOptions = {}) {
    this.#kept = kept;
    this.#facts = openFacts(kept);
  }

  /**
   * Returns the entry of a session, if its files are in the state in which they were read.
   *
   * @param state The current state of the files, from {@linkcode lookAtSession}.
   */
  find(session: AgentSession, state: SeenState): CatalogueEntry | undefined {
    const key = sessionDigest(session);
    this.#seen.add(key);
    const entry = this.#puts.get(key) ?? this.#knownOf(session.agent).get(key);
    if (entry === undefined || !isSameState(entry.state, state)) return undefined;
    return isWhole(session, entry) ? entry : undefined;
  }

  #knownOf(agent: string): ReadonlyMap<number, Kept> {
    let known = this.#known.get(agent);
    if (known !== undefined) return known;
    this.#known.set(agent, known = new Map());
    try {
      for (const row of this.#facts.prepare(KNOWN).iterate(agent)) {
        const one = this.#decode(row as unknown as SessionColumns);
        if (one !== undefined) known.set(one.key, one);
      }
    } catch {
      // Damaged: the rows that were read before count.
    }
    return known;
  }

  #decode({ sum, ...columns }: SessionColumns): Kept | undefined {
    if (sum !== sumOf(Object.values(columns))) return undefined;
    const { key, size, mtime, ctime, ino, others, updated, cwd, flags } = columns;
    return {
      ...{ key, cwd, state: { size, mtime, ctime, ino, others } },
      updated: updated ?? NaN,
      archived: (flags & ARCHIVED) > 0,
      imported: (flags & IMPORTED) > 0,
      subagent: (flags & SUBAGENT) > 0,
      empty: (flags & EMPTY) > 0,
      more: (flags & MORE) > 0,
      row: () => this.#row(key),
    };
  }

  /**
   * Runs a function in one transaction, so that SQLite locks the file once and not for each read.
   */
  reading<Rows>(read: () => Rows): Rows {
    return this.#facts.ask(read);
  }

  #row(key: number): CatalogueRow | undefined {
    try {
      return storedRow(this.#facts, key);
    } catch {
      // Damaged, or closed: the session itself is read.
      return undefined;
    }
  }

  /** Returns the last row of a session, even if the session's files have changed since. */
  lastRow(session: AgentSession): CatalogueRow | undefined {
    const key = sessionDigest(session);
    const row = this.#puts.get(key)?.row() ?? this.#row(key);
    return row !== undefined && isSameSession(row.session, session) ? row : undefined;
  }

  /**
   * Stores the summary that was read from a session's beginning and end. Keeps the counts that an
   * earlier read of the whole session gave.
   *
   * @param state The state of the files before the session was read, so that a change meanwhile is
   * noticed.
   * @param summary Undefined if the file holds no session.
   * @param more Files of other sessions that were read for the summary.
   */
  put(
    session: AgentSession,
    state: SeenState,
    summary: Summary | undefined,
    more: readonly string[] = [],
  ): void {
    const row: CatalogueRow = { session, summary: summary ?? null };
    const read = this.lastRow(session)?.read;
    if (read !== undefined) row.read = { ...read, whole: false };
    if (more.length === 0) return this.#put(session, state, row);
    const { changed, ...of } = lookAtSession(session, more);
    row.more = { files: more, state: of };
    this.#put(session, { ...state, changed: Math.max(changed, state.changed) }, row);
  }

  /**
   * Stores the counts from a read of the whole session, with the session's row.
   *
   * @param state The state of the files before the summary was read.
   * @param read The counts, and the state of the session's files before the counts were read.
   * @param passed Offsets from which a later read can resume. They replace the stored offsets.
   */
  putRead(
    session: AgentSession,
    state: SeenState,
    summary: Summary,
    read: ReadPart,
    passed?: PassedFiles,
  ): void {
    const { more } = this.lastRow(session) ?? {};
    this.#put(session, state, present({ session, summary, read, more }), passed);
  }

  #put(
    session: AgentSession,
    seen: SeenState,
    row: CatalogueRow,
    passed?: PassedFiles,
  ): void {
    if (this.#kept.folder === undefined) return;
    const { summary, more } = row;
    // A session that is being written changes soon. The state of its files does not show whether it
    // is.
    if (summary?.status === "running" || !isSettled(seen, this.#kept)) return;
    const { changed: _, ...state } = seen;
    const key = sessionDigest(session);
    const json = JSON.stringify(row);
    this.#puts.set(key, {
      ...{ key, session, state, json, passed },
      updated: Date.parse(summary?.updated_at ?? ""),
      // SQLite ends a text at a NUL, and no path has one.
      cwd: summary?.cwd?.includes("\0") ? "" : summary?.cwd ?? "",
      archived: summary?.archived ?? false,
      imported: summary?.imported_from !== undefined,
      subagent: isSubagent(summary),
      empty: summary === null,
      more: more !== undefined,
      row: () => parseRow(json),
    });
    this.#unsaved.add(key);
    if (this.#unsaved.size % MOST_UNSAVED === 0) this.#saveRows();
  }

  /** Writes the new rows to the database. From then on, they are read from there. */
  #saveRows(): void {
    const puts = [...this.#unsaved].flatMap((key) => this.#puts.get(key) ?? []);
    for (const { session } of puts) this.#knownOf(session.agent);
    if (!this.#facts.write(() => puts.forEach((one) => putSession(this.#facts, one)))) return;
    this.#unsaved.clear();
    for (const one of puts) this.#release(one);
  }

  #release({ session: { agent }, json: _json, passed: _passed, row: _row, ...one }: Put): void {
    const { key } = one;
    this.#puts.delete(key);
    this.#known.get(agent)?.set(key, { ...one, row: () => this.#row(key) });
  }

  /** Records that an agent's sessions were all looked up. Rows of missing sessions can then go. */
  sawAll(agent: string): void {
    this.#complete.add(agent);
  }

  /** Yields the entries of some agents, unordered. Files may have changed since the read. */
  *entries(agents: readonly string[]): Generator<CatalogueEntry> {
    for (const agent of agents) {
      for (const one of this.#knownOf(agent).values()) if (!one.empty) yield one;
    }
  }

  /**
   * Writes the new rows. Does nothing if the folder cannot be written. Keeps what another process
   * wrote or removed meanwhile.
   */
  save(): void {
    const gone = this.#goneKeys();
    if (this.#unsaved.size + gone.length === 0) return;
    const facts = this.#facts;
    const is_written = facts.write(() => {
      for (const key of gone) for (const sql of DROP) facts.prepare(sql).run(key);
      for (const key of this.#unsaved) putSession(facts, this.#puts.get(key));
    });
    if (is_written) this.#unsaved.clear();
  }

  #goneKeys(): number[] {
    return [...this.#complete].flatMap((agent) => [...this.#knownOf(agent).keys()])
      .filter((key) => !this.#seen.has(key) && !this.#puts.has(key));
  }

  /** Closes the database. Unsaved rows are lost. */
  [Symbol.dispose](): void {
    this.#facts[Symbol.dispose]();
  }
}

function storedRow(facts: FactsDatabase, key: number): CatalogueRow | undefined {
  const { json, sum } = facts.prepare(ROW).get(key) ?? {};
  const text = String(json);
  return sum === sumOf([key, text]) ? parseRow(text) : undefined;
}

/** Returns the JSON of a row, together with counts that another process stored meanwhile. */
function joinedJson(facts: FactsDatabase, { key, json }: Put): string {
  const kept = storedRow(facts, key)?.read;
  const row = kept && parseRow(json);
  if (kept === undefined || row === undefined) return json;
  const { read = { ...kept, whole: false } } = row;
  if (!isSameState(read.state, kept.state)) return json;
  return JSON.stringify({ ...row, read: { ...read, counts: { ...kept.counts, ...read.counts } } });
}

/** The columns of a session, in the order in which the checksum covers them. */
interface SessionColumns extends SessionState {
  key: number;
  agent: string;
  id: string;
  updated: number | null;
  cwd: string;
  flags: number;
  sum: number;
}

function putSession(facts: FactsDatabase, put: Put | undefined): void {
  // If the session was deleted since it was read, its row must not come back.
  if (put === undefined || lookAtSession(put.session).size < 0) return;
  const { key, session: { agent, id }, state, updated, cwd } = put;
  const { size, mtime, ctime, ino, others } = state;
  const flags = (put.archived ? ARCHIVED : 0) | (put.imported ? IMPORTED : 0) |
    (put.subagent ? SUBAGENT : 0) | (put.empty ? EMPTY : 0) | (put.more ? MORE : 0);
  const columns = {
    ...{ key, agent, id, size, mtime, ctime, ino, others },
    ...{ updated: Number.isNaN(updated) ? null : updated, cwd, flags },
  };
  facts.prepare(PUT).run({ ...columns, sum: sumOf(Object.values(columns)) });
  const json = joinedJson(facts, put);
  facts.prepare(PUT_ROW).run(key, json, sumOf([key, json]));
  const { passed } = put;
  if (passed?.places === undefined) return;
  putFacts(facts, "place", put.session, passed, { places: passed.places });
}
