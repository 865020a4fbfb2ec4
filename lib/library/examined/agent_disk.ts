/** Measures the room that an agent's sessions take on the disk. */
import { basename, dirname, join } from "node:path";
import type { AgentName } from "../../event/agent_name.ts";
import { SessionError } from "../../event/session_error.ts";
import { statSync } from "../../platform/files.ts";
import type { Summary } from "../../projection/summary_row.ts";
import { listFolder } from "../../reading/files/folder.ts";
import { agentPlaces } from "../../source/agent_roots.ts";
import type { Library } from "../library.ts";
import { loadLocator } from "../locators.ts";
import { sessionOf } from "../query.ts";
import { descriptorOf } from "../registry.ts";

/** The room that the sessions of an agent take, in bytes. */
export interface AgentDisk {
  bytes: number;
  /** By the days since the last update, the newest first; `days` is absent of the oldest. */
  ages: { days?: number; sessions: number; bytes: number }[];
  /** By what lies there; parts without a byte are left out. */
  parts: { part: DiskPart; bytes: number }[];
}

/** `beside`: a session's own folder, with its subagents and long results. */
export type DiskPart = "sessions" | "beside" | "snapshots";

const AGE_DAYS = [7, 30, 90, Infinity];
const DAY_MS = 86_400_000;

/** Measures the files of an agent's sessions. A database counts for its newest session. */
export async function agentDisk(
  { place: { environment } }: Library,
  agent: AgentName,
  rows: readonly Summary[],
  now: Date,
): Promise<AgentDisk> {
  const { files } = await loadLocator(agent);
  const seen = new Set<string>();
  const parts = new Map<DiskPart, number>();
  const ages = AGE_DAYS.map((days) => ({ days, sessions: 0, bytes: 0 }));
  for (const row of rows.toSorted((one, other) => updated(other) - updated(one))) {
    const { session_id: id, path } = row;
    const own = (files(sessionOf(row)) ?? [path]).reduce(
      (sum, one) => sum + fileBytes(one, seen),
      0,
    );
    const beside = basename(dirname(path)) === id ? dirname(path) : join(dirname(path), id);
    const others = folderBytes(beside, seen);
    const passed = (now.getTime() - updated(row)) / DAY_MS;
    const age = ages.find(({ days }) => passed < days) ?? ages.at(-1);
    if (age !== undefined) {
      age.sessions++;
      age.bytes += own + others;
    }
    add(parts, "sessions", own);
    add(parts, "beside", others);
  }
  const { snapshots = [] } = descriptorOf(agent);
  for (const { folder } of agentPlaces(descriptorOf(agent), environment)) {
    for (const name of snapshots) add(parts, "snapshots", folderBytes(join(folder, name), seen));
  }
  return {
    bytes: [...parts.values()].reduce((sum, one) => sum + one, 0),
    ages: ages.filter(({ sessions }) => sessions > 0).map(({ days, ...age }) =>
      days === Infinity ? age : { days, ...age }
    ),
    parts: [...parts].filter(([, bytes]) => bytes > 0).map(([part, bytes]) => ({ part, bytes })),
  };
}

function updated({ updated_at = "" }: Summary): number {
  return Date.parse(updated_at) || 0;
}

function add(parts: Map<DiskPart, number>, part: DiskPart, bytes: number): void {
  parts.set(part, (parts.get(part) ?? 0) + bytes);
}

/** Returns the size of a file that was not counted yet. */
function fileBytes(path: string, seen: Set<string>): number {
  if (seen.has(path)) return 0;
  seen.add(path);
  try {
    const { isFile, size } = statSync(path);
    return isFile ? size : 0;
  } catch {
    // A journal that is not there, or a file that is gone by now.
    return 0;
  }
}

function folderBytes(folder: string, seen: Set<string>): number {
  let bytes = 0;
  const open = [folder];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const entry of entriesOf(path)) {
      if (entry.isDirectory) open.push(entry.path);
      else if (entry.isFile) bytes += fileBytes(entry.path, seen);
    }
  }
  return bytes;
}

function entriesOf(path: string): ReturnType<typeof listFolder> {
  try {
    return listFolder(path);
  } catch (error) {
    // Not to be looked at.
    if (error instanceof SessionError) return [];
    throw error;
  }
}
