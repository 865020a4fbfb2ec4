/** Downloads branches in windows: many sessions share a round trip. */
import { SessionError } from "../../event/session_error.ts";
import { partsOf } from "../branch_segments.ts";
import { checkedBytes, type OpenSegment } from "../segment_codec.ts";
import type { Segment, SegmentRange, SharedBranch, TeamStore } from "../team_store.ts";
import { DivergedError } from "./own_sinks.ts";
import type { Placed, PulledBranch, Sink } from "./sink.ts";

/** What is wanted of a branch, and where it goes. */
export interface Download {
  branch: PulledBranch;
  /** All branches of its session: those before its base hold its first bytes. */
  branches: readonly SharedBranch[];
  /** The first byte wanted, and the chain's head before it. */
  from: number;
  head: string;
  /** The chain's heads that a segment may lead to, where its bytes are written as they come. */
  heads?: ReadonlySet<string>;
  open?: OpenSegment;
  sink: Sink;
}

/** What became of a download. */
export type DownloadOutcome =
  | { kind: "placed"; placed: Placed; bytes: number; received: number }
  /** The log on this machine went on differently. */
  | { kind: "diverged" }
  | { kind: "failed"; error: SessionError };

/** One range of a download. */
interface Part extends SegmentRange {
  to: number;
  download: Download;
}

/** The ranges that make up a download, in their order. */
function rangesOf(download: Download): Part[] {
  const { branch: { owner, session, n, len }, branches, from } = download;
  const parts: Part[] = [];
  let at = from;
  for (const part of partsOf(n, branches)) {
    const to = Math.min(part.to, len);
    if (to > at) parts.push({ owner, session, n: part.n, from: at, to, download });
    at = Math.max(at, to);
  }
  return parts;
}

/**
 * Downloads branches, one after the other. What cannot be taken stops no other.
 *
 * @param onOutcome Gets what became of each, in their order.
 * @throws {SessionError} What stops all: the store is gone, the disk is full.
 */
export async function downloadAll(
  store: TeamStore,
  downloads: readonly Download[],
  onOutcome: (download: Download, outcome: DownloadOutcome) => void,
): Promise<void> {
  const parts = downloads.flatMap((download) => rangesOrNone(download, onOutcome));
  const queue = [...parts];
  const running = new RunningDownloads(queue, onOutcome);
  try {
    const ranges = parts.map(({ owner, session, n, from, to }) => ({
      owner,
      session,
      n,
      from,
      to,
    }));
    if (ranges.length > 0) {
      for await (const window of store.segments(ranges)) {
        for (const segment of window) await running.take(segment);
      }
    }
    await running.end();
  } finally {
    await running.close();
  }
}

function rangesOrNone(
  download: Download,
  onOutcome: (download: Download, outcome: DownloadOutcome) => void,
): Part[] {
  try {
    return rangesOf(download);
  } catch (error) {
    // Branches that lead nowhere: the store lies.
    if (!(error instanceof SessionError)) throw error;
    onOutcome(download, { kind: "failed", error });
    return [];
  }
}

/** Downloads that are put on the disk at a time. */
const FINISHING = 16;

const STOPS: ReadonlySet<string> = new Set(["unreachable", "disk-full"]);

class RunningDownloads {
  readonly #queue: Part[];
  readonly #onOutcome: (download: Download, outcome: DownloadOutcome) => void;
  #at = 0;
  #head = "";
  #bytes = 0;
  #received = 0;
  #current: Download | undefined;
  readonly #finishing: Promise<void>[] = [];

  constructor(
    queue: Part[],
    onOutcome: (download: Download, outcome: DownloadOutcome) => void,
  ) {
    this.#queue = queue;
    this.#onOutcome = onOutcome;
    this.#begin();
  }

