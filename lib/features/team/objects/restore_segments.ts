/** Compares the branches of a device with the segments that are there, and stores lost ones again. */
import { nextHead } from "../branch_segments.ts";
import type { Device, LostBytes, Segment, StoredCheck, TeamStore } from "../team_store.ts";
import { prevName, segmentName, segmentPrefix } from "./object_keys.ts";
import type { ObjectStore } from "./object_store.ts";
import type { StoredSegment } from "./segment_index.ts";
import type { BranchPiece, SessionView, ViewBranch } from "./session_view.ts";
import { placeOf, type SharedSessions } from "./shared_sessions.ts";

interface RestoreMeans {
  objects: ObjectStore;
  sessions: SharedSessions;
  /** The device of this connection, whose segments are compared. */
  device: Device;
}

type Restoring = Parameters<TeamStore["restore"]>;

export async function restoreSegments(
  means: RestoreMeans,
  views: readonly SessionView[],
  restoring: Restoring,
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
  for (const one of own) await restorePiece(means, one, restoring, check);
  return check;
}

async function restorePiece(
  means: RestoreMeans,
  { branch, piece }: { branch: ViewBranch; piece: BranchPiece },
  restoring: Restoring,
  check: StoredCheck,
): Promise<void> {
  const { objects, sessions: { index }, device } = means;
  const [remake] = restoring;
  const { session, n } = branch;
  const place = placeOf({ ...branch, device });
  for (;;) {
    const { is_whole, segments } = index.path(place, piece);
    if (is_whole) {
      return await restoreChanged(means, { branch, segments, from: piece.prev }, restoring, check);
    }
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

/** Reads the segments of a piece, and stores those again whose bytes are not those that were sent. */
async function restoreChanged(
  { objects, device }: RestoreMeans,
  { branch, segments, from }: { branch: ViewBranch; segments: StoredSegment[]; from: string },
  [remake, isIntact]: Restoring,
  check: StoredCheck,
): Promise<void> {
  if (isIntact === undefined) return;
  const { session, n } = branch;
  let head = from;
  for (const { key, size, prev: _prev, ...named } of segments) {
    const found = await objects.get(key, size);
    const stored: Segment = { ...named, bytes: found?.bytes ?? new Uint8Array() };
    const is_intact = found?.bytes.length === size &&
      await isIntact({ session, n, ...stored }, head);
    if (!is_intact) {
      const lost: LostBytes = { session, n, from: named.off, to: named.off + named.len, head };
      const made = await remake(lost, (sha) => sha === named.sha);
      if (made === undefined) check.lost.push(lost);
      else {
        const place = placeOf({ ...branch, device });
        const next = segmentName(segmentPrefix(place), { ...named, ...made }, head, n).key;
        await objects.put(next, made.bytes);
        // Another version of the library compresses to another length.
        if (next !== key) await objects.delete(key);
        check.restored++;
      }
    }
    head = named.head;
  }
}
