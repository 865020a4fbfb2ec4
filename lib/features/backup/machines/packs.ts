/**
 * The packs of a user's machines as objects of a place. Each machine writes below its own prefix, and
 * numbers its packs: `<prefix><key>/<device>/<epoch>-<from>-<to>.pack`. A later epoch sends all anew.
 */
import type { PlaceKey } from "./place_key.ts";
import { decodePack, type Pack } from "./stream_record.ts";

/** The calls on a place of objects that machines use. */
export interface PackPlace {
  list(prefix: string): AsyncIterable<readonly { key: string; size: number }[]>;
  get(key: string, limit: number): Promise<{ bytes: Uint8Array } | undefined>;
  /** Writes an object. With null, only if there is none. @returns undefined if there is one. */
  put(key: string, bytes: Uint8Array, if_tag?: null): Promise<string | undefined>;
  delete(key: string): Promise<void>;
}

/** The place of a user's machines, and the key that opens their packs. */
export interface MachinePlace {
  objects: PackPlace;
  /** Start of all keys, ending with `/`. */
  prefix: string;
  key: PlaceKey;
}

/** Position of a pack among those of its machine. A joined pack stands for several. */
export interface PackNumber {
  /** Number of the epoch: the time at which it began, in seconds since 1970. */
  epoch: number;
  /** Number of the first pack that it stands for, from 1. */
  from: number;
  /** Number of the last pack that it stands for. */
  to: number;
}

/** Maximum bytes of a pack in a place. */
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

/** A pack in a listing. */
export interface ListedPack extends PackNumber {
  /** Number of bytes in the place. */
  size: number;
}

/** The packs of a place, each by the id of its machine's device. */
export interface PlacePacks {
  /** Packs under this key. */
  packs: Map<string, ListedPack[]>;
  /** Packs under other keys. */
  others: Map<string, ListedPack[]>;
}

/** Lists the packs of a place under all keys. */
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

/** Lists the packs of each machine under this key, by its device's id. */
export async function listPacks(place: MachinePlace): Promise<Map<string, ListedPack[]>> {
  return (await listPlace(place)).packs;
}

/** Returns the latest epoch of a machine's packs. */
export function latestEpoch(packs: readonly PackNumber[], least = 0): number {
  return packs.reduce((latest, one) => Math.max(latest, one.epoch), least);
}

/** A pack, and its size in the place. */
export interface ReadPack extends Pack {
  bytes: number;
}

/** Reads a pack; undefined if it is not there yet, not whole yet, or not of this key. */
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

/** Returns the pack that follows a number of packs: the one that stands for most. */
export function packAfter<One extends PackNumber>(
  packs: readonly One[],
  last: number,
): One | undefined {
  return packs.filter(({ from, to }) => from <= last + 1 && to > last)
    .reduce<One | undefined>((most, one) => one.to > (most?.to ?? 0) ? one : most, undefined);
}
