/**
 * The parts of a session's copy. A part's name says which bytes the part has, so a listing tells
 * which bytes are stored. Later editions replace parts from their offset on. Pure.
 */
import { crc32 } from "node:zlib";
import { sha256 } from "../../../core/event/sha256.ts";

/** Whole lines of a copy, stored as one object. */
export interface CopyPart {
  /** The name of the object in the session's folder. */
  name: string;
  /** Number of the edition, from 1. A change in earlier lines of a copy begins a new edition. */
  edition: number;
  /** Offset of the first byte in the copy. */
  off: number;
  /** Number of bytes before compression. */
  len: number;
  /** The first 32 digits of the SHA-256 of the bytes before compression. */
  sha: string;
  /** Time of the push in seconds since 1970, by the machine's clock. */
  at: number;
  /** Number of stored bytes. */
  size: number;
  codec: "zst" | "plain";
}

const NAME =
  /^(?<edition>\d{1,9})-(?<off>\d{1,15})-(?<len>\d{1,9})-(?<sha>[0-9a-f]{32})-(?<at>\d{1,12})-(?<size>\d{1,9})\.(?<codec>zst|plain)$/;

export function partName(part: Omit<CopyPart, "name">): string {
  const { edition, off, len, sha, at, size, codec } = part;
  return `${edition}-${off}-${len}-${sha}-${at}-${size}.${codec}`;
}

/** Parses the name of an object that stores a part of a copy. Undefined for any other name. */
export function parsePart(name: string): CopyPart | undefined {
  const { edition, off, len, sha, at, size, codec } = NAME.exec(name)?.groups ?? {};
  if (sha === undefined) return undefined;
  return {
    ...{ name, sha, codec: codec as CopyPart["codec"], edition: Number(edition), off: Number(off) },
    ...{ len: Number(len), at: Number(at), size: Number(size) },
  };
}

export function partHash(bytes: Uint8Array): string {
  return sha256(bytes).slice(0, 32);
}

/** The valid parts of a copy, in the order of their offsets. */
export interface CurrentParts {
  parts: CopyPart[];
  /** False if bytes are missing before the last part. */
  is_whole: boolean;
}

/** Chooses the valid parts among the stored parts. An aborted push may have left invalid parts. */
export function currentParts(found: readonly CopyPart[]): CurrentParts {
  const sorted = found.toSorted((one, other) =>
    one.edition - other.edition || one.off - other.off || one.at - other.at || one.len - other.len
  );
  const parts: CopyPart[] = [];
  for (const part of sorted) {
    while ((parts.at(-1)?.off ?? -1) >= part.off) parts.pop();
    parts.push(part);
  }
  let end = 0;
  const is_whole = parts.every(({ off, len }) => {
    const follows = off === end;
    end = off + len;
    return follows;
  });
  return { parts, is_whole };
}

export function sumOfNames(names: Iterable<string>): { parts: number; sum: number } {
  let [parts, sum] = [0, 0];
  for (const name of names) {
    parts++;
    sum = (sum + crc32(name)) % 2 ** 32;
  }
  return { parts, sum };
}
