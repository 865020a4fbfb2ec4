/**
 * Makes the segments of a push and sends them in batches. Segments are compressed or sealed, chained
 * and signed.
 */
import { SessionError } from "../../../core/event/session_error.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import { nextHead, OPEN_HASHES } from "../branch_segments.ts";
import type { SignedPlace } from "../branch_signature.ts";
import type { SessionKey } from "../sealed/session_key.ts";
import { compress, packBytes } from "../segment_codec.ts";
import type { CutLines } from "../segment_cutter.ts";
import { type SessionToShare, termsOf } from "../sessions_to_share.ts";
import type {
  AppendOutcome,
  BranchSignature,
  SegmentToAppend,
  SharedSummary,
  TeamStore,
} from "../team_store.ts";
import { FATAL } from "./fatal.ts";
import type { AppendPlace } from "./plan_push.ts";

const SHARED = [
  ...["agent", "session_id", "title", "first_user_message", "last_user_message", "created_at"],
  ...["updated_at", "last_seq", "message_count", "turn_count", "usage", "cost_usd"],
  ...["cost_estimated", "models", "status", "archived", "renamed_at", "archived_at"],
] as const;

/** Returns the fields of a summary that other members may see. */
export function sharedRow(summary: Summary): Record<string, unknown> {
  const fields = Object.entries(summary).filter(([name]) =>
    (SHARED as readonly string[]).includes(name)
  );
  return Object.fromEntries(fields);
}

export interface SegmentMeans {
  /** The name of the program and its version, for the rows of lists. */
  made_by: string;
  sign(place: Omit<SignedPlace, "store" | "owner">): BranchSignature;
}

/** The session to make segments of. */
interface SegmentSubject {
  share: SessionToShare;
  key?: SessionKey | undefined;
}

/** A segment, and the branch's end after it. */
interface MadeSegment {
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
  const [sha = ""] = (key ?? OPEN_HASHES).hashes(bytes);
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

/**
 * Stored bytes that are sent together. A longer segment goes by itself. Larger or overlapping
 * batches save little time for their memory, because the client copies each.
 */
export const BATCH_BYTES = 2 * 1024 * 1024;

export interface Sending {
  segment: SegmentToAppend;
  /** Gets the outcome, or the store's refusal. */
  done(outcome: AppendOutcome | SessionError): void;
}

/**
 * Sends segments in their order.
 *
 * @throws {SessionError} What stops all sessions.
 */
export async function appendBatch(store: TeamStore, batch: readonly Sending[]): Promise<void> {
  let outcomes: AppendOutcome[];
  try {
    outcomes = await store.append(batch.map(({ segment }) => segment));
  } catch (error) {
    return await appendApart(store, batch, error);
  }
  for (const [index, { done }] of batch.entries()) {
    const outcome = outcomes[index];
    if (outcome !== undefined) done(outcome);
  }
}

/** Sends each session by itself, so that a refused one, such as a withdrawn one, stops no other. */
async function appendApart(
  store: TeamStore,
  batch: readonly Sending[],
  error: unknown,
): Promise<void> {
  if (!(error instanceof SessionError) || FATAL.has(error.code)) throw error;
  const sessions = Map.groupBy(batch, ({ segment }) => segment.session);
  if (sessions.size > 1) {
    for (const part of sessions.values()) await appendBatch(store, part);
    return;
  }
  const [session = ""] = sessions.keys();
  // Rights that the whole connection lacks: it would be told of a thousand sessions.
  if (error.code === "permission" && !error.message.includes(session)) throw error;
  for (const { done } of batch) done(error);
}
