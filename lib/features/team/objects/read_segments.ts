/** Reads the bytes of segments, some at a time, and gives them in windows. */
import { SessionError } from "../../../core/event/session_error.ts";
import type { Segment, SegmentRange } from "../team_store.ts";
import { inParallel } from "./in_parallel.ts";
import type { ObjectStore } from "./object_store.ts";
import type { ViewSegment } from "./shared_sessions.ts";

/** Number of stored bytes that are read together. */
const WINDOW_BYTES = 4 * 1024 * 1024;

/** A segment, and the range that asked for it. */
export interface WantedSegment {
  range: SegmentRange;
  segment: ViewSegment;
}

/** Yields segments in order, several at a time. Leaves out segments that were deleted meanwhile. */
export async function* readSegments(
  objects: ObjectStore,
  wanted: readonly WantedSegment[],
): AsyncGenerator<(Segment & SegmentRange)[]> {
  for (const window of windowsOf(wanted)) {
    const read: (Segment & SegmentRange)[] = [];
    for await (const segment of inParallel(window, (one) => readSegment(objects, one))) {
      if (segment !== undefined) read.push(segment);
    }
    if (read.length > 0) yield read;
  }
}

function* windowsOf(wanted: readonly WantedSegment[]): Generator<WantedSegment[]> {
  let [window, bytes]: [WantedSegment[], number] = [[], 0];
  for (const one of wanted) {
    if (bytes > 0 && bytes + one.segment.size > WINDOW_BYTES) {
      yield window;
      [window, bytes] = [[], 0];
    }
    window.push(one);
    bytes += one.segment.size;
  }
  if (window.length > 0) yield window;
}

async function readSegment(
  objects: ObjectStore,
  { range, segment: { key, prev: _prev, size, ...segment } }: WantedSegment,
): Promise<(Segment & SegmentRange) | undefined> {
  const found = await objects.get(key, size);
  if (found === undefined) return undefined;
  if (found.bytes.length === size) return { ...range, ...segment, bytes: found.bytes };
  const message =
    `Cannot read shared session: its file in the store is incomplete at byte ${segment.off}. ` +
    "If the store is still syncing, try again later";
  throw new SessionError("damaged", message, { offset: segment.off });
}
