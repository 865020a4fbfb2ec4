/**
 * A window on a session of any length: its items by their number, without holding them.
 *
 * @module
 */
import { present } from "../../event/present.ts";
import { nextTurn } from "../../log/next_turn.ts";
import type { TranscriptItem } from "../../projection/transcript/transcript_item.ts";
import { fileState } from "../../session/import/source_state.ts";
import type { SessionHandle } from "../session_handle.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { LogPieces } from "./log_pieces.ts";
import { ItemCache, itemsOf, PieceList } from "./window_piece.ts";
import { promptsOf, type WindowPrompt } from "./prompt.ts";
import { ReadPieces } from "./read_pieces.ts";
import type { PieceSource, WindowPiece } from "./window_piece.ts";

/** Options of {@linkcode openWindow}. */
export interface WindowOptions {
  /** Called when more of the session was read. */
  onProgress?: () => void;
  /** Called every few milliseconds while it reads ahead: what it gives is waited for. */
  between?: () => Promise<void>;
}

/** Milliseconds of reading ahead without a pause. */
const SLICE_MS = 6;

/** The part of a session that is known by now. */
export interface WindowProgress {
  /** Number of items that are known from the beginning on. */
  items: number;
  /** Number of all items; undefined until all was read once. */
  total?: number;
  /** Bytes read, of those of the session's file; both 0 where that cannot be told. */
  read_bytes: number;
  /** Bytes of the session's file. */
  all_bytes: number;
}

/** Items that follow one another. */
export interface WindowItems {
  /** The number of the first one. */
  first: number;
  /** The items, in order. */
  items: readonly TranscriptItem[];
}

/**
 * The items of one session. Its last ones are there at once, where the agent's format allows; all
 * others once {@linkcode SessionWindow.readAll} has come to them. Made by {@linkcode openWindow}.
 */
export class SessionWindow {
  readonly #source: PieceSource;
  readonly #cache = new ItemCache();
  readonly #abort = new AbortController();
  readonly #onProgress: () => void;
  readonly #between: () => Promise<void>;
  readonly #prompts: WindowPrompt[] = [];
  readonly #head = new PieceList();
  #tail: readonly WindowPiece[] = [];
  /** True if the tail is the whole session. */
  #tail_whole = false;
  #read_bytes = 0;
  #paused_at = -Infinity;
  #total: number | undefined;
  #reading: Promise<void> | undefined;
  #more = Promise.withResolvers<void>();

  /** Made by {@linkcode openWindow}. */
  constructor(
    source: PieceSource,
    { onProgress = () => {}, between = () => Promise.resolve() }: WindowOptions = {},
  ) {
    this.#source = source;
    this.#onProgress = onProgress;
    this.#between = between;
  }

  /** The part of the session that is known by now. */
  get progress(): WindowProgress {
    return present({
      items: this.#head.count,
      total: this.#total,
      read_bytes: this.#read_bytes,
      all_bytes: this.#source.bytes,
    });
  }

  /** The prompts that were met by now, in order. */
  get prompts(): readonly WindowPrompt[] {
    return this.#prompts;
  }

