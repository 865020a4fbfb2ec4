/** The pieces of a log of Reprise's own: any of them is read by its bytes. */
import type { LogEvent } from "../../event/envelope.ts";
import { checksumHistory } from "../../log/checksum_history.ts";
import { readEvents } from "../../log/read_events.ts";
import { BranchPath } from "../../projection/branch_path.ts";
import type { TranscriptItem } from "../../projection/transcript/transcript_item.ts";
import { findBranches, onPath } from "../../session/log_branches.ts";
import { fileState } from "../../session/import/source_state.ts";
import { cutBefore, isSound } from "./piece_fold.ts";
import { foldPiece, PieceFold, WINDOW_KINDS } from "./piece_fold.ts";
import type { FreshPiece, PieceSource, WindowPiece, WindowTail } from "./window_piece.ts";

/** Bytes after which a piece ends as soon as it may. */
const PIECE_BYTES = 128 * 1024;
/** Events after which it does, in sessions of short lines. */
const PIECE_EVENTS = 500;
/** Bytes after which it ends wherever it is. */
const MOST_BYTES = 16 * 1024 * 1024;

/** A stretch of the log. */
interface Stretch {
  from: number;
  to: number;
  /** The number of the event before it, where it is known: salvaging a damaged line needs it. */
  after_seq?: number;
}

/** Reads a log in pieces. */
export class LogPieces implements PieceSource {
  readonly bytes: number;
  readonly #path: string;
  readonly #piece_bytes: number;
  readonly #history: (offset: number) => boolean;
  /** The offset that reading from the beginning has reached: a piece begins there. */
  #reached = 0;
  #tail: (WindowPiece & { from: number })[] = [];
  #way: Promise<BranchPath> | undefined;

  /** @param path The log. @param piece_bytes Bytes after which a piece ends as soon as it may. */
  constructor(path: string, piece_bytes: number = PIECE_BYTES) {
    this.#path = path;
    this.#piece_bytes = piece_bytes;
    this.bytes = fileState(path).bytes;
    this.#history = checksumHistory(path);
  }

  async *forward(
    signal: AbortSignal,
    pause: () => Promise<void>,
  ): AsyncGenerator<FreshPiece> {
    const fold = new PieceFold();
    let start = { from: 0, after_seq: 0 };
    let count = 0;
    const options = { kinds: WINDOW_KINDS, to: this.bytes, signal };
    const way = await this.#mainPath();
    for await (const events of readEvents(this.#path, options)) {
      for (const event of events) {
        if (way.has(event.seq)) fold.apply(event);
        count++;
        // An event that was not parsed has no known place.
        if (event.position === undefined || !isSound(event)) continue;
        const to = event.position.offset + event.position.length;
        if (to > this.#end) break;
        const is_long = to - start.from >= this.#piece_bytes || count >= PIECE_EVENTS;
        if (!(is_long && fold.isCut()) && to - start.from < MOST_BYTES) continue;
        const items = fold.take({ last: to >= this.bytes });
        const stretch = { ...start, to };
        start = { from: to, after_seq: event.seq };
        count = 0;
        this.#reached = to;
        yield this.#fresh(stretch, items);
      }
      const { position } = events.findLast((event) => event.position !== undefined) ?? {};
      if (position !== undefined && position.offset >= this.#end) break;
      await pause();
    }
    // The tail may have grown to before what was folded meanwhile: it is read once more.
    const to = this.#end;
    if (to <= start.from) return;
    this.#reached = to;
    yield this.#fresh({ ...start, to }, await this.#read({ ...start, to }));
  }

  rest(): readonly WindowPiece[] {
    return this.#tail;
  }

  async longerTail(): Promise<WindowTail | undefined> {
    const to = this.#end;
    if (to <= this.#reached) return undefined;
    const cut = await cutBefore(this.#path, {
      to,
      least_bytes: this.#piece_bytes,
      most_bytes: MOST_BYTES,
      way: await this.#mainPath(),
    });
    // The pass from the beginning may have read this piece meanwhile.
    const from = Math.max(cut, this.#reached);
    if (from >= to) return undefined;
    const piece = this.#fresh({ from, to }, await this.#read({ from, to }));
    this.#tail = [{ ...piece.piece, from }, ...this.#tail];
    return { pieces: this.#tail, whole: from === 0 };
  }

  /** Finds the path of the items, once. */
  async #mainPath(): Promise<BranchPath> {
    this.#way ??= findBranches(this.#path).then(({ branches }) => new BranchPath(branches));
    return await this.#way;
  }

  /** The offset at which the tail begins. */
  get #end(): number {
    return this.#tail[0]?.from ?? this.bytes;
  }

  #fresh(stretch: Stretch, items: readonly TranscriptItem[]): FreshPiece {
    const piece = { count: items.length, read: () => this.#read(stretch) };
    return { piece, items, bytes: stretch.to };
  }

  async #read({ from, to, after_seq }: Stretch): Promise<TranscriptItem[]> {
    const events: LogEvent[] = [];
    const after = after_seq === undefined ? {} : { after_seq };
    const options = { kinds: WINDOW_KINDS, from, to, history: this.#history, ...after };
    const way = await this.#mainPath();
    for await (const batch of onPath(way, readEvents(this.#path, options))) {
      for (const one of batch) {
        events.push(one);
      }
    }
    return foldPiece(events, to >= this.bytes);
  }
}
