/** Lists the sessions of a scope, and searches their messages. */
import { SessionError } from "../../../core/event/session_error.ts";
import { rowsOf } from "../../../library/query/candidate.ts";
import type { QueryOptions, SessionEntry } from "../../../library/query/query.ts";
import { present } from "../../../core/event/present.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import type { ScreenSettings } from "../screen.ts";
import { ASK } from "./filter.ts";
import {
  type PickerScope,
  type RunningRows,
  type SaidHit,
  type SaidHits,
  type ScopeRows,
  scopeRows,
} from "./state.ts";

/** Maximum sessions in the cached list. Parsing more sessions would delay the first screen. */
const MOST_KNOWN = 500;

/** Lists the cached rows of a scope. Undefined if there are none or the list is unreadable. */
export async function knownScope(
  settings: ScreenSettings,
  scope: PickerScope,
): Promise<ScopeRows | undefined> {
  try {
    const rows = await rowsIn(settings, scope, { remembered: true, limit: MOST_KNOWN });
    if (rows.length === 0) return undefined;
    return { ...scopeRows(rows, 0), unchecked: true };
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    // The list itself tells why.
    return undefined;
  }
}

/**
 * Lists a scope. Counts unreadable sessions, and gives the reason if nothing can be read.
 *
 * @param exact True to read sessions whole, for their counts, costs and models.
 */
export async function readScope(
  settings: ScreenSettings,
  scope: PickerScope,
  exact = false,
): Promise<ScopeRows> {
  let unread = 0;
  try {
    const rows = await rowsIn(settings, scope, { rows: true, exact, onError: () => unread++ });
    return { ...scopeRows(rows, unread), counted: exact };
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return { ...scopeRows([], unread), counted: exact, failure: error.message };
  }
}

async function rowsIn(
  { library, cwd }: ScreenSettings,
  scope: PickerScope,
  options: QueryOptions,
): Promise<Summary[]> {
  const where = { scope: scope === "project" ? "here" : "all", cwd } as const;
  const { entries } = await library.query({ ...options, ...where, members: true });
  if (options.exact) await library.fillCosts(entries);
  const rows = await rowsOf(entries);
  const { withHandedFrom } = await import("../../../features/handover/handed_from.ts");
  return withHandedFrom(library.root, rows, options.onError ?? (() => {}));
}

export async function runningRows(
  { library }: ScreenSettings,
  { rows }: ScopeRows,
): Promise<RunningRows> {
  if (rows.every(({ status }) => status !== "running")) return new Map();
  const { runningAmong } = await import("../../../library/running/running_among.ts");
  try {
    return await runningAmong(library, rows, false);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return new Map();
  }
}

/** Milliseconds after the last key before a search begins. */
const DELAY_MS = 200;
/** Minimum characters to search for. Shorter texts occur nearly everywhere. */
const LEAST_LENGTH = 3;
/** Number of sessions in the first step of a search. Each later step has `GROWTH` times as many. */
const FIRST_SESSIONS = 16;
const GROWTH = 4;
const MOST_HITS = 200;
/** Maximum number of sessions listed for a question, a query that begins with `?`. */
const MOST_NEAREST = 20;
/** Up to this number of hits, the search also looks for words spread over several messages. */
const FEW_HITS = 10;

interface SaidListener {
  onHits(said: SaidHits): void;
  onError(error: unknown): void;
}

interface Wanted {
  query: string;
  scope: PickerScope;
}

/** Runs the searches of one list, one at a time. Newer input replaces the older search. */
export class SaidSearch {
  readonly #settings: ScreenSettings;
  readonly #listener: SaidListener;
  readonly #located = new Map<PickerScope, Promise<readonly SessionEntry[]>>();
  #wanted: Wanted = { query: "", scope: "project" };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running = false;
  #stop = new AbortController();

  constructor(settings: ScreenSettings, listener: SaidListener) {
    this.#settings = settings;
    this.#listener = listener;
  }

