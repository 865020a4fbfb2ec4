/** Sessions that their own agent deletes soon: reported while they can still be backed up. */
import { join } from "node:path";
import type { AgentName } from "../../core/event/agent_name.ts";
import { statFile } from "../../core/file/regular_file.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { findImports, type FoundImports, importKey } from "../../core/store/import/find_imports.ts";
import { readManifest } from "../../core/store/import/source_copy.ts";
import { agentPlaces } from "../../agents/contract/agent_roots.ts";
import { type Expiry, expiryTime } from "../../agents/contract/expiry.ts";
import { hasKept, keptFolder, readKept } from "../machine/kept/kept_index.ts";
import { isKeptCopy } from "../machine/kept/kept_sessions.ts";
import type { Library } from "../library.ts";
import { descriptorOf } from "../machine/registry.ts";

/** Number of days before its deletion at which a session is first reported. */
export const SOON_DAYS = 3;
const DAY_MS = 86_400_000;

export interface ExpiringOptions {
  now: Date;
  /** The directory in which the agent would start. Absent to ignore the directory's settings. */
  cwd?: string;
  /** Number of days within which a reported session is deleted. @default {3} */
  within_days?: number;
}

/** The sessions of one root that an agent deletes soon. */
export interface ExpiringSessions {
  agent: AgentName;
  /** The agent's name as its makers write it. */
  title: string;
  expiry: Expiry;
  /** The sessions, sorted by the time `due` at which the agent deletes them. */
  sessions: { row: Summary; due: Date }[];
}

/** Finds the sessions that their agents delete soon, without sessions whose backup is complete. */
export async function expiringSessions(
  library: Library,
  rows: readonly Summary[],
  { now, cwd, within_days = SOON_DAYS }: ExpiringOptions,
): Promise<ExpiringSessions[]> {
  const { root } = library;
  const names = [...new Set(rows.map(({ agent }) => agent))];
  const wanted = library.place.agents.filter((name) => names.includes(name));
  let found: FoundImports | undefined;
  const expiring: ExpiringSessions[] = [];
  for (const name of wanted) {
    const descriptor = descriptorOf(name);
    const readExpiry = await descriptor.loadExpiry?.();
    if (readExpiry === undefined) continue;
    for (const place of agentPlaces(descriptor, library.place.environment)) {
      const expiry = readExpiry(place, cwd);
      if (expiry === undefined) continue;
      const below = join(place.folder, "/");
      const own = rows.filter((row) =>
        row.agent === name && row.path.startsWith(below) && !isKeptCopy(root, row.path)
      );
      const soon = dueBefore(expiry, own, now.getTime() + within_days * DAY_MS);
      if (soon.length === 0) continue;
      const imports = found ??= findImports(root);
      const kept = keptSizes(root, name);
      const sessions = soon.filter(({ row }) =>
        !isBackedUp(imports, row) && kept.get(row.path) !== sizeOf(row.path)
      );
      if (sessions.length === 0) continue;
      expiring.push({ agent: name, title: descriptor.title, expiry, sessions });
    }
  }
  return expiring;
}

function dueBefore(
  expiry: Expiry,
  rows: readonly Summary[],
  time: number,
): ExpiringSessions["sessions"] {
  return rows.flatMap((row) => {
    const due = expiryTime(expiry, row);
    return due !== undefined && due.getTime() < time ? [{ row, due }] : [];
  }).sort((one, other) => one.due.getTime() - other.due.getTime());
}

/** True if the session has a readable backup of the same size as its file. */
function isBackedUp(found: FoundImports, { agent, session_id: id, bytes }: Summary): boolean {
  const kept = found.get(importKey({ agent, id })) ?? [];
  return kept.some(({ imported_from, directory }) =>
    imported_from.bytes === bytes && readManifest(directory) !== undefined
  );
}

/** Returns the sizes of the newest copies of an agent's sessions, by the paths of the originals. */
function keptSizes(root: string, agent: AgentName): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  if (!hasKept(root, agent)) return sizes;
  for (const entry of readKept(root, agent)) {
    sizes.set(entry.path, sizeOf(join(keptFolder(root, entry), entry.copy)) ?? -1);
  }
  return sizes;
}

function sizeOf(path: string): number | undefined {
  try {
    return statFile(path).size;
  } catch {
    // NotFound: nothing is kept, or nothing is to be kept.
    return undefined;
  }
}
