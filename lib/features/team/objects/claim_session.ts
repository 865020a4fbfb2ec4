/** Claims a session under the terms that it is to be shared on. */
import { SessionError } from "../../../core/event/session_error.ts";
import { hasTerms } from "../sessions_to_share.ts";
import type { ClaimOutcome, Device, SessionClaim } from "../team_store.ts";
import { claimedEntry } from "./change_entry.ts";
import type { StoreFacts } from "./init_objects.ts";
import type { ObjectStore } from "./object_store.ts";
import { deleteBytes, replaceSession } from "./replace_session.ts";
import type { SessionView } from "./session_view.ts";
import type { SharedSessions } from "./shared_sessions.ts";
import type { TeamMarks } from "./team_marks.ts";

interface ClaimMeans {
  objects: ObjectStore;
  sessions: SharedSessions;
  marks: TeamMarks;
  facts: StoreFacts;
  /** The device of this connection. */
  own: Device;
  place: { owner: string; device: Device; time: string };
}

/**
 * Claims a session. A claim that replaces other terms deletes what was shared under them.
 *
 * @throws {SessionError} `permission` where the store takes sealed sessions alone.
 */
export async function claimSession(
  claim: SessionClaim,
  view: SessionView | undefined,
  { objects, sessions, marks, facts, own, place }: ClaimMeans,
): Promise<ClaimOutcome> {
  const { id, form, anew = false, replace = anew } = claim;
  if (facts.sealed_only && form !== "sealed") {
    const message =
      `Cannot share ${id}: this store accepts only encrypted sessions. Remove the project, ` +
      "then add it again with: reprise sync add --sealed";
    throw new SessionError("permission", message);
  }
  if (view?.is_withdrawn) {
    // A killed push may have left bytes that no entry lists.
    const { project, visible } = claim;
    const left = { owner: place.owner, device: own.id, session: id };
    await deleteBytes(
      objects,
      [view.terms, { project, visible }].map((readers) => ({
        ...left,
        project: readers.project,
        visible: readers.visible,
      })),
    );
    return "withdrawn";
  }
  const is_held = view !== undefined && !anew && hasTerms(view.terms, claim);
  if (view !== undefined && !is_held && !replace) return "other-terms";
  if (is_held && view.branches.length > 0) return "open";
  const unwritten = sessions.pending.get(id);
  const made = claimedEntry(claim, view, place, is_held);
  const pending = unwritten === undefined ? made : { ...made, before: unwritten.before };
  if (view !== undefined && !is_held) {
    await replaceSession(objects, sessions, view, pending, own);
    await marks.remove(sessions.tags, id);
  } else sessions.pending.set(id, pending);
  return "open";
}
