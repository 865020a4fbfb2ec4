/** Replaces a session in the store whose log was rewritten on this machine, as by a scrub. */
import { SessionError } from "../../../core/event/session_error.ts";
import { commonParts, type HashedSegment } from "../branch_segments.ts";
import { LocalLog } from "../local_log.ts";
import { type SessionToShare, termsOf } from "../sessions_to_share.ts";
import type { SyncState } from "../state/sync_state.ts";
import { forgetMarks } from "../sync_marks.ts";
import type { SharedBranch } from "../team_store.ts";
import { isAtEnd, knownSession } from "./known_sessions.ts";
import { claimAnew, type SealingKey, type SealMeans } from "./sealing_key.ts";

/** True if a session ends in the store where this machine left it, and has no other branch. */
export function isWrittenHere(
  state: SyncState,
  id: string,
  branches: readonly SharedBranch[],
): boolean {
  return branches.length === 1 && isAtEnd(knownSession(state, id), branches);
}

/**
 * True if the store has other lines of a rewritten log. A push that was stopped may have replaced some.
 *
 * @throws {SessionError} `io` where another machine continued the session: its lines would be lost.
 */
export async function isToReplace(
  { id, form, session: { path } }: SessionToShare,
  branches: readonly SharedBranch[],
  { state, hashes }: { state: SyncState; hashes: () => Promise<readonly HashedSegment[]> },
): Promise<boolean> {
  if (form === "copy" || branches.length === 0) return false;
  if (isWrittenHere(state, id, branches)) return true;
  using log = new LocalLog(path);
  const parts = commonParts(branches, await hashes(), log);
  if (branches.length === 1 && parts.some(({ next }) => next === undefined)) return false;
  const message =
    "Cannot replace session in the store: its secrets were scrubbed here, and another machine " +
    `continued it. To delete it in the store: reprise sync withdraw ${id}`;
  throw new SessionError("io", message);
}

/**
 * Deletes what the store has of a session, and claims it again under its terms.
 *
 * @returns The new key of a sealed session.
 */
export async function claimRewritten(
  share: SessionToShare,
  means: SealMeans,
): Promise<SealingKey | undefined> {
  const { id, form } = share;
  // Its marks are deleted, too.
  forgetMarks(means.state, id);
  if (form === "sealed") return await claimAnew(share, means);
  const claim = { id, ...termsOf(share), replace: true, anew: true } as const;
  await means.store.claim([claim], means.device);
  return undefined;
}
