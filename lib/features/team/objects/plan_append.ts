/** Decides where lines go that a device puts behind a branch, and notes them in its entry. Pure. */
import { present } from "../../../core/event/present.ts";
import { nextHead } from "../branch_segments.ts";
import { hasTerms } from "../sessions_to_share.ts";
import type { Device, SegmentToAppend } from "../team_store.ts";
import type { DeviceBranch } from "./head_document.ts";
import type { BranchPiece, DeviceEntry, SessionView } from "./session_view.ts";

/** A session during appends: its view and this device's entry. Each append changes both. */
export interface AppendSubject {
  view: SessionView;
  entry: DeviceEntry;
  device: Device;
}

export function nextIndex({ branches }: Pick<DeviceEntry, "branches">): number {
  return branches.reduce((last, { i }) => Math.max(last, i), -1) + 1;
}

/** Plans to append lines. False if the branch ends elsewhere, or is under other terms. */
export function planAppend(
  { view, entry, device }: AppendSubject,
  { n, off, len, sha, prev, signed, summary, ...terms }: SegmentToAppend,
  now: string,
): boolean {
  const branch = view.branches[n - 1];
  if (branch === undefined || branch.len !== off || branch.head !== prev) return false;
  if (!hasTerms(view.terms, terms)) return false;
  const last = branch.pieces.at(-1);
  const end = { len: off + len, head: nextHead(prev, sha), changed_at: now };
  const own = last?.device.id === device.id && !last.is_cut
    ? entry.branches.find(({ i, len }) => i === last.i && len === off)
    : undefined;
  const grown: DeviceBranch = present({
    ...own ?? {
      i: nextIndex(entry),
      base: last && { device: last.device.id, i: last.i, len: off },
      ...{ prev, began_at: now },
    },
    ...{ ...end, signed, summary: summary ?? own?.summary },
  });
  entry.branches = [...entry.branches.filter(({ i }) => i !== grown.i), grown];
  if (own === undefined) forgetPassed(entry, branch.pieces, device);
  const pieces = branch.pieces.filter((piece) => own === undefined || piece !== last);
  branch.pieces = [...pieces, { ...grown, device }];
  Object.assign(branch, end);
  return true;
}

/** Removes data on a branch's former ends, because only that of its last end is used. */
function forgetPassed(entry: DeviceEntry, pieces: readonly BranchPiece[], device: Device): void {
  const passed = new Set(
    pieces.filter((piece) => piece.device.id === device.id).map(({ i }) => i),
  );
  entry.branches = entry.branches.map((branch) => {
    if (!passed.has(branch.i)) return branch;
    const { signed: _signed, summary: _summary, ...rest } = branch;
    return rest;
  });
}
