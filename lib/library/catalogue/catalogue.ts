/**
 * Caches facts of every session on this machine, so that none is read twice. It holds no truth:
 * without it, every answer is the same and takes longer. A row is used only while the session's
 * files are in the state in which they were read.
 */
import type { Summary } from "../../projection/summary_row.ts";
import type { AgentSession } from "../../source/agent.ts";
import { CatalogueFile, keptEntry, type NewEntry, replaceCatalogue } from "./catalogue_file.ts";
import { type CatalogueOptions, programOf, SETTLED_MS } from "./catalogue_options.ts";
import { type CatalogueRow, decodeRow, encodeRow } from "./catalogue_row.ts";
import { isFresh, type ReadPart } from "./read_part.ts";
import { lockCatalogue } from "./replace_file.ts";
import { isSameSession, sessionDigest } from "./session_key.ts";
import { isSameState, lookAtSession, type SeenState } from "./session_state.ts";

/** A session as the catalogue has it. */
export interface CatalogueEntry {
  /** Digest of the session's name. */
  readonly key: number;
  /** Milliseconds: the last update; NaN where it is not known. */
  readonly updated: number;
  /** Working directory; empty where it is not known. */
  readonly cwd: string;
  readonly archived: boolean;
  /** Made from another agent's session. */
  readonly imported: boolean;
  /** True if the file holds no session. */
  readonly empty: boolean;
  /** The row names files of other sessions, which count too. */
  readonly more: boolean;
  /** Parses the row; undefined where its bytes are damaged: then the session is to be read. */
  row(): CatalogueRow | undefined;
}

interface Put extends CatalogueEntry {
  session: AgentSession;
  entry: NewEntry;
}

/** Bytes that are read in the time in which a session is summarized from its ends. */
const SUMMARY_WORTH_BYTES = 64 * 1024;
/** A file of so many rows takes as long to write as one session to summarize. */
const ROWS_WORTH = 256;

/** A session in the file; thousands are made for a list, and few are asked for their rows. */
class FileEntry implements CatalogueEntry {
  readonly #file: CatalogueFile;
  readonly #index: number;

  constructor(file: CatalogueFile, index: number) {
    this.#file = file;
    this.#index = index;
  }

  get key(): number {
    return this.#file.columns.key(this.#index);
  }

  get updated(): number {
    return this.#file.columns.updated(this.#index);
  }

  get cwd(): string {
    return this.#file.columns.cwd(this.#index);
  }

  get archived(): boolean {
    return this.#file.columns.archived(this.#index);
  }

  get empty(): boolean {
    return this.#file.columns.empty(this.#index);
  }

  get more(): boolean {
    return this.#file.columns.more(this.#index);
  }

  get imported(): boolean {
    return this.#file.columns.imported(this.#index);
  }

  row(): CatalogueRow | undefined {
    return this.#file.row(this.#index);
  }
}

/** True where no other session's file that was read changed either. */
function isWhole(session: AgentSession, entry: CatalogueEntry): boolean {
  if (!entry.more) return true;
  const { more } = entry.row() ?? {};
  return more !== undefined && isFresh(session, more);
}

/** The catalogue of a cache folder, for one run of a program. */
export class Catalogue {
  readonly #folder: string | undefined;
  readonly #program: number;
  readonly #now: () => number;
  readonly #file: CatalogueFile | undefined;
  readonly #seen: Uint8Array;
  readonly #puts = new Map<number, Put>();
  readonly #complete = new Set<string>();
  /** The price of not saving, in sessions to summarize again. */
  #worth = 0;

  /** Opens the catalogue of a cache folder; one that is missing or damaged is empty. */
  constructor({ folder, version = "", now = Date.now }: CatalogueOptions = {}) {
    this.#folder = folder;
    this.#program = programOf(version);
    this.#now = now;
    this.#file = folder === undefined ? undefined : CatalogueFile.open(folder, this.#program);
    this.#seen = new Uint8Array(this.#file?.columns.count ?? 0);
  }

  /**
   * Returns the entry of a session, if its files are in the state in which they were read.
   *
   * @param state As {@linkcode lookAtSession} sees the files now.
   */
  find(session: AgentSession, state: SeenState): CatalogueEntry | undefined {
    const key = sessionDigest(session);
    const put = this.#puts.get(key);
    if (put !== undefined) {
      return isSameState(put.entry.state, state) && isWhole(session, put) ? put : undefined;
    }
    const file = this.#file;
    const index = file?.find(key);
    if (file === undefined || index === undefined) return undefined;
    this.#seen[index] = 1;
    if (!file.columns.hasState(index, state)) return undefined;
    const entry = new FileEntry(file, index);
    return isWhole(session, entry) ? entry : undefined;
  }

