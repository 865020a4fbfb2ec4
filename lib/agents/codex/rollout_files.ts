/**
 * Finds the rollouts below a folder, and the storage form of each. A rollout's name is
 * `rollout-YYYY-MM-DDThh-mm-ss-<uuid>.jsonl` with local time (codex-rs/rollout/src/list.rs,
 * `parse_timestamp_uuid_from_filename`). Codex may compress an unused rollout to `.jsonl.zst` in
 * the same folder (rollout/src/compression.rs). Before 2025-09, the TypeScript CLI stored a thread
 * as one JSON document, `rollout-YYYY-MM-DD-<uuid>.json`.
 */
import { basename, join } from "node:path";
import type { DirEntry } from "../../core/platform/file_system.ts";
import { readDirSync } from "../../core/platform/files.ts";
import {
  isNotADirectory,
  isNotFound,
  isPermissionDenied,
} from "../../core/platform/system_error.ts";

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const NAME = new RegExp(
  `^rollout-\\d{4}-\\d\\d-\\d\\d(?:T\\d\\d-\\d\\d-\\d\\d)?-(${UUID})(\\.jsonl|\\.jsonl\\.zst|\\.json)$`,
  "i",
);

type RolloutForm = "lines" | "compressed" | "document";

interface RolloutName {
  id: string;
  form: RolloutForm;
}

export function rolloutForm(path: string): RolloutForm {
  if (path.endsWith(".zst")) return "compressed";
  return path.endsWith(".json") ? "document" : "lines";
}

/** Parses a rollout's file name, with the id in lower case. Undefined for other names. */
export function parseRolloutName(path: string): RolloutName | undefined {
  const id = NAME.exec(basename(path))?.[1];
  return id === undefined ? undefined : { id: id.toLowerCase(), form: rolloutForm(path) };
}

/** Ranks of files. Plain files precede compressed ones (codex-rs/rollout/src/compression.rs). */
const RANK: Readonly<Record<RolloutForm, number>> = { lines: 2, document: 1, compressed: 0 };
/** Depth of the folders by date, `YYYY/MM/DD`. */
const DATED_DEPTH = 3;
const DATE = /^\d{2,4}$/;

/** Maps lower-case thread ids to rollouts in a folder and its date folders. Empty if unreadable. */
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
