/** Finds the backup copies of a session, plain or compressed, to remove secrets from them. */
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { AgentName } from "../../core/event/agent_name.ts";
import { readShortFile } from "../../core/file/short_file.ts";
import { isThere } from "../../core/file/presence.ts";
import { TemporaryFolder } from "../../core/log/temporary_folder.ts";
import { hasKept, keptFolder, scanKept } from "../../library/machine/kept/kept_index.ts";
import {
  copyPath,
  type KeptManifest,
  MANIFEST,
  packedCopy,
  readKeptManifest,
} from "../../library/machine/kept/manifest.ts";
import type {
  CopyFolder,
  ScrubbedBytes,
  ScrubbedFile,
} from "../../library/machine/kept/scrubbed_copies.ts";
import { MARK_BYTES } from "./growth_rule.ts";
import { unpackCopy } from "./unpack_copy.ts";

/** Maximum bytes of a copy, because the copy is held in memory as text. */
const MOST_BYTES = 400 * 1024 * 1024;

export function copiesToScrub(root: string, agent: AgentName, id: string): CopyFolder[] {
  if (!hasKept(root, agent)) return [];
  return scanKept(root, agent).filter((entry) => entry.id === id).flatMap((entry) => {
    const folder = keptFolder(root, entry);
    const manifest = readKeptManifest(folder);
    return manifest === undefined ? [] : [copiesIn(folder, manifest)];
  });
}

function copiesIn(folder: string, manifest: KeptManifest): CopyFolder {
  const paths = new Map<string, string>();
  for (const generation of manifest.generations) {
    for (const file of generation.files) {
      const plain = copyPath(folder, generation, file);
      const is_packed = packedCopy(manifest, file.copy) !== undefined;
      if (is_packed || isThere(plain)) {
        paths.set(file.copy, is_packed ? join(folder, file.copy) : plain);
      }
    }
  }
  const files = [...paths].map(([copy, path]): ScrubbedFile => {
    const file: ScrubbedFile = { path, shared: false, group: folder };
    if (packedCopy(manifest, copy) === undefined) return file;
    return { ...file, read: () => unpacked(folder, manifest, copy) };
  });
  return {
    files,
    finish(scrubbed): ReturnType<CopyFolder["finish"]> {
      for (const file of manifest.generations.flatMap(({ files }) => files)) {
        const made = scrubbed.get(paths.get(file.copy) ?? "");
        if (made === undefined) continue;
        const bytes = made.offset(file.bytes);
        const kept = made.bytes.subarray(0, bytes);
        Object.assign(file, {
          bytes,
          crc: crc32(kept) >>> 0,
          mark: crc32(kept.subarray(-MARK_BYTES)) >>> 0,
        });
      }
      return { path: join(folder, MANIFEST), ...finished(folder, manifest, { paths, scrubbed }) };
    },
  };
}

/**
 * Returns the manifest as bytes. If a compressed copy has secrets, all copies become uncompressed,
 * because other copies are stored as differences from it. The next backup compresses them again.
 */
function finished(
  folder: string,
  manifest: KeptManifest,
  { paths, scrubbed }: {
    paths: ReadonlyMap<string, string>;
    scrubbed: ReadonlyMap<string, ScrubbedBytes>;
  },
): { bytes: Uint8Array; removed: string[] } {
  const removed: string[] = [];
  manifest.packed = manifest.packed?.filter(({ copy, packed }) => {
    const is_plain = scrubbed.has(paths.get(copy) ?? "");
    if (is_plain) removed.push(join(folder, packed));
    return !is_plain;
  }) ?? [];
  return { bytes: new TextEncoder().encode(`${JSON.stringify(manifest)}\n`), removed };
}

async function unpacked(
  folder: string,
  manifest: KeptManifest,
  copy: string,
): Promise<Uint8Array> {
  // If this process is killed, the next run removes the temporary folder.
  using temporary = new TemporaryFolder("repair", folder);
  const made = join(temporary.path, "copy");
  await unpackCopy(folder, manifest, copy, made);
  return readShortFile(made, MOST_BYTES);
}