  /** Takes the next segment. One that nobody asked for, or that comes too late, is passed over. */
  async take(segment: Segment & SegmentRange): Promise<void> {
    while (this.#queue.length > 0 && !this.#isNext(segment)) {
      if (!this.#queue.some((part, index) => index > 0 && isOf(segment, part))) return;
      // Those before it never came: their branch was cut back meanwhile, or the store keeps them.
      this.#fail(new SessionError("damaged", "Cannot read segment: it is missing in the store"));
    }
    const [part] = this.#queue;
    if (part === undefined) return;
    const { download } = part;
    try {
      const bytes = checkedBytes({ ...segment, n: part.n }, this.#head, download.open);
      if (download.heads?.has(segment.head) === false) throw changedMeanwhile();
      await download.sink.write(bytes);
    } catch (error) {
      return this.#failWith(error);
    }
    this.#at = segment.off + segment.len;
    this.#head = segment.head;
    this.#bytes += segment.len;
    this.#received += segment.bytes.length;
    if (this.#at === part.to) await this.#endPart();
  }

  /** Ends what never got all of its segments. */
  async end(): Promise<void> {
    while (this.#queue.length > 0) {
      this.#fail(new SessionError("damaged", "Cannot read segment: it is missing in the store"));
    }
    await Promise.all(this.#finishing);
  }

  async close(): Promise<void> {
    this.#current?.sink.close();
    await Promise.allSettled(this.#finishing);
  }

  #isNext(segment: Segment & SegmentRange): boolean {
    const [part] = this.#queue;
    return part !== undefined && isOf(segment, part) && segment.off === this.#at &&
      segment.off + segment.len <= part.to;
  }

  async #endPart(): Promise<void> {
    const part = this.#queue.shift();
    if (part === undefined || part.download === this.#queue[0]?.download) return;
    const { download } = part;
    if (this.#head !== download.branch.head) {
      this.#queue.unshift(part);
      return this.#fail(changedMeanwhile());
    }
    const finishing = this.#finish(download, this.#bytes, this.#received);
    // Who waits for it is told; until then it is no rejection that nobody handles.
    finishing.catch(() => {});
    this.#finishing.push(finishing);
    this.#begin();
    if (this.#finishing.length >= FINISHING) await this.#finishing.shift();
  }

  /** Puts a download in its place while the next ones come: the disk takes longer than the store. */
  async #finish(download: Download, bytes: number, received: number): Promise<void> {
    const { sink, branch } = download;
    try {
      const placed = await sink.finish(branch);
      this.#onOutcome(download, { kind: "placed", placed, bytes, received });
    } catch (error) {
      if (!(error instanceof SessionError) || STOPS.has(error.code)) throw error;
      this.#onOutcome(download, { kind: "failed", error });
    } finally {
      sink.close();
    }
  }

  #failWith(error: unknown): void {
    if (error instanceof DivergedError) this.#settle({ kind: "diverged" });
    else if (!(error instanceof SessionError) || STOPS.has(error.code)) throw error;
    else this.#fail(error);
  }

  #fail(error: SessionError): void {
    this.#settle({ kind: "failed", error });
  }

  /** Ends the download at the head of the queue, and begins the next one. */
  #settle(outcome: DownloadOutcome): void {
    const download = this.#queue[0]?.download;
    if (download === undefined) return;
    while (this.#queue[0]?.download === download) this.#queue.shift();
    download.sink.close();
    this.#onOutcome(download, outcome);
    this.#begin();
  }

  #begin(): void {
    const download = this.#queue[0]?.download;
    this.#current = download;
    this.#at = download?.from ?? 0;
    this.#head = download?.head ?? "";
    this.#bytes = 0;
    this.#received = 0;
  }
}

function isOf(segment: SegmentRange, part: Part): boolean {
  return segment.owner === part.owner && segment.session === part.session && segment.n === part.n;
}

function changedMeanwhile(): SessionError {
  return new SessionError("damaged", "Cannot read branch: its end is not the one that was told");
}
