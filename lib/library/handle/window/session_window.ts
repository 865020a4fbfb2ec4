/**
 * A window on a session of any length. It gives items by number, without holding all in memory.
 *
 * @module
 */
import { present } from "../../../core/event/present.ts";
import { nextTurn } from "../../../core/log/next_turn.ts";
import type { TranscriptItem } from "../../../core/projection/transcript/item.ts";
import { fileState } from "../../../core/store/import/source_state.ts";
import { EarlierRead } from "./earlier_read.ts";
import { type Cut, type FoldedItems, foldItems } from "../../catalogue/fold_items.ts";
import { type ItemReading, openItemReading, type WindowSession } from "./item_reading.ts";
import { ItemTable } from "./item_table.ts";
import { promptsOf, type WindowPrompt } from "./prompt.ts";
import { SessionEnd } from "./session_end.ts";

export interface WindowOptions {
  onProgress?: () => void;
  /** Called and awaited every few milliseconds while the window reads ahead. */
  between?: () => Promise<void>;
  /** Characters of items that are kept in memory. @default {8388608} */
  most_characters?: number;
  /** Minimum characters between two points at which a read can resume. @default {131072} */
  cut_characters?: number;
  /**
   * True to resume at a point from an earlier read if that is nearer to the wanted items. Prompts
   * before that point are then missing until the whole session is read. @default {false}
   */
  uses_cuts?: boolean;
}

const SLICE_MS = 6;
const MOST_CHARACTERS = 8 * 1024 * 1024;
const CUT_CHARACTERS = 128 * 1024;
/** If every read must start at item 0, texts are stored up to this many resume points away. */
const NEAR_CUTS = 8;

export interface WindowProgress {
  /** Number of known items, counted from the session's beginning. */
  items: number;
  /** Number of all items; absent until the whole session was read. */
  total?: number;
  /** Number of bytes of the session's file that were read; 0 if that is not known. */
  read_bytes: number;
  /** Size in bytes of the session's file, or of the database that has the session. */
  all_bytes: number;
}

export interface WindowItems {
  /** The number of the first item; negative if it counts from the end. */
  first: number;
  items: readonly TranscriptItem[];
}

/**
 * Reads nothing before items are requested.
 *
 * @throws {SessionError} `not-found`, `permission`
 */
export function openWindow(session: WindowSession, options: WindowOptions = {}): SessionWindow {
  return new SessionWindow(session, options);
}

/**
 * The items of one session. The last items are available at once if the format allows, all other
 * items after {@linkcode SessionWindow.readAll}. Made by {@linkcode openWindow}.
 */
export class SessionWindow {
  readonly #session: WindowSession;
  readonly #options: WindowOptions;
  readonly #abort = new AbortController();
  readonly #table: ItemTable;
  readonly #end: SessionEnd;
  readonly #earlier: EarlierRead;
  readonly #prompts: WindowPrompt[] = [];
  readonly #all_bytes: number;
  #read_bytes = 0;
  #paused_at = -Infinity;
  #total: number | undefined;
  #opened: Promise<ItemReading> | undefined;
  #reading: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  #more = Promise.withResolvers<void>();

  constructor(session: WindowSession, options: WindowOptions) {
    this.#session = session;
    this.#options = options;
    this.#table = new ItemTable(options.most_characters ?? MOST_CHARACTERS);
    this.#end = new SessionEnd(session);
    this.#earlier = new EarlierRead(() => this.#open(), this.#abort.signal);
    this.#all_bytes = fileState(session.path).bytes;
  }

