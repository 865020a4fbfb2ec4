/** Finds the agent's files and the data root's files that may have a session's secrets. */
import { basename, dirname, join } from "node:path";
import { listFolder } from "../../../agents/engine/files/folder.ts";
import { isSqliteFile } from "../../../agents/engine/sqlite/sqlite_file.ts";
import { agentPlaces, foldersAt, isBelow } from "../../../agents/contract/agent_roots.ts";
import type { AgentEnvironment } from "../../../agents/contract/agent_environment.ts";
import { REPRISE } from "../../../core/event/agent_name.ts";
import { findImports, importKey, importOrigin } from "../../../core/store/import/find_imports.ts";
import {
  folderNames,
  LOG_FILE,
  ownFolderNames,
  trashDirectory,
} from "../../../core/store/session_folder.ts";
import { parseFolderName } from "../../../core/store/session_id.ts";
import { manifestPath, readManifest } from "../../../core/store/import/source_copy.ts";
import { sha256 } from "../../../core/event/sha256.ts";
import { lstatSync } from "../../../core/platform/files.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import type { CopyFolder, ScrubbedFile } from "../../../library/machine/kept/scrubbed_copies.ts";
import { isKeptCopy } from "../../../library/machine/kept/kept_sessions.ts";
import { descriptorOf } from "../../../library/machine/registry.ts";
import { namesInRows, type ScrubbedDatabase } from "./scrub_database.ts";
import { isLockFile } from "./scrubbed_file.ts";

/** Files that may hold a session's secrets, in the order in which they are replaced. */
export interface SessionPlaces {
  /** Folders with copies of the session: its imports, and its folders in the trash. */
  folders: CopyFolder[];
  /** Files that also have facts of other sessions. */
  lists: ScrubbedFile[];
  /** The session's own files; its main file last. */
  originals: ScrubbedFile[];
  /** Folders of logs to which no program may write during the scrub. */
  locked: string[];
  /** Databases of the agent in which nothing of the session is replaced. */
  databases: string[];
  /** The database that holds the session, if its rows can be replaced. */
  database?: ScrubbedDatabase;
  /** Folders with compressed versions of the user's files, which stay as they are. */
  snapshots: string[];
  has_file: boolean;
}

/** Names of folders with many files and no facts of sessions, which are skipped. */
const PASSED = new Set(["node_modules", ".git", "skills", "plugins"]);
const SHORTEST_ID = 8;

export async function sessionPlaces(
  handle: SessionHandle,
  root: string,
  environment: AgentEnvironment,
): Promise<SessionPlaces> {
  const own = isKeptCopy(root, handle.path) ? [] : await handle.files();
  const [main, ...others] = own;
  const places: SessionPlaces = {
    ...{ folders: [], lists: [], originals: [], locked: [], databases: [], snapshots: [] },
    has_file: main !== undefined,
  };
  const originals = new Set(others);
  const threads = main === undefined ? await rowsToScrub(handle) : undefined;
  if (threads !== undefined) places.database = { path: handle.path, ids: threads };
  if (handle.log === undefined) findAround(handle, environment, { places, originals });
  else if (main !== undefined) places.locked.push(dirname(main));
  findInStore(handle, root, places);
  if (main !== undefined) originals.delete(main);
  places.originals = [...originals, ...main === undefined ? [] : [main]]
    .filter((path) => !isLockFile(path)).map((path) => ({ path, shared: false }));
  return places;
}

/** Returns the ids of a session and its subagents; undefined if their rows cannot be scrubbed. */
async function rowsToScrub(handle: SessionHandle): Promise<Set<string> | undefined> {
  const repair = await descriptorOf(handle.agent).loadRepair?.();
  if (repair?.kind !== "database" || !repair.scrubs || !isSqliteFile(handle.path)) return undefined;
  return new Set([handle.id, ...(await handle.threads()).map(({ id }) => id)]);
}

/**
 * Finds files below the agent's roots with the session's id in their path. Also finds the agent's
 * prompt histories.
 */