  /** Gives the row of a session, of whatever state of its files. */
  lastRow(session: AgentSession): CatalogueRow | undefined {
    const key = sessionDigest(session);
    const index = this.#file?.find(key);
    const row = this.#puts.get(key)?.row() ??
      (index === undefined ? undefined : this.#file?.row(index));
    return row !== undefined && isSameSession(row.session, session) ? row : undefined;
  }

  /**
   * Keeps what the ends of a session told. What reading the whole of it told before stays beside it,
   * with the state of that time.
   *
   * @param state As it was seen before the session was read, so that a change meanwhile is noticed.
   * @param summary Undefined where there is no session in the file. @param more Files of other sessions
   * that were read for it.
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
   * Keeps what reading the whole of a session told, with its row.
   *
   * @param state As it was seen before the ends were read. @param read With the state of all of the
   * session's files, seen before they were read.
   */
  putRead(session: AgentSession, state: SeenState, summary: Summary, read: ReadPart): void {
    const known = this.lastRow(session);
    this.#worth += Math.max(0, read.state.size) / SUMMARY_WORTH_BYTES;
    const row = { session, summary, read };
    this.#put(session, state, known?.more === undefined ? row : { ...row, more: known.more });
  }

  #put(session: AgentSession, seen: SeenState, row: CatalogueRow): void {
    if (this.#folder === undefined || seen.size < 0) return;
    // A session that is being written is soon another one; whether it is, no file's state tells.
    if (row.summary?.status === "running" || this.#now() - seen.changed < SETTLED_MS) return;
    const { changed: _, ...state } = seen;
    const key = sessionDigest(session);
    const { bytes, crc } = encodeRow(row);
    const entry: NewEntry = {
      key,
      agent: session.agent,
      state,
      updated: Date.parse(row.summary?.updated_at ?? ""),
      // A column has no NUL, and no path has one.
      cwd: row.summary?.cwd?.includes("\0") ? "" : row.summary?.cwd ?? "",
      archived: row.summary?.archived ?? false,
      imported: row.summary?.imported_from !== undefined,
      empty: row.summary === null,
      more: row.more !== undefined,
      length: bytes.length,
      crc,
      bytes: () => bytes,
    };
    const { length: _length, crc: _crc, bytes: _bytes, ...columns } = entry;
    this.#puts.set(key, { ...columns, session, entry, row: () => decodeRow(bytes, crc) });
    this.#worth++;
  }

  /** Tells that every session of an agent was looked up: rows of others need not be kept. */
  sawAll(agent: string): void {
    this.#complete.add(agent);
  }

  /** Returns the file's sessions of some agents, in no order. Their files may have changed. */
  *entries(agents: readonly string[]): Generator<CatalogueEntry> {
    const file = this.#file;
    if (file === undefined) return;
    const wanted = new Set(agents);
    for (let index = 0; index < file.columns.count; index++) {
      if (wanted.has(file.columns.agent(index)) && !file.columns.empty(index)) {
        yield new FileEntry(file, index);
      }
    }
  }

  /**
   * Writes what was put, where that is worth it. A folder that cannot be written is left alone. Rows
   * that another process wrote or removed meanwhile stay so.
   */
  save(): void {
    const folder = this.#folder;
    const gone = this.#goneKeys();
    const worth = this.#worth + gone.size;
    if (folder === undefined || worth * ROWS_WORTH <= this.#seen.length) return;
    try {
      using _lock = lockCatalogue(folder);
      const current = CatalogueFile.open(folder, this.#program);
      try {
        replaceCatalogue(folder, this.#program, this.#merged(current, gone));
      } finally {
        current?.close();
      }
      this.#worth = 0;
    } catch {
      // An unsafe folder, a disk that is full or cannot be written, another writer: it is made another time.
    }
  }

  /** Returns the keys of sessions that their agents no longer have. */
  #goneKeys(): Set<number> {
    const gone = new Set<number>();
    const file = this.#file;
    if (file === undefined || this.#complete.size === 0) return gone;
    for (let index = 0; index < file.columns.count; index++) {
      if (this.#seen[index] === 1) continue;
      const key = file.columns.key(index);
      if (this.#complete.has(file.columns.agent(index)) && !this.#puts.has(key)) gone.add(key);
    }
    return gone;
  }

  /** Merges the rows of the file as it is now with the new ones, in the file's order. */
  #merged(current: CatalogueFile | undefined, gone: ReadonlySet<number>): NewEntry[] {
    const merged: NewEntry[] = [];
    const puts = new Map(this.#puts);
    const add = ({ session, entry }: Put): void => {
      // Deleted since it was read: its row must not come back.
      if (lookAtSession(session).size >= 0) merged.push(entry);
    };
    for (let index = 0; index < (current?.columns.count ?? 0); index++) {
      if (current === undefined) break;
      const entry = keptEntry(current, index);
      const put = puts.get(entry.key);
      if (put !== undefined) add(put);
      else if (!gone.has(entry.key)) merged.push(entry);
      puts.delete(entry.key);
    }
    puts.forEach(add);
    return merged;
  }

  /** Closes the file. Unsaved rows are lost. */
  close(): void {
    this.#file?.close();
  }
}
