/** Sends the segments of one session, each behind the one before. */
import { SessionError } from "../../event/session_error.ts";
import { nextHead, NO_HEAD, sha256 } from "../chain.ts";
import type { CutLines } from "../segment_cutter.ts";
import { compress, packBytes } from "../segment_codec.ts";
import type { SessionKey } from "../sealed/session_key.ts";
import type {
  AppendOutcome,
  BranchSignature,
  SegmentToAppend,
  SharingTerms,
} from "../team_store.ts";
import type { AppendBatches } from "./append_batches.ts";

/** The place in a branch behind which bytes are to be put. */
export interface AppendPlace {
  n: number;
  len: number;
  head: string;
}

/** What is needed to send. */
export interface SenderMeans {
  batches: AppendBatches;
  /** The program, as rows of lists name it. */
  made_by: string;
  /** The terms under which the session is shared. */
  terms: SharingTerms;
  /** Signs the branch as it ends behind a segment. */
  sign(end: Omit<AppendPlace, "n">): BranchSignature;
  /** The key of a sealed session. */
  key?: SessionKey;
}

/** One session on its way. */
export class SegmentSender {
  readonly #session: string;
  readonly #means: SenderMeans;
  #unanswered = 0;
  /** Where the session ends in the store, if all that was sent is appended. */
  place: AppendPlace = { n: 1, len: 0, head: NO_HEAD };
  /** True where others pushed it meanwhile; final once all batches are answered. */
  moved = false;
  /** The store's refusal of this session alone. */
  refused: SessionError | undefined;
  /** Plain bytes that were appended. */
  bytes = 0;
  /** Bytes that were sent for them. */
  sent_bytes = 0;

  constructor(session: string, means: SenderMeans) {
    this.#session = session;
    this.#means = means;
  }

  /** True where the store answered for every segment that was sent. */
  get is_answered(): boolean {
    return this.#unanswered === 0;
  }

  /**
   * Sends the next segment, whose bytes may be used again after that.
   *
   * @param row What a list shows; with the last segment, so that whoever sees it finds all it tells.
   */
  async send({ off, bytes }: CutLines, row?: Record<string, unknown>): Promise<void> {
    const { batches, made_by, key, terms: { project, form, visible } } = this.#means;
    const { n, head: prev } = this.place;
    const sha = sha256(bytes);
    const len = bytes.length;
    const packed: Pick<SegmentToAppend, "codec" | "bytes"> = key === undefined
      ? packBytes(bytes)
      : { codec: "sealed", bytes: key.sealSegment(compress(bytes), n, off) };
    const end = { len: off + len, head: nextHead(prev, sha) };
    const segment: SegmentToAppend = {
      ...{ session: this.#session, n, prev, off, len, sha, project, form, visible },
      ...packed,
      signed: this.#means.sign(end),
    };
    if (row !== undefined) {
      segment.summary = {
        len: off + len,
        made_by,
        row: key === undefined ? row : key.sealRow(row),
      };
    }
    this.place = { n, ...end };
    this.#unanswered++;
    await batches.add({ segment, done: (outcome) => this.#take(segment, outcome) });
  }

  /** Sends all segments. */
  async sendAll(
    segments: AsyncIterable<CutLines>,
    row: Record<string, unknown> | undefined,
  ): Promise<void> {
    let held: CutLines | undefined;
    for await (const segment of segments) {
      if (held !== undefined) await this.send(held);
      held = segment;
    }
    if (held !== undefined) await this.send(held, row);
  }

  #take({ len, bytes }: SegmentToAppend, outcome: AppendOutcome | SessionError): void {
    this.#unanswered--;
    if (outcome instanceof SessionError) this.refused = outcome;
    else if (outcome.status === "moved") this.moved = true;
    else if (outcome.status === "appended") {
      this.bytes += len;
      this.sent_bytes += bytes.length;
    }
  }
}
