/** Makes the segments that are sent: compressed or sealed, chained and signed. */
import type { SignedPlace } from "../branch_signature.ts";
import { nextHead, sha256 } from "../chain.ts";
import type { SessionKey } from "../sealed/session_key.ts";
import { compress, packBytes } from "../segment_codec.ts";
import type { CutLines } from "../segment_cutter.ts";
import { type SessionToShare, termsOf } from "../sessions_to_share.ts";
import type { BranchSignature, SegmentToAppend, SharedSummary } from "../team_store.ts";
import type { AppendPlace } from "./plan_push.ts";

/** The means to make segments. */
export interface SegmentMeans {
  /** The program, as rows of lists name it. */
  made_by: string;
  /** Signs the end of a branch. */
  sign(place: Omit<SignedPlace, "store" | "owner">): BranchSignature;
}

/** A session whose segments are made. */
export interface SegmentSubject {
  share: SessionToShare;
  /** The key of a sealed one. */
  key?: SessionKey | undefined;
}

/** A segment, and the end of its branch behind it. */
export interface MadeSegment {
  segment: SegmentToAppend;
  end: AppendPlace;
}

/**
 * Makes the segment that goes behind a place.
 *
 * @param row What a list shows; with the last segment, so that whoever sees it finds all it tells.
 */
export function segmentToAppend(
  { made_by, sign }: SegmentMeans,
  { share, key }: SegmentSubject,
  { n, head: prev }: AppendPlace,
  { off, bytes }: CutLines,
  row?: Record<string, unknown>,
): MadeSegment {
  const { project, form, visible } = termsOf(share);
  const session = share.id;
  const sha = sha256(bytes);
  const end = { len: off + bytes.length, head: nextHead(prev, sha) };
  const packed: Pick<SegmentToAppend, "codec" | "bytes"> = key === undefined
    ? packBytes(bytes)
    : { codec: "sealed", bytes: key.sealSegment(compress(bytes), n, off) };
  const segment: SegmentToAppend = {
    ...{ session, n, prev, off, len: bytes.length, sha, project, form, visible },
    ...packed,
    signed: sign({ session, project, ...end }),
  };
  if (row !== undefined) segment.summary = summaryOf(end.len, made_by, row, key);
  return { segment, end: { n, ...end } };
}

function summaryOf(
  len: number,
  made_by: string,
  row: Record<string, unknown>,
  key: SessionKey | undefined,
): SharedSummary {
  return { len, made_by, row: key === undefined ? row : key.sealRow(row) };
}
