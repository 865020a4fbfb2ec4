/** Writes the files of a bundle to their final paths: all of them, or none. */
import { dirname } from "node:path";
import { draftPath } from "../../../core/file/draft_file.ts";
import { isFolderThere, isThere } from "../../../core/file/presence.ts";
import { removeQuietly } from "../../../core/file/remove_quietly.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { writeWhole } from "../../../core/log/write_whole.ts";
import type { OpenFile } from "../../../core/platform/file_system.ts";
import { linkSync, openSync } from "../../../core/platform/files.ts";
import { makeDirectories } from "../../../core/store/create_log.ts";
import { syncDirectories } from "../../../core/store/sync_directories.ts";
import type { SealKeys } from "../../../text/seal/open_sealed.ts";
import { type PartSink, readBundle } from "./bundle_stream.ts";
import { type DirectoryMove, movingSink } from "./moved_records.ts";
import type { BundlePart } from "./manifest.ts";
import type { BundlePlaces } from "./session_parts.ts";

export interface BundlePlan extends Pick<BundlePlaces, "paths" | "beside"> {
  path: string;
  keys: SealKeys;
  /** The directory to replace in records; absent to write all bytes as they are. */
  move?: DirectoryMove;
}

/**
 * Writes a bundle's files under temporary names. Gives them their final names once all were
 * checked, the main file last. No existing file is replaced.
 *
 * @returns A function that removes the files again.
 * @throws {SessionError} As `readBundle`; `io`, `permission`, `disk-full`
 */
export async function placeBundle({ path, keys, ...plan }: BundlePlan): Promise<() => void> {
  return await placeFiles(plan, async (open) => {
    await readBundle(path, keys, open);
  });
}

export type FilesPlan = Pick<BundlePlan, "paths" | "beside" | "move">;

/** Returns the sink that gets all bytes of a part; undefined to leave the part out. */
export type OpenPart = (part: Pick<BundlePart, "kind" | "name">) => PartSink | undefined;

/**
 * Writes a session's files under temporary names. Gives them their final names once all are
 * written, the main file last. No existing file is replaced.
 *
 * @param read Opens each part in order, and writes its bytes.
 * @returns A function that removes the files again.
 * @throws {SessionError} `io`, `permission`, `disk-full`
 */
export async function placeFiles(
  { paths, beside, move }: FilesPlan,
  read: (open: OpenPart) => void | Promise<void>,
): Promise<() => void> {
  const folders: string[] = [];
  const drafts: Draft[] = [];
  const missing = beside.filter((file) => !isThere(file.path));
  const targets = [...paths, ...missing.map((file) => file.path)];
  const named: string[] = [];
  let done = false;
  const remove = (): void => {
    for (const made of named) removeQuietly(made);
    for (const folder of folders.toReversed()) removeQuietly(folder);
  };
  const draftAt = (target: string): Draft => {
    for (const folder of missingFolders(dirname(target))) folders.push(folder);
    makeDirectories(dirname(target));
    const draft = new Draft(draftPath(target));
    drafts.push(draft);
    return draft;
  };
  try {
    await read(({ kind, name }) => {
      const target = kind === "patch" ? undefined : paths[drafts.length];
      if (target === undefined) return undefined;
      const draft = draftAt(target);
      const moves = kind === "session" && move !== undefined && /\.jsonl?$/.test(name);
      return moves ? movingSink(draft, move) : draft;
    });
    for (const file of missing) {
      const draft = draftAt(file.path);
      draft.write(new TextEncoder().encode(file.text));
      draft.end();
    }
    for (const [index, target] of [...targets.entries()].reverse()) {
      linkSync(drafts[index]?.path ?? "", target);
      named.push(target);
    }
    await syncDirectories([...new Set([...targets, ...folders].map((one) => dirname(one)))]);
    done = true;
    return remove;
  } catch (error) {
    throw toSessionError(error, "write session", paths[0] ?? "");
  } finally {
    for (const draft of drafts) draft.remove();
    if (!done) { for (const folder of folders.reverse()) removeQuietly(folder); }
  }
}

class Draft implements PartSink {
  readonly path: string;
  readonly #file: OpenFile;
  #open = true;

  constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, { write: true, createNew: true, mode: 0o600 });
  }

  write(bytes: Uint8Array): void {
    writeWhole(this.#file, bytes);
  }

  end(): void {
    this.#file.syncSync();
    this.#file.close();
    this.#open = false;
  }

  remove(): void {
    if (this.#open) this.#file.close();
    removeQuietly(this.path);
  }
}

function missingFolders(folder: string): string[] {
  return isFolderThere(folder) ? [] : [...missingFolders(dirname(folder)), folder];
}
