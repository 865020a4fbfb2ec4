/** Holds the part of a session that is on the screen, and scrolls it. */
import { present } from "../../../core/event/present.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import { openWindow, type SessionWindow } from "../../../library/handle/window/session_window.ts";
import type { ReaderDrawing } from "../item_drawing.ts";
import { type PlacedRow, type RowPlace, WindowRows } from "./window_rows.ts";
import type { Folding, Move } from "./session_state.ts";

interface ViewSize {
  width: number;
  /** Number of rows of the view. */
  page: number;
  folding: Folding;
}

interface ViewListener {
  onProgress(): void;
  onError(error: unknown): void;
}

/** Milliseconds after a key in which background reading pauses, because more keys may follow. */
const TYPING_MS = 60;
const WAIT_MS = 15;

export class ReaderView {
  readonly #session: SessionHandle;
  readonly #drawing: ReaderDrawing;
  readonly #listener: ViewListener;
  #window: SessionWindow;
  #rows: WindowRows;
  #thread: string | undefined;
  #place: RowPlace = { item: -1, row: 0 };
  #at_end = true;
  #shown: readonly PlacedRow[] = [];
  #size: ViewSize = { width: 0, page: 1, folding: "brief" };
  #rendered = "";
  #used_at = -Infinity;
  /**
   * The selected block's item. Undefined selects the first block on the screen, or the last block
   * if the view is at the end.
   */
  #selected: number | undefined;
  /** True if the view may scroll until the last block is at the top, with empty space below. */
  #past_end = false;
  hit: RowPlace | undefined;

  constructor(session: SessionHandle, drawing: ReaderDrawing, listener: ViewListener) {
    this.#session = session;
    this.#drawing = drawing;
    this.#listener = listener;
    this.#thread = session.thread;
    this.#window = this.#open();
    this.#rows = new WindowRows(this.#window, () => []);
  }

  get window(): SessionWindow {
    return this.#window;
  }

  get rows(): WindowRows {
    return this.#rows;
  }

  /** The id of the shown thread. Undefined for the main thread. */
  get thread(): string | undefined {
    return this.#thread;
  }

  /** The position of the first row on the screen. */
  get place(): RowPlace {
    return this.#place;
  }

  get shown(): readonly PlacedRow[] {
    return this.#shown;
  }

  /** The selected block's item, or the nearest shown block if the selection is off the screen. */
  get current(): number {
    const items = this.#shown.filter(({ text }) => text !== "").map(({ item }) => item);
    const [first = this.#place.item] = items;
    const wanted = this.#selected ?? (this.#at_end ? Infinity : first);
    if (items.includes(wanted)) return wanted;
    return wanted < first ? first : items.at(-1) ?? first;
  }

  isShown({ item, row }: RowPlace): boolean {
    return this.#shown.some((one) => one.item === item && one.row === row);
  }

  /** Pauses background reading for a moment. Called when a key was pressed. */
  touch(): void {
    this.#used_at = performance.now();
  }

  goTo(place: RowPlace): void {
    this.#place = place;
    this.#at_end = false;
  }

  async toHit(place: RowPlace): Promise<void> {
    this.hit = place;
    this.#selected = place.item;
    if (this.isShown(place)) return;
    this.goTo(await this.#rows.moved(place, -Math.floor(this.#shown.length / 3)));
  }

  select(place: RowPlace): void {
    this.goTo(place);
    this.#selected = place.item;
  }

  toEnd(): void {
    this.#at_end = true;
    this.#past_end = false;
    this.#selected = undefined;
  }

  /** Moves the view or the selected block. Returns a message if there is nowhere to move. */
  async move(wish: Move): Promise<string> {
    switch (wish.type) {
      case "scroll":
        return await this.#scroll(wish.rows, true);
      case "page": {
        const rows = Math.max(1, this.#size.page - 1);
        return await this.#scroll(Math.trunc(wish.pages * rows), false);
      }
      case "edge":
        if (wish.to === "end") this.toEnd();
        else this.select({ item: 0, row: 0 });
        return "";
      case "prompt":
        return await this.#toPrompt(wish.step) ? "" : this.#noneText(wish.step, "No more prompts");
      case "select":
        return await this.#toBlock(wish.step) ? "" : this.#noneText(wish.step, "No more blocks");
    }
  }

  /** Scrolls by rows. With `past_end`, the last block may scroll to the top of the screen. */
  async #scroll(rows: number, past_end: boolean): Promise<string> {
    const { item, row } = this.#place;
    this.#past_end = past_end;
    this.goTo(await this.#rows.moved(this.#place, rows));
    const moved = this.#place.item !== item || this.#place.row !== row;
    return moved ? "" : this.#noneText(rows, "");
  }

  /** Returns why a move failed: that earlier messages are still being read, or else `text`. */
  #noneText(step: number, text: string): string {
    const is_read = this.#place.item >= 0 || this.#window.progress.total !== undefined;
    return is_read || step > 0 ? text : "Still reading earlier messages";
  }

  async #toPrompt(step: 1 | -1): Promise<boolean> {
    const { item, row } = this.#place;
    // Within an answer the prompt before is its own.
    const from = row > 0 && step < 0 && item !== -1 ? item + 1 : item;
    const found = await this.#rows.findPrompt(from, step);
    if (found !== undefined) this.select({ item: found, row: 0 });
    return found !== undefined;
  }

  async #toBlock(step: 1 | -1): Promise<boolean> {
    const rows = this.#rows;
    const item = await rows.findBlock(this.current, step);
    if (item === undefined) return false;
    const { page } = this.#size;
    const { length } = await rows.rowsOf(item) ?? [];
    const edge = { item, row: step < 0 ? 0 : Math.max(0, Math.min(length - 1, page) - 1) };
    this.#selected = item;
    if (!this.isShown(edge)) this.goTo(await rows.moved(edge, step < 0 ? 0 : 1 - page));
    return true;
  }

