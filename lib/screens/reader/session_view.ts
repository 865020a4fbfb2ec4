/** Keeps the part of a session that is on the screen, and moves it. */
import { present } from "../../event/present.ts";
import type { SessionHandle } from "../../library/session_handle.ts";
import { openWindow, type SessionWindow } from "../../library/window/session_window.ts";
import type { ReaderDrawing } from "../item_drawing.ts";
import { type PlacedRow, type RowPlace, SessionRows } from "./session_rows.ts";
import type { Folding } from "./session_state.ts";

interface ViewSize {
  width: number;
  /** Rows. */
  page: number;
  folding: Folding;
}

interface ViewListener {
  onProgress(): void;
  onError(error: unknown): void;
}

/** Keys that came so short a time ago are followed by others: reading on waits. */
const TYPING_MS = 60;
const WAIT_MS = 15;

export class SessionView {
  readonly #session: SessionHandle;
  readonly #drawing: ReaderDrawing;
  readonly #listener: ViewListener;
  #window: SessionWindow;
  #rows: SessionRows;
  #thread: string | undefined;
  #place: RowPlace = { item: -1, row: 0 };
  #at_end = true;
  #shown: readonly PlacedRow[] = [];
  #size: ViewSize = { width: 0, page: 1, folding: "brief" };
  #rendered = "";
  #used_at = -Infinity;
  /** The row of the last hit. */
  hit: RowPlace | undefined;

  constructor(session: SessionHandle, drawing: ReaderDrawing, listener: ViewListener) {
    this.#session = session;
    this.#drawing = drawing;
    this.#listener = listener;
    this.#thread = session.thread;
    this.#window = this.#open();
    this.#rows = new SessionRows(this.#window, () => []);
  }

  get window(): SessionWindow {
    return this.#window;
  }

  get rows(): SessionRows {
    return this.#rows;
  }

  /** The thread that is read; undefined for the main one. */
  get thread(): string | undefined {
    return this.#thread;
  }

  /** The first row on the screen. */
  get place(): RowPlace {
    return this.#place;
  }

  /** The rows on the screen. */
  get shown(): readonly PlacedRow[] {
    return this.#shown;
  }

  /** The block at the top, or the one with the hit. */
  get current(): number {
    const { hit } = this;
    if (hit !== undefined && this.#shown.some(({ item }) => item === hit.item)) return hit.item;
    return this.#shown.find(({ text }) => text !== "")?.item ?? this.#place.item;
  }

  /** True if a row is on the screen. */
  isShown({ item, row }: RowPlace): boolean {
    return this.#shown.some((one) => one.item === item && one.row === row);
  }

  /** Lets reading on wait a moment: a key was pressed. */
  touch(): void {
    this.#used_at = performance.now();
  }

  goTo(place: RowPlace): void {
    this.#place = place;
    this.#at_end = false;
  }

  toEnd(): void {
    this.#at_end = true;
  }

  /** Scrolls; false if there was nowhere to go. */
  async scroll(rows: number): Promise<boolean> {
    const { item, row } = this.#place;
    this.goTo(await this.#rows.moved(this.#place, rows));
    return this.#place.item !== item || this.#place.row !== row;
  }

  /** Returns the reason why there is nothing above; undefined at the beginning of the session. */
  get nothingBefore(): string | undefined {
    const is_read = this.#place.item >= 0 || this.#window.progress.total !== undefined;
    return is_read ? undefined : "Still reading earlier messages";
  }

  /** Goes to the next prompt, or the one before; false if there is none. */
  async toPrompt(step: 1 | -1): Promise<boolean> {
    const { item, row } = this.#place;
    // Within an answer the prompt before is its own.
    const from = row > 0 && step < 0 && item !== -1 ? item + 1 : item;
    const found = await this.#rows.findPrompt(from, step);
    if (found !== undefined) this.goTo({ item: found, row: 0 });
    return found !== undefined;
  }

  /** Reads all of the session, a piece at a time. */
  readOn(): void {
    const window = this.#window;
    window.readAll().catch((error) => {
      if (window === this.#window) this.#listener.onError(error);
    });
  }

  /** Reads the session again from its end, because it has grown or another thread is wanted. */
  reopen(thread: string | undefined): void {
    this.#window.close();
    this.#thread = thread;
    this.hit = undefined;
    this.#window = this.#open();
    this.#rows = new SessionRows(this.#window, () => []);
    this.#rendered = "";
    this.#place = { item: -1, row: 0 };
    this.toEnd();
  }

  /** Renders all rows again. */
  renderAnew(): void {
    this.#rendered = "";
  }

  /** Finds the rows to show at a size. */
  async fit(size: ViewSize): Promise<readonly PlacedRow[]> {
    this.#size = size;
    const { width, page, folding } = size;
    const look = `${width} ${folding}`;
    if (look !== this.#rendered) this.#rows.renderWith(this.#drawing.rowsFor(width, folding));
    this.#rendered = look;
    const rows = this.#rows;
    if (this.hit !== undefined) this.hit = rows.settled(this.hit);
    this.#place = this.#at_end ? await rows.end(page) : await this.#clamped();
    let shown = await rows.from(this.#place, page);
    if (shown.length < page && !this.#at_end) {
      this.#at_end = true;
      this.#place = await rows.end(page);
      shown = await rows.from(this.#place, page);
    }
    this.#shown = shown;
    return shown;
  }

  /** Renders the rows that the next keys may show. */
  async prepare(): Promise<void> {
    const { page } = this.#size;
    const rows = this.#rows;
    try {
      await rows.moved(this.#place, -page);
      await rows.moved(this.#place, 2 * page);
    } catch (error) {
      // Another part may have been opened meanwhile.
      if (rows === this.#rows) throw error;
    }
  }

  /** Stops reading, and resolves once no read is running. */
  close(): Promise<void> {
    return this.#window.close();
  }

  /** Clamps the place to the rows of its item, because another width has others. */
  async #clamped(): Promise<RowPlace> {
    const { item, row } = this.#rows.settled(this.#place);
    const count = (await this.#rows.rowsOf(item) ?? []).length;
    return { item, row: Math.max(0, Math.min(row, count - 1)) };
  }

  #open(): SessionWindow {
    return openWindow(this.#session.at(present({ thread: this.#thread })), {
      onProgress: () => this.#listener.onProgress(),
      between: async () => {
        if (performance.now() - this.#used_at > TYPING_MS) return;
        await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      },
    });
  }
}
