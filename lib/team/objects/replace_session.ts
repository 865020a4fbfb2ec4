/** Takes the bytes of a session out of a store, and begins it anew under other terms. */
import type { Device } from "../team_store.ts";
import { allInParallel } from "./in_parallel.ts";
import type { ObjectStore } from "./object_store.ts";
import type { SegmentIndex } from "./segment_index.ts";
import type { SessionView } from "./session_view.ts";
import { type PendingEntry, placeOf, type SharedSessions } from "./shared_sessions.ts";

/** Leaves a tombstone of a session, and deletes its bytes. */
export async function withdrawSession(
  objects: ObjectStore,
  sessions: SharedSessions,
  view: SessionView,
  { device, time }: { device: Device; time: string },
): Promise<void> {
  const pending = sessions.ownEntry(view, device);
  const { keys: _keys, ...entry } = pending.entry;
  const withdrawn = { ...entry, branches: [], withdrawn_at: time };
  await sessions.write([{ ...pending, entry: withdrawn }], device);
  await deleteBytes(objects, sessions.index, view);
}

/** Deletes the segments of a session on all devices of its owner. */
async function deleteBytes(
  objects: ObjectStore,
  index: SegmentIndex,
  { entries }: SessionView,
): Promise<void> {
  const places = entries.map(placeOf);
  await index.list(places);
  const keys = new Set(places.flatMap((place) => index.keys(place)));
  await allInParallel([...keys], (key) => objects.delete(key));
}

/** Begins a session anew under other terms. Its former bytes are deleted at once. */
export async function replaceSession(
  objects: ObjectStore,
  sessions: SharedSessions,
  view: SessionView,
  pending: PendingEntry,
  device: Device,
): Promise<void> {
  const { claim, project } = pending.entry;
  const { entry: { keys: _keys, ...old }, before } = sessions.ownEntry(view, device);
  // In its former project the entries of other devices hold no longer.
  const moved = { ...old, claim: { ...claim, epoch: claim.epoch - 1 }, branches: [] };
  const left = view.terms.project === project ? [] : [{ entry: moved, before }];
  await sessions.write([pending, ...left], device);
  await deleteBytes(objects, sessions.index, view);
}
