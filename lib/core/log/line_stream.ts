/**
 * First stage of the pipeline: splits bytes into batches of lines.
 *
 * @module
 */
import { type Line, splitChunk, splitRest, startSplit } from "./line_splitter.ts";

/** The lines that end in one chunk of bytes. */
export interface LineBatch {
  /** The lines in the order of the file. Their bytes are valid until `release`. */
  lines: readonly Line[];
  /** Releases the lines, so that their buffer can be filled again. */
  release(): void;
}

/** The position of the first line, the maximum length of a line, and the reuse of chunks. */
export interface LineStreamOptions {
  /** Maximum bytes of a line. Longer lines are marked `oversized`. @default {67108864} */
  max_line_bytes?: number;
  /** Byte offset in the file at which the first chunk begins. @default {0} */
  offset?: number;
  /** Number of the first line, or 0 if the lines before it were not counted. @default {1} */
  line?: number;
  /** Gets each chunk back once its lines are released. */
  recycle?: (chunk: Uint8Array) => void;
}

/** Maximum bytes of a buffer to reuse. Freeing a larger one makes the runtime free long texts. */
const LARGEST_KEPT = 4 * 1024 * 1024;
/** Maximum number of buffers to reuse. More are rarely in use, as parsed batches are released. */
const BATCHES_UNDER_WAY = 4;

function nothingToRelease(): void {}

/**
 * Splits chunks of bytes into lines at 0x0A, one batch for each chunk. Lines keep their offsets,
 * lengths and numbers, and lose CR and BOM. A line over the limit is marked `oversized`, and its
 * bytes are not held.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { LineStream } from "@reprise/reprise/pipeline";
 *
 * const found: number[] = [];
 * await new Blob(["a\r\nb"]).stream().pipeThrough(new LineStream()).pipeTo(
 *   new WritableStream({ write: ({ lines }) => lines.forEach(({ length }) => found.push(length)) }),
 * );
 * assert.deepEqual(found, [3, 1]);
 * ```
 */
export class LineStream extends TransformStream<Uint8Array, LineBatch> {
  /**
   * Makes a stage for the chunks of bytes of one file.
   *
   * @param options The limit, the position of the first line, and the reuse of chunks.
   */
  constructor(options: LineStreamOptions = {}) {
    const state = startSplit(options.max_line_bytes, options.offset, options.line);
    const { recycle } = options;
    super({
      transform(chunk, controller): void {
        const lines = splitChunk(state, chunk);
        const { returnable } = state;
        state.returnable = undefined;
        const release = (): void => {
          recycle?.(chunk);
          if (returnable === undefined || returnable.length > LARGEST_KEPT) return;
          if (state.free.length < BATCHES_UNDER_WAY) state.free.push(returnable);
        };
        if (lines.length === 0) release();
        else controller.enqueue({ lines, release });
      },
      flush(controller): void {
        const rest = splitRest(state);
        if (rest !== undefined) controller.enqueue({ lines: [rest], release: nothingToRelease });
      },
    });
  }
}
