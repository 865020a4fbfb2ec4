/** Takes the bytes of a session out of a store, and begins it anew under other terms. */
import type { Device } from "../team_store.ts";
import { allInParallel } from "./in_parallel.ts";
import {
  haveSameReaders,
  isConflictCopy,
  ownerBases,
  ownerHeads,
  segmentPrefix,
  type SessionPlace,
} from "./object_keys.ts";
import type { ObjectStore } from "./object_store.ts";
import { type DeviceEntry, type SessionView, writtenEntry } from "./session_view.ts";
import { type PendingEntry, placeOf, type SharedSessions } from "./shared_sessions.ts";

/**
 * Leaves a tombstone of a session, and deletes its bytes. The tombstone lists this device's branches
 * until they are deleted: so a cut leaves known work.
 *
 * @returns False if another process of this device wrote the session meanwhile.
 */
export async function withdrawSession(
  objects: ObjectStore,
  sessions: SharedSessions,
  view: SessionView,
  { device, time }: { device: Device; time: string },
): Promise<boolean> {
  const { entry: { keys: _keys, ...entry }, before } = sessions.ownEntry(view, device);
  // Rows with titles go at once.
  const branches = entry.branches.map(({ summary: _summary, ...branch }) => branch);
  const withdrawn = { ...entry, branches, withdrawn_at: time };
  const left = ownEntries(view, device).filter((one) => !haveSameReaders(one, entry));
  const refused = await sessions.write([{ entry: withdrawn, before }], device);
  if (refused.size > 0) return false;
  await deleteBytes(objects, view.entries.map(placeOf));
  const emptied = [withdrawn, ...left].filter((one) => one.branches.length > 0)
    .map((one) => ({ entry: { ...one, branches: [] }, before: writtenEntry(one) }));
  await sessions.write(emptied, device);
  return true;
}

/** Returns a device's entries of a session, one for each head in which the device shared it. */
function ownEntries({ entries }: SessionView, device: Device): DeviceEntry[] {
  return entries.filter((one) => one.device.id === device.id);
}

/** Deletes all objects of devices' sessions, even non-segments such as conflict copies. */
export async function deleteBytes(
  objects: ObjectStore,
  places: readonly SessionPlace[],
): Promise<void> {
  for (const prefix of new Set(places.map(segmentPrefix))) {
    for await (const page of objects.list(prefix)) {
      await allInParallel(page, ({ key }) => objects.delete(key));
    }
  }
}

/** Deletes the conflict copies of an owner's heads and bases: they keep titles. */
export async function deleteConflictCopies(objects: ObjectStore, owner: string): Promise<void> {
  for (const prefix of [ownerHeads(owner), ownerBases(owner)]) {
    for await (const page of objects.list(prefix)) {
      const copies = page.filter(({ key }) => isConflictCopy(key));
      await allInParallel(copies, ({ key }) => objects.delete(key));
    }
  }
}

/** Shares a session anew under other terms. Deletes the bytes that were shared before. */
export async function replaceSession(
  objects: ObjectStore,
  sessions: SharedSessions,
  view: SessionView,
  pending: PendingEntry,
  device: Device,
): Promise<void> {
  const { claim } = pending.entry;
  const { entry: { keys: _keys, ...old }, before } = sessions.ownEntry(view, device);
  // In its former head the entries of other devices hold no longer.
  const moved = { ...old, claim: { ...claim, epoch: claim.epoch - 1 }, branches: [] };
  const left = haveSameReaders(view.terms, pending.entry) ? [] : [{ entry: moved, before }];
  await sessions.write([pending, ...left], device);
  await deleteBytes(objects, view.entries.map(placeOf));
}
