/** Changes this device's entry of a session: begins it, begins a branch, cuts one back. Pure. */
import { Buffer } from "node:buffer";
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { NO_HEAD } from "../branch_segments.ts";
import type { Device, SessionClaim } from "../team_store.ts";
import { type DeviceBranch, MAX_EPOCH } from "./head_document.ts";
import { haveSameReaders } from "./object_keys.ts";
import { nextIndex } from "./plan_append.ts";
import {
  type DeviceEntry,
  type SessionView,
  type ViewBranch,
  writtenEntry,
} from "./session_view.ts";
import type { PendingEntry, ViewSegment } from "./shared_sessions.ts";

/** Returns a new, empty branch of this device. It begins at the start of the session. */
function firstBranch(i: number, time: string): DeviceBranch {
  return { i, prev: NO_HEAD, len: 0, head: NO_HEAD, began_at: time, changed_at: time };
}

/**
 * Makes the entry of a session that is shared by this device first, or anew under other terms.
 *
 * @param is_held True where the claim of another device holds, and nothing of its bytes arrived yet.
 */
export function claimedEntry(
  { id: session, project, form, visible, keys, claim: id = crypto.randomUUID() }: SessionClaim,
  view: SessionView | undefined,
  { owner, device, time }: { owner: string; device: Device; time: string },
  is_held: boolean,
): PendingEntry {
  const own = view?.entries.find((one) =>
    one.device.id === device.id && haveSameReaders(one, { project, visible })
  );
  // One epoch lies between: it says in the former project that the session is there no longer.
  const epoch = view === undefined ? 0 : view.terms.claim.epoch + 2;
  if (!is_held && epoch > MAX_EPOCH) throw noEpochLeft(session);
  const claim = is_held && view ? view.terms.claim : { epoch, at: time, id };
  const wrapped = keys && !is_held
    ? { at: time, age: Buffer.from(keys).toString("base64") }
    : undefined;
  const kept = is_held ? own?.branches ?? [] : [];
  const branches = [...kept, firstBranch(nextIndex({ branches: kept }), time)];
  const entry: DeviceEntry = present({
    ...{ session, form, visible, claim, keys: wrapped, branches, owner, project, device },
  });
  return { entry, before: own && writtenEntry(own) };
}

/**
 * Begins a branch of this device behind a segment.
 *
 * @returns Its index. @throws {SessionError} `io` where no segment ends there.
 */
export function newBranch(
  entry: DeviceEntry,
  holder: ViewBranch | undefined,
  len: number,
  { segments, time }: { segments(branch: ViewBranch): ViewSegment[]; time: string },
): number {
  const i = nextIndex(entry);
  if (len === 0) {
    entry.branches.push(firstBranch(i, time));
    return i;
  }
  const last = holder && segments(holder).find((one) => one.off + one.len === len);
  const piece = holder?.pieces.find((one) => one.len >= len);
  if (last === undefined || piece === undefined) {
    throw new SessionError(
      "io",
      `Cannot share this branch: it continues the session after its first ${len} bytes, but ` +
        "the store does not have all of these bytes. To send the session again: reprise sync push",
    );
  }
  entry.branches.push({
    ...firstBranch(i, time),
    base: { device: piece.device.id, i: piece.i, len },
    ...{ prev: last.head, head: last.head, len },
  });
  return i;
}

/** Cuts a branch back to a segment's end. False if another device wrote the bytes to cut. */
export function cutEntry(
  entry: DeviceEntry,
  { pieces }: ViewBranch,
  segments: readonly ViewSegment[],
  to: number,
  time: string,
): boolean {
  const piece = pieces.find(({ len }) => len >= to);
  if (piece?.device.id !== entry.device.id) return false;
  const from = piece.base?.len ?? 0;
  const head = to === from ? piece.prev : segments.find(({ off, len }) => off + len === to)?.head;
  if (head === undefined) return false;
  const behind = new Set(
    pieces.slice(pieces.indexOf(piece)).filter(({ device }) => device.id === entry.device.id)
      .map(({ i }) => i),
  );
  const { signed: _signed, summary: _summary, device: _device, ...cut } = piece;
  entry.branches = [
    ...entry.branches.filter(({ i }) => !behind.has(i)),
    { ...cut, len: to, head, changed_at: time, is_cut: true },
  ];
  return true;
}

function noEpochLeft(session: string): SessionError {
  const message =
    `Cannot share session ${session} again: its sharing settings were changed too often, ` +
    "probably because of a bug. To share its content, make a copy with a new id (see: reprise " +
    "fork --help), and share the copy";
  return new SessionError("damaged", message);
}

/** Returns the error for a session not claimed here, with its name, so that others go on. */
export function notYours(session: string): SessionError {
  const message = `Cannot append events: this is not your session: ${session}`;
  return new SessionError("permission", message);
}