  want(query: string, scope: PickerScope): void {
    if (query === this.#wanted.query && scope === this.#wanted.scope) return;
    this.#wanted = { query, scope };
    this.#stop.abort();
    clearTimeout(this.#timer);
    if (query.trim().length < LEAST_LENGTH) return;
    this.#timer = setTimeout(() => this.#start(), DELAY_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
    this.#wanted = { ...this.#wanted, query: "" };
    this.#located.clear();
  }

  #start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#run().catch((error) => this.#listener.onError(error)).finally(() => {
      this.#running = false;
    });
  }

  async #run(): Promise<void> {
    let done: Wanted;
    do {
      done = this.#wanted;
      if (done.query.trim().length >= LEAST_LENGTH) await this.#search(done);
    } while (done !== this.#wanted);
  }

  async #search(wanted: Wanted): Promise<void> {
    const { query, scope } = wanted;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const found = new Map<string, SaidHit>();
    let note: string | undefined;
    const tell = (searching: boolean): void => {
      if (wanted === this.#wanted) {
        this.#listener.onHits(present({ query, hits: new Map(found), searching, note }));
      }
    };
    tell(true);
    try {
      const entries = await this.#entries(scope);
      if (query.startsWith(ASK)) {
        note = await this.#ask(query.slice(ASK.length), entries, found, signal);
        return tell(false);
      }
      const { cache, marks } = this.#settings.library;
      const { searchEntries } = await import("../../../library/search/search.ts");
      const now = this.#settings.now().getTime();
      const request = { query, regex: false, sort: "time", limit: MOST_HITS, now } as const;
      const options = { cache, marks, signal };
      let from = 0;
      let count = FIRST_SESSIONS;
      while (from < entries.length && wanted === this.#wanted) {
        const part = entries.slice(from, from + count);
        from += count;
        const { hits } = await searchEntries(part, request, options);
        for (const hit of hits) if (!found.has(hit.ref)) found.set(hit.ref, hit);
        tell(true);
        count *= GROWTH;
      }
      if (found.size <= FEW_HITS && wanted === this.#wanted) {
        const { searchAcross } = await import("../../../library/search/tiers.ts");
        const others = entries.filter(({ ref }) => !found.has(ref));
        const across = await searchAcross(others, { ...request, by_session: true }, options);
        for (const hit of across) found.set(hit.ref, { ...hit, is_across: true });
      }
    } catch (error) {
      if (signal.aborted) return;
      // A query that is not finished yet, such as an open quote, finds nothing.
      if (!(error instanceof SyntaxError) && !(error instanceof SessionError)) throw error;
    }
    tell(false);
  }

  /** Adds the best hits for a question to `found`. Returns a note on weak hits or no index. */
  async #ask(
    query: string,
    entries: readonly SessionEntry[],
    found: Map<string, SaidHit>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { NEEDS_INDEX, searchTiers } = await import("../../../library/search/tiers.ts");
    const { cache } = this.#settings.library;
    const now = this.#settings.now().getTime();
    const request = { query, now, limit: MOST_NEAREST, tiers: ["wording"] as const };
    const { hits, strength, needs_index } = await searchTiers(entries, request, { cache, signal });
    for (const hit of hits) {
      const words = hit.ranges.map(([start, end]) => hit.snippet.slice(start, end));
      found.set(hit.ref, { ...hit, words });
    }
    return needs_index ? NEEDS_INDEX : strength === "weak" ? "weak matches" : undefined;
  }

  #entries(scope: PickerScope): Promise<readonly SessionEntry[]> {
    let located = this.#located.get(scope);
    if (located === undefined) {
      located = this.#locate(scope);
      this.#located.set(scope, located);
    }
    return located;
  }

  async #locate(scope: PickerScope): Promise<readonly SessionEntry[]> {
    const { library, cwd } = this.#settings;
    const asked = { scope: scope === "project" ? "here" : "all", cwd, members: true } as const;
    return (await library.query(asked)).entries;
  }
}
