/** Compares the branches of a device with the segments that are there, and stores lost ones again. */
import { nextHead } from "../branch_segments.ts";
import type { Device, LostBytes, StoredCheck, TeamStore } from "../team_store.ts";
import { prevName, segmentName, segmentPrefix } from "./object_keys.ts";
import type { ObjectStore } from "./object_store.ts";
import type { BranchPiece, SessionView, ViewBranch } from "./session_view.ts";
import { placeOf, type SharedSessions } from "./shared_sessions.ts";

interface RestoreMeans {
  objects: ObjectStore;
  sessions: SharedSessions;
  /** The device of this connection, whose segments are compared. */
  device: Device;
}

type Remake = Parameters<TeamStore["restore"]>[0];

export async function restoreSegments(
  means: RestoreMeans,
  views: readonly SessionView[],
  remake: Remake,
): Promise<StoredCheck> {
  const { sessions, device } = means;
  const own = views.flatMap(({ branches }) =>
    branches.flatMap((branch) =>
      branch.pieces.filter((piece) => piece.device.id === device.id)
        .map((piece) => ({ branch, piece }))
    )
  );
  const known = new Set(
    views.filter(({ branches }) => branches.length > 0).map(({ session }) => session),
  );
  const check: StoredCheck = { sessions: 0, restored: 0, known, lost: [] };
  if (own.length === 0) return check;
  check.sessions = new Set(own.map(({ branch }) => branch.session)).size;
  await sessions.index.list(own.map(({ branch }) => placeOf({ ...branch, device })));
  for (const one of own) await restorePiece(means, one, remake, check);
  return check;
}

async function restorePiece(
  { objects, sessions: { index }, device }: RestoreMeans,
  { branch, piece }: { branch: ViewBranch; piece: BranchPiece },
  remake: Remake,
  check: StoredCheck,
): Promise<void> {
  const { session, n } = branch;
  const place = placeOf({ ...branch, device });
  for (;;) {
    const { is_whole, segments } = index.path(place, piece);
    if (is_whole) return;
    const last = segments.at(-1);
    const from = last === undefined ? piece.base?.len ?? 0 : last.off + last.len;
    const head = last?.head ?? piece.prev;
    const next = index.next(place, from);
    const to = Math.min(next?.off ?? piece.len, piece.len);
    const lost: LostBytes = { session, n, from, to, head };
    // Only the same segment leads to what follows.
    const made = await remake(lost, (sha) => {
      const end = nextHead(head, sha);
      return to === piece.len ? end === piece.head : prevName(end) === next?.prev;
    });
    if (made === undefined) return void check.lost.push(lost);
    const segment = { ...made, off: from, len: to - from };
    const named = segmentName(segmentPrefix(place), segment, head, n);
    await objects.put(named.key, made.bytes);
    index.add(place, named);
    check.restored++;
  }
}
