/**
 * The rollouts below a folder, by the id of their thread.
 */
import { join } from "node:path";
import type { DirEntry } from "../../platform/file_system.ts";
import { readDirSync } from "../../platform/files.ts";
import { isNotADirectory, isNotFound, isPermissionDenied } from "../../platform/system_error.ts";
import { parseRolloutName, type RolloutForm } from "./rollout_name.ts";

/** The plain file wins over its compressed sibling (codex-rs/rollout/src/compression.rs). */
const RANK: Readonly<Record<RolloutForm, number>> = { lines: 2, document: 1, compressed: 0 };
/** `YYYY/MM/DD`. */
const DATED_DEPTH = 3;
const DATE = /^\d{2,4}$/;

/** Files by id of their thread: those in the folder, and in its folders by date. */
export function rolloutFiles(root: string): Map<string, string> {
  const found = new Map<string, { path: string; form: RolloutForm }>();
  collect(root, DATED_DEPTH, found);
  return new Map([...found].map(([id, { path }]) => [id, path]));
}

function collect(
  folder: string,
  depth: number,
  found: Map<string, { path: string; form: RolloutForm }>,
): void {
  for (const { name, isDirectory } of entries(folder)) {
    if (isDirectory) {
      if (depth > 0 && DATE.test(name)) collect(join(folder, name), depth - 1, found);
      continue;
    }
    const rollout = parseRolloutName(name);
    if (rollout === undefined) continue;
    const { id, form } = rollout;
    const known = found.get(id);
    if (known === undefined || RANK[form] > RANK[known.form]) {
      found.set(id, { path: join(folder, name), form });
    }
  }
}

function entries(folder: string): DirEntry[] {
  try {
    return [...readDirSync(folder)];
  } catch (error) {
    // A root that is not there, or is a file, holds nothing; one that is locked is passed over.
    if (isNotFound(error) || isNotADirectory(error)) {
      return [];
    }
    if (isPermissionDenied(error)) return [];
    throw error;
  }
}
