/** Restores a compressed copy. A copy stored as a difference also needs later copies. */
import { join } from "node:path";
import { SessionError } from "../../core/event/session_error.ts";
import { isThere } from "../../core/file/presence.ts";
import { removeQuietly } from "../../core/file/remove_quietly.ts";
import {
  copyPath,
  type KeptManifest,
  LATEST,
  latestOf,
  type PackedCopy,
  packedCopy,
} from "../../library/machine/kept/manifest.ts";
import { writeWhole } from "../../core/log/write_whole.ts";
import { openSync } from "../../core/platform/files.ts";
import { readPacked } from "./packed_file.ts";

/** Returns the path of a copy that exists uncompressed; undefined if there is none. */
export function plainCopy(
  folder: string,
  manifest: KeptManifest,
  copy: string,
): string | undefined {
  const name = copy.slice(LATEST.length + 1);
  const path = copy.startsWith(`${LATEST}/`)
    ? copyPath(folder, latestOf(manifest), { name, copy })
    : join(folder, copy);
  return isThere(path) ? path : undefined;
}

/**
 * Restores a copy to a file, and checks its hash.
 *
 * @param made Absolute path of the file to make.
 * @throws {SessionError} `damaged` if the restored copy does not match its hash; `not-found`,
 * `permission`, `io`
 */
export async function unpackCopy(
  folder: string,
  manifest: KeptManifest,
  copy: string,
  made: string,
): Promise<void> {
  const { chain, plain } = chainOf(folder, manifest, copy);
  let base = plain;
  for (const [index, packed] of chain.toReversed().entries()) {
    const before = base;
    base = index === chain.length - 1 ? made : `${made}.${index}`;
    try {
      await unpackInto(base, join(folder, packed.packed), packed, before);
    } finally {
      if (before !== undefined && before !== plain) removeQuietly(before);
    }
  }
}

/**
 * Returns a copy's own compressed file, then the files of its bases. A base is the copy that a
 * difference was made from. `plain` is the path of the last base if that one is uncompressed.
 */
function chainOf(
  folder: string,
  manifest: KeptManifest,
  copy: string,
): { chain: PackedCopy[]; plain: string | undefined } {
  const chain: PackedCopy[] = [];
  let at: string | undefined = copy;
  while (at !== undefined) {
    const plain = chain.length === 0 ? undefined : plainCopy(folder, manifest, at);
    if (plain !== undefined) return { chain, plain };
    const packed = packedCopy(manifest, at);
    if (packed === undefined || chain.includes(packed)) throw damaged(join(folder, at));
    chain.push(packed);
    at = packed.base;
  }
  return { chain, plain: undefined };
}

async function unpackInto(
  made: string,
  path: string,
  { sha256 }: PackedCopy,
  base: string | undefined,
): Promise<void> {
  try {
    using file = openSync(made, { write: true, createNew: true, mode: 0o600 });
    const found = await readPacked(path, base, (bytes) => writeWhole(file, bytes));
    if (found !== sha256) throw damaged(path);
  } catch (error) {
    removeQuietly(made);
    throw error;
  }
}

function damaged(path: string): SessionError {
  const message = `Cannot restore session: the copy differs from the backup: ${path}`;
  return new SessionError("damaged", message, { path });
}
