/** Downloads branches in windows: many sessions share a round trip. */
import { SessionError } from "../../../core/event/session_error.ts";
import { partsOf } from "../branch_segments.ts";
import { checkedBytes } from "../segment_codec.ts";
import type { Segment, SegmentRange, TeamStore } from "../team_store.ts";
import type { IncomingFile, PlacedBranch } from "./incoming_file.ts";
import type { PullStep } from "./plan_pull.ts";
import type { PlannedSession } from "./plan_sessions.ts";

/** A branch to download, and the file that receives it. */
export interface Download extends Omit<PlannedSession, "plan"> {
  step: PullStep;
  file: IncomingFile;
}

/** The result of a download: its place and its plain bytes; or its failure. */
export type DownloadOutcome =
  | { placed: PlacedBranch; bytes: number }
  | SessionError;

/** The executor of a pull, which is told of finished downloads. */
interface DownloadListener {
  /** Puts a branch in its place, after its bytes are synced to the disk. */
  place(download: Download): Promise<PlacedBranch>;
  done(download: Download, outcome: DownloadOutcome): void;
}

interface Part extends SegmentRange {
  to: number;
  download: Download;
}

type StoredSegment = Segment & SegmentRange;

/** The most downloads that are synced to the disk at a time. */
const FINISHING = 16;

const STOPS: ReadonlySet<string> = new Set(["unreachable", "disk-full"]);

/**
 * Downloads branches, one after the other. A branch that fails stops no other.
 *
 * @throws {SessionError} A failure that stops all: the store is gone, the disk is full.
 */
export async function downloadAll(
  store: TeamStore,
  downloads: readonly Download[],
  listener: DownloadListener,
): Promise<void> {
  const parts = downloads.flatMap((download) => rangesOrNone(download, listener));
  if (parts.length === 0) return;
  const incoming: Incoming = { segments: eachSegment(store, parts), held: undefined, left: parts };
  const finishing: Promise<void>[] = [];
  try {
    for (const [download, own] of Map.groupBy(parts, (part) => part.download)) {
      const received = await receive(download, own, incoming);
      if (received instanceof SessionError) {
        listener.done(download, received);
        continue;
      }
      const finished = finish(download, received, listener);
      // The rejection is awaited later; until then it is no unhandled one.
      finished.catch(() => {});
      finishing.push(finished);
      if (finishing.length >= FINISHING) await finishing.shift();
    }
    await Promise.all(finishing);
  } finally {
    await Promise.allSettled(finishing);
    await incoming.segments.return(undefined);
  }
}

function rangesOrNone(download: Download, listener: DownloadListener): Part[] {
  try {
    return rangesOf(download);
  } catch (error) {
    // Branches that lead nowhere: the store lies.
    if (!(error instanceof SessionError)) throw error;
    listener.done(download, error);
    return [];
  }
}

function rangesOf(download: Download): Part[] {
  const { step: { branch: { owner, session, n, len }, from }, all } = download;
  const parts: Part[] = [];
  let at = from;
  for (const part of partsOf(n, all)) {
    const to = Math.min(part.to, len);
    if (to > at) parts.push({ owner, session, n: part.n, from: at, to, download });
    at = Math.max(at, to);
  }
  return parts;
}

/** The segments of all downloads, in the order in which the store sends them. */
interface Incoming {
  segments: AsyncGenerator<StoredSegment, void>;
  /** A segment that was read too early, because it belongs to a later part. */
  held: StoredSegment | undefined;
  /** The parts that come after the current one. */
  left: readonly Part[];
}

async function* eachSegment(
  store: TeamStore,
  parts: readonly Part[],
): AsyncGenerator<StoredSegment, void> {
  const ranges = parts.map(({ download: _download, ...range }) => range);
  for await (const window of store.segments(ranges)) yield* window;
}

/** Returns a part's next segment; undefined where the store has it no longer. */
async function nextSegment(
  incoming: Incoming,
  part: Part,
  at: number,
): Promise<StoredSegment | undefined> {
  for (;;) {
    const segment = incoming.held ?? (await incoming.segments.next()).value ?? undefined;
    incoming.held = undefined;
    if (segment === undefined) return undefined;
    const { off, len } = segment;
    if (isOf(segment, part) && off === at && off + len <= part.to) return segment;
    if (incoming.left.some((later) => isOf(segment, later))) {
      incoming.held = segment;
      return undefined;
    }
    // Not asked for, or of a download that failed: it is passed over.
  }
}

function isOf(segment: SegmentRange, part: Part): boolean {
  return segment.owner === part.owner && segment.session === part.session && segment.n === part.n;
}

/** Writes the segments of a download. Returns its plain bytes, or its failure. */
async function receive(
  download: Download,
  parts: readonly Part[],
  incoming: Incoming,
): Promise<number | SessionError> {
  try {
    return await receiveParts(download, parts, incoming);
  } catch (error) {
    download.file.close();
    if (!(error instanceof SessionError) || STOPS.has(error.code)) throw error;
    return error;
  }
}

async function receiveParts(
  { step, key, file }: Download,
  parts: readonly Part[],
  incoming: Incoming,
): Promise<number> {
  let sum = 0;
  let head = step.head;
  for (const part of parts) {
    incoming.left = incoming.left.slice(incoming.left.indexOf(part) + 1);
    for (let at = part.from; at < part.to;) {
      const segment = await nextSegment(incoming, part, at);
      // The branch was cut back meanwhile, or the store withholds it.
      if (segment === undefined) throw missing();
      const bytes = checkedBytes({ ...segment, n: part.n }, head, key);
      if (step.heads?.has(segment.head) === false) throw changedMeanwhile();
      await file.write(bytes);
      ({ head } = segment);
      at += segment.len;
      sum += segment.len;
    }
  }
  if (head !== step.branch.head) throw changedMeanwhile();
  return sum;
}

/** Syncs a download and moves it to its place. The next ones go on, as syncing is slow. */
async function finish(
  download: Download,
  bytes: number,
  listener: DownloadListener,
): Promise<void> {
  try {
    await download.file.sync();
    listener.done(download, { placed: await listener.place(download), bytes });
  } catch (error) {
    if (!(error instanceof SessionError) || STOPS.has(error.code)) throw error;
    listener.done(download, error);
  } finally {
    download.file.close();
  }
}

function missing(): SessionError {
  return new SessionError(
    "damaged",
    "Cannot read shared session: a part of its file is missing in the store; try again later",
  );
}

function changedMeanwhile(): SessionError {
  return new SessionError(
    "damaged",
    "Cannot read shared session: its file in the store was changed while it was read; try again",
  );
}
