/** Describes an entry of a query: a session that is found, selected and listed. */
import type { Summary } from "../../core/projection/summary_row.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import type { CatalogueEntry } from "../catalogue/catalogue.ts";
import type { CatalogueOptions } from "../catalogue/catalogue_options.ts";
import type { ReadPart } from "../catalogue/read_part.ts";
import type { SeenState } from "../catalogue/session_state.ts";
import type { LibraryPlace } from "../catalogue/library_place.ts";
import type { SessionEntry } from "./query.ts";
import { isShared } from "../machine/pulled/team_sessions.ts";
import { openReader } from "../machine/registry.ts";
import type { SessionHandle } from "../handle/session_handle.ts";

/** The facts by which sessions are selected and sorted, from the catalogue or from a summary. */
export type CandidateFacts = Pick<
  CatalogueEntry,
  "updated" | "cwd" | "archived" | "imported" | "subagent" | "row"
>;

/** A row without counts and status, and the result of an earlier read of the whole session. */
export interface ListedRow {
  /** The summary, with the user's marks. It is read from the session's start and end alone. */
  row: Summary;
  read: ReadPart | undefined;
}

type FillRows = (source: RowSource, candidates: readonly Candidate[]) => Promise<void>;

export class RowSource {
  readonly place: LibraryPlace;
  readonly kept: CatalogueOptions;
  readonly #fillRows: FillRows;
  #waiting: Candidate[] = [];
  #filled: Promise<void> | undefined;

  constructor(place: LibraryPlace, kept: CatalogueOptions, fillRows: FillRows) {
    this.place = place;
    this.kept = kept;
    this.#fillRows = fillRows;
  }

  /** Reads rows that are requested at the same time together. */
  async fill(one: Candidate): Promise<void> {
    this.#waiting.push(one);
    await (this.#filled ??= this.#fillWaiting());
  }

  async #fillWaiting(): Promise<void> {
    // By then, all entries that were requested at once are in the list.
    await Promise.resolve();
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#filled = undefined;
    await this.#fillRows(this, waiting);
  }

  async open(session: AgentSession): Promise<SessionHandle> {
    const { SessionHandle } = await import("../handle/session_handle.ts");
    const { place, kept } = this;
    return new SessionHandle(await openReader(session), place.root, { place, kept });
  }
}

/** A session that a query found. Its row is parsed only if needed, because there may be 100,000. */
export class Candidate implements SessionEntry {
  /**
   * The row without counts and status. Undefined if only the catalogue has the row. Set if the row
   * has marks, was just read, or got `copy_of` or `copies`.
   */
  listed: ListedRow | undefined;
  /** The row with counts and status, as lists show it; undefined before both were added. */
  shown: Summary | undefined;
  readonly session: AgentSession;
  readonly state: SeenState | undefined;
  readonly #source: RowSource;
  readonly #facts: CandidateFacts;

  constructor(
    source: RowSource,
    session: AgentSession,
    facts: CandidateFacts,
    state?: SeenState,
  ) {
    this.session = session;
    this.state = state;
    this.#source = source;
    this.#facts = facts;
  }

  get ref(): string {
    return sessionRef(this.session);
  }

  get cwd(): string | undefined {
    // A copy of a team's session has no path of this machine.
    return isShared(this.session) ? this.session.cwd : this.#facts.cwd || undefined;
  }

  get updated(): number {
    return this.#facts.updated;
  }

  get archived(): boolean {
    return this.#facts.archived;
  }

  /** True for a subagent's session of Reprise, which lists leave out. */
  get subagent(): boolean {
    return this.#facts.subagent;
  }

  get imported(): boolean {
    return this.#facts.imported;
  }

  /** Returns the row without counts and status; undefined if the catalogue's row is unreadable. */
  known(): ListedRow | undefined {
    if (this.listed !== undefined) return this.listed;
    const { summary, read } = this.#facts.row() ?? {};
    if (summary == null) return undefined;
    // Each text is held once, because there may be 100,000 rows.
    if (summary.path === this.session.path) summary.path = this.session.path;
    if (summary.session_id === this.session.id) summary.session_id = this.session.id;
    return { row: summary, read };
  }

  async row(): Promise<Summary | undefined> {
    if (this.shown === undefined) await this.#source.fill(this);
    return this.shown;
  }

  async open(): Promise<SessionHandle> {
    return await this.#source.open(this.session);
  }
}

/** Returns the rows in the order of the entries. Leaves out sessions that cannot be read. */
export async function rowsOf(entries: readonly SessionEntry[]): Promise<Summary[]> {
  // Together, so that the catalogue is opened once. A promise for each of 100,000 is slow.
  const asked = entries.map((entry) => (entry as Partial<Candidate>).shown ?? entry.row());
  const rows: Summary[] = [];
  for (const one of asked) {
    const row = one instanceof Promise ? await one : one;
    if (row !== undefined) rows.push(row);
  }
  return rows;
}
