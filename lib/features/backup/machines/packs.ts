/**
 * Names, lists and reads the packs of a user's machines, which are objects in a sync place. Each
 * machine writes below its own prefix, and numbers its packs:
 * `<prefix><key>/<device>/<epoch>-<from>-<to>.pack`. In a later epoch, a machine sends everything
 * again.
 */
import type { PlaceKey } from "./place_key.ts";
import { decodePack, type Pack } from "./stream_record.ts";

export interface PackPlace {
  list(prefix: string): AsyncIterable<readonly { key: string; size: number }[]>;
  get(key: string, limit: number): Promise<{ bytes: Uint8Array } | undefined>;
  /** Writes an object. With null, returns undefined if the object exists already. */
  put(key: string, bytes: Uint8Array, if_tag?: null): Promise<string | undefined>;
  delete(key: string): Promise<void>;
}

export interface MachinePlace {
  objects: PackPlace;
  /** Start of the keys of all objects, ending with `/`. */
  prefix: string;
  key: PlaceKey;
}

/** Position of a pack among the packs of its machine. A joined pack has several numbers. */
export interface PackNumber {
  /** Number of the epoch: the time at which the epoch began, in seconds since 1970. */
  epoch: number;
  /** The pack's number, from 1. Of a joined pack, the first of its numbers. */
  from: number;
  /** The last of the pack's numbers; equal to `from` if no packs were joined. */
  to: number;
}

/** Maximum bytes of a stored pack that is read. */
const MOST_BYTES = 512 * 1024 * 1024;
const NAME =
  /^(?<device>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(?<epoch>\d{1,12})-(?<from>\d{1,9})-(?<to>\d{1,9})\.pack$/;

export function packKey(
  { prefix, key }: Pick<MachinePlace, "prefix" | "key">,
  device: string,
  { epoch, from, to }: PackNumber,
): string {
  return `${prefix}${key.name}/${device}/${epoch}-${from}-${to}.pack`;
}

export interface ListedPack extends PackNumber {
  size: number;
}

/** The packs in a sync place, each by the id of the device that sent them. */
export interface PlacePacks {
  /** Packs that were sealed with this machine's key. */
  packs: Map<string, ListedPack[]>;
  /** Packs that were sealed with a key other than this machine's. */
  others: Map<string, ListedPack[]>;
}

export async function listPlace({ prefix, key: own, objects }: MachinePlace): Promise<PlacePacks> {
  const found: PlacePacks = { packs: new Map(), others: new Map() };
  for await (const page of objects.list(prefix)) {
    for (const { key, size } of page) {
      const [name = "", ...rest] = key.slice(prefix.length).split("/");
      const { device, epoch, from, to } = NAME.exec(rest.join("/"))?.groups ?? {};
      // A conflict copy, or a draft of another program.
      if (device === undefined) continue;
      const all = name === own.name ? found.packs : found.others;
      const packs = all.get(device) ?? [];
      packs.push({ epoch: Number(epoch), from: Number(from), to: Number(to), size });
      all.set(device, packs);
    }
  }
  return found;
}

export async function listPacks(place: MachinePlace): Promise<Map<string, ListedPack[]>> {
  return (await listPlace(place)).packs;
}

export function latestEpoch(packs: readonly PackNumber[], least = 0): number {
  return packs.reduce((latest, one) => Math.max(latest, one.epoch), least);
}

/** `bytes` is the size of the stored, encrypted pack. */
export interface ReadPack extends Pack {
  bytes: number;
}

/** Reads a pack; undefined if it is missing, not complete yet, or sealed with another key. */
export async function readPack(
  place: MachinePlace,
  device: string,
  number: PackNumber,
): Promise<ReadPack | undefined> {
  const key = packKey(place, device, number);
  const found = await place.objects.get(key, MOST_BYTES);
  const opened = found && place.key.open(key.slice(place.prefix.length), found.bytes);
  const pack = opened && decodePack(opened);
  return pack && found && { ...pack, bytes: found.bytes.length };
}

/** Returns the pack that contains number `last + 1`. Prefers the pack with the highest `to`. */
export function packAfter<One extends PackNumber>(
  packs: readonly One[],
  last: number,
): One | undefined {
  return packs.filter(({ from, to }) => from <= last + 1 && to > last)
    .reduce<One | undefined>((most, one) => one.to > (most?.to ?? 0) ? one : most, undefined);
}
