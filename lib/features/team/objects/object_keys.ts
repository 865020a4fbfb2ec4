/**
 * The keys of a team's objects. Each is a safe file name on every system: lower-case letters, digits,
 * and `.-_`. Files with other names, such as conflict copies, are ignored. Pure.
 */
import { Buffer } from "node:buffer";
import { sha256 } from "../branch_segments.ts";
import type { Segment, SegmentCodec, SharingTerms } from "../team_store.ts";

/** Key prefix of heads and marks. A single listing shows which of them have changed. */
export const HEADS = "v1/heads/";
/** The prefix of the keys of pages, which hold the older entries of heads. */
export const BASES = "v1/bases/";
/** The object with the store's id and version, written once. */
export const STORE_KEY = `${HEADS}store.json`;

/** A device of an owner. All keys that the device writes have a prefix made of both. */
export interface DevicePlace {
  owner: string;
  /** The device's id. */
  device: string;
}

/** The readers of an object: those of a project, or the owner alone. */
export type KeyReaders = Pick<SharingTerms, "project" | "visible">;

/** A device's place for what the same members read. */
export interface GroupPlace extends DevicePlace, KeyReaders {}

/** A device's place for the bytes of a session. */
export interface SessionPlace extends GroupPlace {
  session: string;
}

/** True if the same members read both. */
export function haveSameReaders(one: KeyReaders, other: KeyReaders): boolean {
  return one.project === other.project && one.visible === other.visible;
}

const text = new TextEncoder();

/** Returns a name of 32 characters for a project or a session, made from the SHA-256 of its id. */
export function hashedName(name: string): string {
  return sha256(text.encode(name)).slice(0, 32);
}

/** Returns a name in characters for keys. Its prefix avoids names that systems reserve. */
function encodedName(name: string): string {
  return `u-${
    name.replaceAll(
      /[^a-z0-9-]/gu,
      (one) => `_${Buffer.from(one).toString("hex")}_`,
    )
  }`;
}

/** Returns the prefix of a member's machines, whose packs are in the same place. */
export function machinePrefix(owner: string): string {
  return `v1/machines/${encodedName(owner)}/`;
}

function devicePath({ owner, device }: DevicePlace): string {
  return `${encodedName(owner)}/${device}`;
}

/** Returns the name of a project, after `p-` for its readers, or `m-` for the owner alone. */
function groupName({ project, visible }: KeyReaders): string {
  return `${visible === "team" ? "p" : "m"}-${hashedName(project)}`;
}

/** Returns the prefix of the heads and marks of an owner. */
export function ownerHeads(owner: string): string {
  return `${HEADS}${encodedName(owner)}/`;
}

export function ownerBases(owner: string): string {
  return `${BASES}${encodedName(owner)}/`;
}

export function headKey(place: GroupPlace): string {
  return `${HEADS}${devicePath(place)}/${groupName(place)}.json`;
}

export function marksKey(place: DevicePlace): string {
  return `${HEADS}${devicePath(place)}/marks.json`;
}

/** Returns the prefix of the pages of a head, with those that the head names no longer. */
export function baseFolder(place: GroupPlace): string {
  return `${BASES}${devicePath(place)}/${groupName(place)}/`;
}

/** Returns the key of a page by its name, the first 32 digits of its SHA-256. */
export function baseKey(place: GroupPlace, name: string): string {
  return `${baseFolder(place)}${name}.json`;
}

/** Returns the name of a page; undefined for the key of another object. */
export function pageName(key: string): string | undefined {
  return BASE.exec(key)?.[1];
}

/** Returns the key of the fold, which holds copies of a project's heads. */
export function foldKey(project: string): string {
  return `${HEADS}fold-${hashedName(project)}.json`;
}

const HEAD =
  /^v1\/heads\/u-[a-z0-9_-]+\/[0-9a-f-]{36}\/(?:[pm]-(?<project>[0-9a-f]{32})|(?<marks>marks))\.json$/;

/** Returns the kind of an object below {@linkcode HEADS}; undefined for a foreign one. */
export function headKind(key: string): { project: string } | "marks" | undefined {
  const { project, marks } = HEAD.exec(key)?.groups ?? {};
  if (marks !== undefined) return "marks";
  return project === undefined ? undefined : { project };
}

const COPY = /\/(?:[pm]-[0-9a-f]{32}|marks|[0-9a-f]{32})[^/]+$/;
const BASE = /\/([0-9a-f]{32})\.json$/;

/** True if a key names a conflict copy of a head or page, which folder sync services make. */
export function isConflictCopy(key: string): boolean {
  return COPY.test(key) && !BASE.test(key) && headKind(key) === undefined;
}

export function deviceSegments(place: DevicePlace): string {
  return `v1/segments/${devicePath(place)}/`;
}

export function segmentPrefix(place: SessionPlace): string {
  return `${deviceSegments(place)}${groupName(place)}/${hashedName(place.session)}/`;
}

/** The facts about a segment that its key contains. */
export interface SegmentName extends Pick<Segment, "off" | "len" | "sha" | "codec"> {
  key: string;
  /** Start of the chain's hash before the segment. It tells a killed push's segments apart. */
  prev: string;
  /** Size of the stored bytes. */
  size: number;
  /** The number of the branch for which the segment was sealed; absent if it is not sealed. */
  sealed_n?: number;
}

/** Number of first characters of the chain's hash that a key contains. */
const PREV = 8;
const SEGMENT =
  /\/(?<folder>[0-9a-f]{32})\/(?<off>\d{1,15})-(?<len>\d{1,9})-(?<sha>[0-9a-f]{64})-(?<prev>[0-9a-f]{8})-(?<size>\d{1,9})(?:-(?<n>\d{1,9}))?\.(?<codec>plain|zstd|sealed)$/;

/** Returns the first characters of the chain's head, as keys have them. */
export function prevName(head: string): string {
  return head.slice(0, PREV).padStart(PREV, "0");
}

/** Returns the key and the facts of a segment, below the prefix of its session. */
export function segmentName(
  prefix: string,
  { off, len, sha, codec, bytes }: Omit<Segment, "head">,
  prev: string,
  n: number,
): SegmentName {
  const size = bytes.length;
  const sealed_n = codec === "sealed" ? { sealed_n: n } : {};
  const number = codec === "sealed" ? `-${n}` : "";
  const key = `${prefix}${off}-${len}-${sha}-${prevName(prev)}-${size}${number}.${codec}`;
  return { key, off, len, sha, codec, prev: prevName(prev), size, ...sealed_n };
}

/** Parses a segment's key. Also gives its session's folder. Undefined for another key. */
export function parseSegmentKey(
  key: string,
): { folder: string; segment: SegmentName } | undefined {
  const { folder, off, len, sha, prev, size, n, codec } = SEGMENT.exec(key)?.groups ?? {};
  if (folder === undefined || sha === undefined || prev === undefined) return undefined;
  const numbers = { off: Number(off), len: Number(len), size: Number(size) };
  const sealed_n = n === undefined ? {} : { sealed_n: Number(n) };
  const segment = { key, sha, prev, codec: codec as SegmentCodec, ...numbers, ...sealed_n };
  return { folder, segment };
}
