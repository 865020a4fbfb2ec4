/** Caches the sessions that were opened last, so that their next page is sent at once. */
import { present } from "../../../core/event/present.ts";
import { AGENT_NAMES } from "../../../core/event/agent_name.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import type { CatalogueOptions } from "../../../library/catalogue/catalogue_options.ts";
import type { Library } from "../../../library/library.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import { loadPrices } from "../../../library/counts/usage/load_prices.ts";
import { utcDay } from "../../../library/counts/usage/usage_sums.ts";
import { usageOf } from "../../../library/query/usage_of.ts";
import { LeavingWindows } from "../../../library/handle/window/leaving_windows.ts";
import { openWindow, type SessionWindow } from "../../../library/handle/window/session_window.ts";
import { isSameState, type SeenState } from "../../../library/catalogue/session_state.ts";
import { pause } from "../../../core/platform/pause.ts";
import type { SessionContext } from "../../../core/projection/context.ts";
import type { SessionThread } from "../../../core/projection/session_thread.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import { withUsage } from "../../../core/projection/usage_totals.ts";
import { parseRef } from "../../../core/store/ref.ts";
import { LongEnd } from "./long_end.ts";
import { TurnNumbers } from "./turn_numbers.ts";
import { NO_VITALS, readVitals, type Vitals } from "./vitals.ts";

export interface OpenedSession {
  /** The session's reference in addresses of pages. */
  ref: string;
  handle: SessionHandle;
  items: SessionWindow;
  end: LongEnd;
  numbers: TurnNumbers;
  /** The shown thread as an address parameter. Empty for the main thread. */
  thread: { thread?: string };
  summary(): Promise<CountedSummary>;
  /** Measures the model's context. Undefined if the session is too long to be read for this. */
  context(): Promise<SessionContext | undefined>;
  /** Lists the threads. Empty if the session is too long to be read for this. */
  threads(): Promise<readonly SessionThread[]>;
  /** Reads the tokens, calls and changes of each turn. Empty if the session is too long. */
  vitals(): Promise<Vitals>;
}

interface Kept extends OpenedSession {
  state: SeenState | undefined;
}

const FIRST_ITEMS = 50;

/** Maximum number of cached sessions. Each may take some megabytes. */
const MOST_KEPT = 4;

interface OpenedOptions {
  /** Paths that the user named. An address that names another path is refused. @default {none} */
  named?: readonly string[];
}

export class OpenedSessions {
  readonly #library: Library;
  readonly #named: ReadonlySet<string>;
  readonly #kept = new Map<string, Kept>();
  readonly #leaving = new LeavingWindows();

  constructor(library: Library, { named = [] }: OpenedOptions = {}) {
    this.#library = library;
    this.#named = new Set(named);
  }

  /**
   * Opens a session, or returns the cached one if its files are unchanged.
   *
   * @throws {SessionError} As `Library.open`.
   */
  async open(ref: string, thread?: string): Promise<OpenedSession> {
    const key = `${ref}\n${thread ?? ""}`;
    const known = this.#kept.get(key);
    this.#kept.delete(key);
    if (known !== undefined && await isUnchanged(known)) {
      this.#kept.set(key, known);
      return known;
    }
    if (known !== undefined) this.#leaving.add(known.items);
    // Turns that had numbers must not lose them.
    const opened = { ...await this.#open(ref, thread), ...known && { numbers: known.numbers } };
    if (known?.items.progress.total !== undefined) await numberTurns(opened);
    this.#kept.set(key, opened);
    for (const [oldest, { items }] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT) break;
      this.#leaving.add(items);
      this.#kept.delete(oldest);
    }
    return opened;
  }

  async prepare(ref: string, thread?: string): Promise<void> {
    const { items, summary } = await this.open(ref, thread);
    await Promise.all([items.items(0, FIRST_ITEMS), summary()]);
  }

  async #open(ref: string, thread: string | undefined): Promise<Kept> {
    if (!this.#named.has(ref) && parseRef(ref, AGENT_NAMES).kind === "path") {
      throw new SessionError("not-found", `Cannot find session "${ref}"`, { ref });
    }
    const handle = await this.#library.open(ref);
    const state = await handle.state();
    let summary: Promise<CountedSummary> | undefined;
    let vitals: Promise<Vitals> | undefined;
    let context: Promise<SessionContext | undefined> | undefined;
    let threads: Promise<readonly SessionThread[]> | undefined;
    const shown = present({ thread });
    const counted = (): Promise<CountedSummary> =>
      summary ??= countedSummary(handle, this.#library.kept);
    return {
      ref,
      handle,
      thread: shown,
      end: new LongEnd(handle, shown),
      numbers: new TurnNumbers(),
      items: openWindow(handle.at(shown), {
        // Requests are accepted only while no other task is due.
        between: () => pause(1, undefined),
      }),
      summary: counted,
      vitals: () =>
        vitals ??= counted().then(({ summary }) =>
          isShort(summary) ? readVitals(handle, shown) : NO_VITALS
        ),
      threads: () =>
        threads ??= counted().then(({ summary }) => isShort(summary) ? handle.threads() : []),
      context: () =>
        context ??= counted().then(({ summary }) =>
          isShort(summary) ? handle.context(shown) : undefined
        ),
      state,
    };
  }
}

/** Counts the turns of a session. Reads all of a short session, or the prompts of a long one. */
export async function numberTurns(
  { items, summary, numbers, handle, thread }: OpenedSession,
): Promise<void> {
  if (isShort((await summary()).summary)) await items.readAll();
  else await numbers.count(handle, thread);
}

function isShort({ bytes = 0 }: Summary): boolean {
  return bytes <= MOST_BYTES;
}

/** True if a session's files are unchanged. Also false if their state cannot be read. */
async function isUnchanged({ handle, state }: Kept): Promise<boolean> {
  const now = await handle.state();
  return state !== undefined && now !== undefined && isSameState(state, now);
}

interface CountedSummary {
  summary: Summary;
  /** False if the session is too long to be read for its usage. */
  is_counted: boolean;
}

/** Maximum bytes of a session that is read again for the sums at the top of its page. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Reads a summary. Its usage comes from the cache, else from the file. */
async function countedSummary(
  handle: SessionHandle,
  kept: CatalogueOptions,
): Promise<CountedSummary> {
  const summary = await handle.summary();
  const entries = [{ ...summary, session: handle.session }];
  const { estimate } = await loadPrices();
  const options = { dayOf: utcDay, estimate, kept, most_bytes: MOST_BYTES };
  const [used] = await usageOf(entries, options);
  if (used === undefined) return { summary, is_counted: summary.usage !== undefined };
  return { summary: withUsage(summary, used), is_counted: true };
}