  /**
   * Reads items. Where they were not met yet, it reads on until they are.
   *
   * @param first The number of the first one, from 0; from the end where it is negative: -1 is the
   * last one. @param count How many, where there are as many.
   * @returns Those that there are, in order.
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  async items(first: number, count: number): Promise<readonly TranscriptItem[]> {
    if (first >= 0) return await this.#fromStart(first, count);
    if (!await this.reach(first)) await this.readAll();
    const last = first + count;
    if (this.#total === undefined) return await this.#fromTail(first, last);
    const start = this.#total + first;
    return await this.#fromStart(
      Math.max(0, start),
      Math.max(0, start + count) - Math.max(0, start),
    );
  }

  /**
   * Makes the tail longer where it does not hold an item yet.
   *
   * @param item Its number.
   * @returns False if only {@linkcode SessionWindow.readAll} comes to it.
   */
  async reach(item: number): Promise<boolean> {
    if (item >= 0) return this.#total !== undefined || item < this.#head.count;
    while (this.#total === undefined && !this.#tail_whole && countOf(this.#tail) < -item) {
      const tail = await this.#source.longerTail();
      if (tail === undefined) return false;
      [this.#tail, this.#tail_whole] = [tail.pieces, tail.whole];
    }
    return true;
  }

  /**
   * Yields all items from the beginning on, a piece at a time, as they are read. Keys and timers have
   * their turn in between.
   *
   * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
   */
  async *pieces(): AsyncGenerator<WindowItems> {
    for (let at = 0;; at++) {
      await this.#readUntil(() => this.#head.at(at) !== undefined);
      const listed = this.#head.at(at);
      if (listed === undefined) return;
      const { piece, first } = listed;
      // Passes the cache by, which keeps what is on the screen.
      yield { first, items: await piece.read() };
      await this.#pause();
    }
  }

  /**
   * Finds the item that shows an event. Reads on until the session was read so far.
   *
   * @param seq The event's number.
   * @returns The item's number, from 0: where none shows the event, that of the item before it.
   * Undefined where there is none.
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  async itemOf(seq: number): Promise<number | undefined> {
    await this.#readUntil(() => (this.#head.at(-1)?.seq ?? 0) > seq);
    const { piece, first = 0 } = this.#head.ofEvent(seq) ?? {};
    const items = await piece?.read() ?? [];
    const exact = items.findIndex((item) => item.seq === seq || endSeq(item) === seq);
    const found = exact >= 0 ? exact : items.findLastIndex((item) => item.seq <= seq);
    return found < 0 ? undefined : first + found;
  }

  /** Reads the session to its end, once: then all items are known by number. */
  async readAll(): Promise<void> {
    this.#reading ??= this.#readForward();
    await this.#reading;
  }

  /** Stops reading, and resolves once nothing is read any more. */
  async close(): Promise<void> {
    this.#abort.abort();
    await this.#reading?.catch(() => {/* whoever waits for it gets the error */});
  }

  async #readForward(): Promise<void> {
    try {
      const { signal } = this.#abort;
      const pieces = this.#source.forward(signal, () => this.#pause());
      for await (const { piece, items, bytes } of pieces) {
        this.#add(piece, items);
        this.#read_bytes = bytes;
        this.#tellMore();
        signal.throwIfAborted();
      }
      for (const piece of this.#source.rest()) this.#add(piece, await this.#cache.read(piece));
      this.#read_bytes = this.#source.bytes;
      this.#total = this.#head.count;
    } finally {
      this.#tellMore();
    }
  }

  /** Lets keys in: they come first. */
  async #pause(): Promise<void> {
    if (performance.now() - this.#paused_at < SLICE_MS) return;
    await nextTurn(0);
    await this.#between();
    this.#paused_at = performance.now();
    this.#abort.signal.throwIfAborted();
  }

  #add(piece: WindowPiece, items: readonly TranscriptItem[]): void {
    for (const one of promptsOf(items, this.#head.count)) this.#prompts.push(one);
    this.#head.add(piece, items);
  }

  #tellMore(): void {
    this.#more.resolve();
    this.#more = Promise.withResolvers();
    this.#onProgress();
  }

  /** Reads on until something is there, or all was read. */
  async #readUntil(isThere: () => boolean): Promise<void> {
    const all = this.readAll();
    // Callers that wait get the error; nobody else needs it.
    all.catch(() => {});
    while (this.#total === undefined && !isThere()) {
      await Promise.race([this.#more.promise, all]);
    }
  }

  async #fromStart(first: number, count: number): Promise<readonly TranscriptItem[]> {
    await this.#readUntil(() => this.#head.count >= first + count);
    const last = Math.min(first + count, this.#head.count);
    return await this.#head.items(first, last, this.#cache);
  }

  /** Reads items of the tail, by negative numbers; `last` is behind the last one. */
  async #fromTail(first: number, last: number): Promise<readonly TranscriptItem[]> {
    const range = { start: -countOf(this.#tail), first, last: Math.min(last, 0) };
    return await itemsOf(this.#tail, range, this.#cache);
  }
}

function endSeq(item: TranscriptItem): number | undefined {
  return "end_seq" in item ? item.end_seq : undefined;
}

function countOf(pieces: readonly WindowPiece[]): number {
  return pieces.reduce((sum, { count }) => sum + count, 0);
}

/**
 * Opens a window on the thread that a handle names. Nothing is read before it is asked for.
 *
 * @throws {SessionError} `not-found`, `permission`
 */
export function openWindow(session: SessionHandle, options: WindowOptions = {}): SessionWindow {
  const { log, thread = MAIN_THREAD } = session;
  const source = log === undefined || thread !== MAIN_THREAD
    ? new ReadPieces(session, { bytes: fileState(session.path).bytes })
    : new LogPieces(log);
  return new SessionWindow(source, options);
}
