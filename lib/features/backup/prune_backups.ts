/**
 * Removes generations of backups, and compresses the remaining generations. Never removes the
 * newest generation or the generation that appears in lists.
 */
import { join } from "node:path";
import { AGENT_NAMES, type AgentName, REPRISE } from "../../core/event/agent_name.ts";
import { keptFolder, scanKept } from "../../library/machine/kept/kept_index.ts";
import {
  type KeptGeneration,
  type KeptManifest,
  readKeptManifest,
  shownGeneration,
} from "../../library/machine/kept/manifest.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { readDirSync, removeSync } from "../../core/platform/files.ts";
import { folderSize } from "../../core/store/trash/store_size.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import { writeManifest } from "./kept_folder.ts";
import { lockBackups } from "./lock_backups.ts";
import { needsPacking, packableFiles, packGenerations } from "./pack_generations.ts";

export interface PruneBackupsOptions {
  agents?: readonly AgentName[] | undefined;
  /** Number of newest generations that stay, for each session. @default {all} */
  keep?: number | undefined;
  /** Removes backup generations whose last byte was copied before this time. @default {none} */
  before?: Date | undefined;
  dry: boolean;
  now: Date;
}

export interface PrunedBackup {
  ref: string;
  /** The numbers of the removed generations. */
  removed: number[];
  /** Size of the copies to compress, in bytes before compression. */
  packed: number;
  /** Size of the session's backup before pruning, in bytes on the disk. */
  before_bytes: number;
  /** Size of the session's backup after pruning, in bytes on the disk; absent in a dry run. */
  after_bytes?: number;
}

/**
 * Removes generations of each session's backup, oldest first, and compresses the others.
 *
 * @param root The data root.
 * @returns The outcome for each session whose generations are removed or compressed.
 * @throws {SessionError} `locked` while a watch backs up sessions; `permission`, `disk-full`, `io`
 */
export async function* pruneBackups(
  root: string,
  options: PruneBackupsOptions,
): AsyncGenerator<PrunedBackup> {
  const lock = options.dry ? undefined : await lockBackups(root, options.now, "prune backups");
  try {
    const { agents = AGENT_NAMES } = options;
    for (const agent of agents.filter((name) => name !== REPRISE)) {
      for (const entry of scanKept(root, agent)) {
        const pruned = await pruneOne(keptFolder(root, entry), options);
        if (pruned !== undefined) yield pruned;
      }
    }
  } finally {
    lock?.release();
  }
}

async function pruneOne(
  folder: string,
  options: PruneBackupsOptions,
): Promise<PrunedBackup | undefined> {
  const manifest = readKeptManifest(folder);
  if (manifest === undefined) return undefined;
  const going = goingOf(manifest, options);
  const rest = without(manifest, going);
  const packable = packableFiles(rest);
  const unnamed = unnamedFolders(folder, rest);
  const is_settled = going.length === 0 && unnamed.length === 0 && !needsPacking(folder, rest);
  if (is_settled) return undefined;
  const pruned: PrunedBackup = {
    ref: sessionRef(manifest),
    removed: going.map(({ number }) => number),
    packed: packable.reduce((sum, { bytes }) => sum + bytes, 0),
    before_bytes: folderSize(folder).bytes,
  };
  if (options.dry) return pruned;
  try {
    if (going.length > 0) await writeManifest(folder, rest, true);
    for (const path of unnamed) removeSync(path, { recursive: true });
  } catch (error) {
    throw toSessionError(error, "prune backup", folder);
  }
  await packGenerations(folder);
  return { ...pruned, after_bytes: folderSize(folder).bytes };
}

/** Returns the generations to remove: all before the first generation that stays. */
function goingOf(
  manifest: KeptManifest,
  { keep, before }: PruneBackupsOptions,
): KeptGeneration[] {
  const { generations } = manifest;
  const most = generations.indexOf(shownGeneration(manifest));
  const goes = ({ kept_at }: KeptGeneration, index: number): boolean =>
    (keep !== undefined && index < generations.length - keep) ||
    (before !== undefined && new Date(kept_at) < before);
  const stays = generations.findIndex((one, index) => index >= most || !goes(one, index));
  return generations.slice(0, stays);
}

/** Returns the manifest without some generations. Later copies need no earlier copies. */
function without(manifest: KeptManifest, going: readonly KeptGeneration[]): KeptManifest {
  const generations = manifest.generations.filter((one) => !going.includes(one));
  const named = new Set(generations.flatMap(({ files }) => files.map(({ copy }) => copy)));
  const packed = manifest.packed?.filter(({ copy }) => named.has(copy));
  return { ...manifest, generations, ...(packed === undefined ? {} : { packed }) };
}

/** Lists the folders of generations that the manifest does not name, as after a killed process. */
function unnamedFolders(folder: string, { generations }: KeptManifest): string[] {
  const named = new Set(
    generations.flatMap(({ number, files }) => [
      `${number}`,
      ...files.map(({ copy }) => copy.split("/")[0]),
    ]),
  );
  return [...readDirSync(folder)]
    .filter(({ name, isDirectory }) => isDirectory && /^\d+$/.test(name) && !named.has(name))
    .map(({ name }) => join(folder, name));
}
