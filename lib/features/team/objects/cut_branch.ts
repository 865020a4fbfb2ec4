/** Cuts a branch of this device back to an earlier end. */
import type { Device } from "../team_store.ts";
import { cutEntry } from "./change_entry.ts";
import { allInParallel } from "./in_parallel.ts";
import type { ObjectStore } from "./object_store.ts";
import type { SessionView, ViewBranch } from "./session_view.ts";
import type { SharedSessions } from "./shared_sessions.ts";

export interface CutMeans {
  objects: ObjectStore;
  sessions: SharedSessions;
  /** The device of this connection. */
  device: Device;
  /** ISO time of the change. */
  time: string;
}

/** Cuts a branch back. False if another branch begins behind the place, or others wrote there. */
export async function cutBranch(
  { objects, sessions, device, time }: CutMeans,
  view: SessionView,
  branch: ViewBranch,
  to: number,
): Promise<boolean> {
  if (view.branches.some(({ base }) => base?.n === branch.n && base.len > to)) return false;
  await sessions.listSegments([view]);
  const segments = sessions.segmentsOf(branch);
  const pending = sessions.ownEntry(view, device);
  if (!cutEntry(pending.entry, branch, segments, to, time)) return false;
  if ((await sessions.write([pending], device)).has(view.session)) return false;
  const gone = segments.filter(({ off }) => off >= to);
  await allInParallel(gone, ({ key }) => objects.delete(key));
  return true;
}

/** Cuts a branch back to where lost bytes begin, if this device alone wrote what follows. */
export async function cutLost(
  means: CutMeans,
  view: SessionView,
  n: number,
  from: number,
): Promise<boolean> {
  const branch = view.branches[n - 1];
  const is_own = branch?.pieces.every(({ len, device }) =>
    len <= from || device.id === means.device.id
  );
  return branch !== undefined && is_own === true && await cutBranch(means, view, branch, from);
}