  get progress(): WindowProgress {
    const [read_bytes, all_bytes] = [this.#read_bytes, this.#all_bytes];
    return present({ items: this.#table.count, total: this.#total, read_bytes, all_bytes });
  }

  get prompts(): readonly WindowPrompt[] {
    return this.#prompts;
  }

  /**
   * Reads items. If they were not read yet, reads on until they are.
   *
   * @param first The number of the first item, from 0. A negative number counts from the end: -1 is
   * the last item.
   * @param count Maximum number of items.
   * @returns The items that exist, in order.
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  async items(first: number, count: number): Promise<readonly TranscriptItem[]> {
    if (first < 0 && !await this.reach(first)) await this.readAll();
    if (first < 0 && this.#total === undefined) return this.#end.items(first, count);
    const from = first < 0 ? (this.#total ?? 0) + first : first;
    if (this.#looksBack(this.#table.count < from + count)) {
      const items = await this.#earlier.items(from, count, this.#table.count);
      if (items !== undefined) return items;
    }
    await this.#until(() => this.#table.count >= from + count);
    return await this.#select(Math.max(0, from), Math.min(from + count, this.#table.count));
  }

  /**
   * Reads more of the session's end, if the items read so far lack an item.
   *
   * @param item The item's number.
   * @returns False if only {@linkcode SessionWindow.readAll} reaches the item.
   */
  async reach(item: number): Promise<boolean> {
    if (item >= 0) return this.#total !== undefined || item < this.#table.count;
    return this.#total !== undefined || await this.#end.reach(item) || this.#total !== undefined;
  }

  /**
   * Yields all items from the beginning on, as they are read. Keys and timers are handled in
   * between.
   *
   * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
   */
  async *pieces(): AsyncGenerator<WindowItems> {
    const all = this.readAll();
    all.catch(() => {/* thrown below */});
    let first = 0;
    for await (const { items } of this.#fold()) {
      if (items.length > 0) yield { first, items };
      first += items.length;
      await this.#pause();
    }
    await all;
  }

  /**
   * Finds the item that shows an event. Reads the session until the event is reached.
   *
   * @param seq The event's number.
   * @returns The item's number, from 0. If no item shows the event, the number of the item before
   * the event; undefined if there is none.
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  async itemOf(seq: number): Promise<number | undefined> {
    if (this.#looksBack(this.#table.last_seq <= seq)) {
      const item = await this.#earlier.itemOf(seq, this.#table.count);
      if (item !== undefined) return item;
    }
    await this.#until(() => this.#table.last_seq > seq);
    return this.#table.itemOf(seq);
  }

  /** Reads the session to its end, only once. All items then have a known number. */
  async readAll(): Promise<void> {
    await (this.#reading ??= this.#read());
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await (this.#closed ??= this.#settle());
  }

  async #settle(): Promise<void> {
    await this.#reading?.catch(() => {/* whoever waits for it gets the error */});
    this.#table.close();
  }

  /** True if a wanted item was not read yet, and resume points of an earlier read may be used. */
  #looksBack(is_ahead: boolean): boolean {
    return is_ahead && this.#total === undefined && this.#options.uses_cuts === true;
  }

  #open(): Promise<ItemReading> {
    return this.#opened ??= openItemReading(this.#session, this.#abort.signal);
  }

  async *#fold(cut?: Cut): AsyncGenerator<FoldedItems> {
    const { signal } = this.#abort;
    const { cut_characters = CUT_CHARACTERS } = this.#options;
    yield* foldItems(await this.#open(), { cut, cut_characters, signal });
  }

  async #read(): Promise<void> {
    let cut: Cut | undefined;
    try {
      this.#abort.signal.throwIfAborted();
      const reading = await this.#open();
      for await (const folded of this.#fold()) {
        this.#add(folded.items, cut);
        if (folded.cut !== undefined) {
          reading.onCut({ number: this.#table.count, cut: folded.cut });
        }
        cut = folded.cut ?? (folded.items.length === 0 ? cut : undefined);
        this.#read_bytes = Math.max(this.#read_bytes, folded.bytes);
        this.#tell();
        await this.#pause();
      }
      [this.#total, this.#read_bytes] = [this.#table.count, this.#all_bytes];
    } finally {
      this.#tell();
    }
  }

  #add(items: readonly TranscriptItem[], cut: Cut | undefined): void {
    for (const one of promptsOf(items, this.#table.count)) this.#prompts.push(one);
    this.#table.add(items, cut);
  }

  #tell(): void {
    this.#more.resolve();
    this.#more = Promise.withResolvers();
    this.#options.onProgress?.();
  }

  async #until(isThere: () => boolean): Promise<void> {
    const all = this.readAll();
    // Callers that wait get the error; nobody else needs it.
    all.catch(() => {});
    while (this.#total === undefined && !isThere()) await Promise.race([this.#more.promise, all]);
  }

  async #select(first: number, last: number): Promise<readonly TranscriptItem[]> {
    this.#abort.signal.throwIfAborted();
    return this.#table.items(first, last) ?? await this.#readAgain(first, last);
  }

  /** Reads items from a resume point before them to one after them. Stores all in the table. */
  async #readAgain(first: number, last: number): Promise<readonly TranscriptItem[]> {
    const { is_placed } = await this.#open();
    const near = is_placed ? 0 : NEAR_CUTS;
    const start = this.#table.cutUpTo(first, near);
    const end = this.#table.cutFrom(last, near);
    const found: TranscriptItem[] = [];
    let number = is_placed ? start.number : 0;
    for await (const { items } of this.#fold(is_placed ? start.cut : undefined)) {
      for (const item of items) if (number++ >= start.number && number <= end) found.push(item);
      if (number >= end) break;
      await nextTurn(SLICE_MS);
    }
    this.#abort.signal.throwIfAborted();
    this.#table.keep(start.number, found);
    return found.slice(first - start.number, last - start.number);
  }

  /** Pauses the read, if it is time to, so that key presses are handled first. */
  async #pause(): Promise<void> {
    if (performance.now() - this.#paused_at < SLICE_MS) return;
    await nextTurn(0);
    await this.#options.between?.();
    this.#paused_at = performance.now();
    this.#abort.signal.throwIfAborted();
  }
}
