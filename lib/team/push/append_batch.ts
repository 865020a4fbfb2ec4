/** Sends segments of many sessions in one round trip and one commit. */
import { SessionError } from "../../event/session_error.ts";
import type { AppendOutcome, SegmentToAppend, TeamStore } from "../team_store.ts";

/**
 * Stored bytes that are sent together. A longer segment goes by itself. Larger batches, and making one
 * while another is on its way, save no time that is worth the memory: the client copies each of them.
 */
export const BATCH_BYTES = 2 * 1024 * 1024;

/** A segment on its way, and who waits for it. */
export interface Sending {
  segment: SegmentToAppend;
  /** Gets the outcome, or the store's refusal. */
  done(outcome: AppendOutcome | SessionError): void;
}

/** Errors of the store as a whole: no other session will fare better. */
export const FATAL: ReadonlySet<string> = new Set([
  "unreachable",
  "disk-full",
  "unsupported-version",
]);

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

/** One session that the store refuses, as one that was withdrawn meanwhile, stops no other. */
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