function findAround(
  { agent, id, path }: SessionHandle,
  environment: AgentEnvironment,
  { places, originals }: { places: SessionPlaces; originals: Set<string> },
): void {
  const descriptor = descriptorOf(agent);
  const named = id.length >= SHORTEST_ID;
  for (const { folder, home } of agentPlaces(descriptor, environment)) {
    // Other programs also have files in a home directory.
    if (join(folder, "/") === join(home, "/")) continue;
    for (const file of filesBelow(folder)) {
      if (isSqliteFile(file)) {
        if (file !== places.database?.path) places.databases.push(file);
      } // Also what a repair kept beside the session.
      else if (file.startsWith(`${path}.`) || named && file.slice(folder.length).includes(id)) {
        originals.add(file);
      }
    }
    if (places.database !== undefined) {
      findNamed(descriptor.outputs ?? [], folder, { places, originals });
      const kept = (descriptor.snapshots ?? []).map((name) => join(folder, name));
      for (const one of kept) if (filesAt(one).length > 0) places.snapshots.push(one);
    }
    for (const prompts of descriptor.prompts ?? []) {
      if (/^[~$]/.test(prompts)) {
        const found = foldersAt(prompts, environment).flatMap(filesAt);
        for (const path of found) places.lists.push({ path, shared: true });
        continue;
      }
      // Beside the session's folder, or below the root.
      const at = prompts.startsWith("..") ? join(dirname(path), prompts) : join(folder, prompts);
      if (!isBelow(at, folder)) continue;
      for (const file of filesAt(at)) places.lists.push({ path: file, shared: true });
    }
  }
}

/** Adds to `originals` the files of tool outputs whose names occur in the session's rows. */
function findNamed(
  outputs: readonly string[],
  folder: string,
  { places: { database }, originals }: { places: SessionPlaces; originals: Set<string> },
): void {
  const files = outputs.flatMap((name) => filesAt(join(folder, name)));
  const named = database &&
    namesInRows(database, new Set(files.map((file) => basename(file))));
  for (const file of files) if (named?.has(basename(file))) originals.add(file);
}

/** Finds imports of the session, its folders in the trash, and text files of the data root. */
function findInStore({ agent, id }: SessionHandle, root: string, places: SessionPlaces): void {
  const key = importKey({ agent, id });
  for (const { directory } of findImports(root).get(key) ?? []) {
    places.locked.push(directory);
    places.folders.push(folderOf(directory));
  }
  const trash = trashDirectory(root);
  for (const namespace of ownFolderNames(trash)) {
    for (const name of folderNames(join(trash, namespace))) {
      const directory = join(trash, namespace, name);
      const origin = importOrigin(join(directory, LOG_FILE));
      const is_same = agent === REPRISE && parseFolderName(name)?.session_id === id;
      if (is_same || origin !== undefined && importKey(origin) === key) {
        places.folders.push(folderOf(directory));
      }
    }
  }
  const lists = listFolder(root).filter(({ isFile }) => isFile).map(({ path }) => path);
  const more = ["handover", "trash"].flatMap((name) => listFolder(join(root, name)))
    .filter(({ isFile }) => isFile).map(({ path }) => path);
  for (const path of [...lists, ...more]) {
    // Settings do not belong to a session: a password in the settings is in use.
    if (/\.(?:jsonl|md|txt)$/.test(path)) places.lists.push({ path, shared: true });
  }
}

/**
 * Returns the files of a session's folder in the data root. An import also has a copy of its
 * source, with a manifest.
 */
function folderOf(group: string): CopyFolder {
  const manifest = manifestPath(group);
  const files = [...filesBelow(group)].filter((path) => !isLockFile(path) && path !== manifest)
    .map((path) => ({ path, shared: false, group }));
  return {
    files,
    finish(scrubbed): ReturnType<CopyFolder["finish"]> {
      const told = readManifest(group);
      if (told === undefined) return undefined;
      for (const file of told.files) {
        const copy = scrubbed.get(join(dirname(manifest), file.name));
        if (copy === undefined) continue;
        Object.assign(file, { bytes: copy.bytes.length, sha256: sha256(copy.bytes) });
      }
      told.log_bytes = scrubbed.get(join(group, LOG_FILE))?.offset(told.log_bytes) ??
        told.log_bytes;
      const text = `${JSON.stringify(told, undefined, 2)}\n`;
      return { path: manifest, bytes: new TextEncoder().encode(text), removed: [] };
    },
  };
}

function filesAt(path: string): string[] {
  try {
    const { isFile, isDirectory } = lstatSync(path);
    return isFile ? [path] : isDirectory ? [...filesBelow(path)] : [];
  } catch {
    // The agent has no such file.
    return [];
  }
}

export function* filesBelow(folder: string): Generator<string> {
  for (const { path, name, isFile, isDirectory } of listFolder(folder)) {
    if (isFile) yield path;
    else if (isDirectory && !PASSED.has(name) && lstatSync(path).isDirectory) {
      yield* filesBelow(path);
    }
  }
}