  readOn(): void {
    const window = this.#window;
    window.readAll().catch((error) => {
      if (window === this.#window) this.#listener.onError(error);
    });
  }

  /** Opens the session again at its end, after it has grown or for another thread. */
  reopen(thread: string | undefined): void {
    this.#window.close();
    this.#thread = thread;
    this.hit = undefined;
    this.#window = this.#open();
    this.#rows = new WindowRows(this.#window, () => []);
    this.#rendered = "";
    this.#place = { item: -1, row: 0 };
    this.toEnd();
  }

  renderAnew(): void {
    this.#rendered = "";
  }

  async fit(size: ViewSize): Promise<readonly PlacedRow[]> {
    this.#size = size;
    const { width, page, folding } = size;
    const look = `${width} ${folding}`;
    if (look !== this.#rendered) this.#rows.renderWith(this.#drawing.rowsFor(width, folding));
    this.#rendered = look;
    const rows = this.#rows;
    if (this.hit !== undefined) this.hit = rows.settled(this.hit);
    if (this.#selected !== undefined) {
      this.#selected = rows.settled({ item: this.#selected, row: 0 }).item;
    }
    this.#place = this.#at_end ? await rows.end(page) : await this.#clamped();
    let shown = await rows.from(this.#place, page);
    if (shown.length < page && !this.#at_end) {
      this.#place = await this.#belowEnd(page);
      shown = await rows.from(this.#place, page);
    }
    this.#shown = shown;
    this.#selected = this.current;
    return shown;
  }

  /** Renders the screen above and the screens below, so that the next keys are answered at once. */
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

  /** Returns the place to show if fewer rows than a screen follow the current place. */
  async #belowEnd(page: number): Promise<RowPlace> {
    if (!this.#past_end) {
      this.#at_end = true;
      return await this.#rows.end(page);
    }
    const rows = this.#rows;
    if (await rows.findBlock(this.#place.item, 1) !== undefined) return this.#place;
    const own = await rows.rowsOf(this.#place.item) ?? [];
    if (own.length > 0) {
      const row = Math.min(this.#place.row, Math.max(0, own.length - page));
      return { ...this.#place, row };
    }
    // Items that show nothing follow the last block.
    const item = await rows.findBlock(this.#place.item, -1) ?? this.#place.item;
    const { length } = await rows.rowsOf(item) ?? [];
    return { item, row: Math.max(0, length - page) };
  }

  /** Returns the current place, with its row limited to the rows of its item at this width. */
  async #clamped(): Promise<RowPlace> {
    const { item, row } = this.#rows.settled(this.#place);
    const count = (await this.#rows.rowsOf(item) ?? []).length;
    return { item, row: Math.max(0, Math.min(row, count - 1)) };
  }

  #open(): SessionWindow {
    return openWindow(this.#session.at(present({ thread: this.#thread })), {
      uses_cuts: true,
      onProgress: () => this.#listener.onProgress(),
      between: async () => {
        if (performance.now() - this.#used_at > TYPING_MS) return;
        await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      },
    });
  }
}
