/** Examines what agents do with their sessions: what they hide, delete next, and keep on the disk. */
import { basename, dirname, join } from "node:path";
import { type AgentName, REPRISE } from "../../core/event/agent_name.ts";
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { statSync } from "../../core/platform/files.ts";
import {
  addContentBytes,
  type ContentBytes,
  type ContentKind,
  contentShares,
} from "../../core/projection/content_bytes.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { listFolder } from "../../agents/engine/files/folder.ts";
import { agentPlaces } from "../../agents/contract/agent_roots.ts";
import { rowsOf } from "../query/candidate.ts";
import { type ExpiringSessions, expiringSessions } from "./expiring.ts";
import { isKeptCopy } from "../machine/kept/kept_sessions.ts";
import type { Library } from "../library.ts";
import { loadLocator } from "../machine/locators.ts";
import { type QueryOptions, sessionOf } from "../query/query.ts";
import { descriptorOf, openReader } from "../machine/registry.ts";
import { type HiddenSession, hiddenSessions } from "./hidden_sessions.ts";

export interface ExaminedAgent {
  agent: AgentName;
  /** The agent's name as its makers write it. */
  title: string;
  sessions: number;
  /** The sessions that the agent's own list leaves out. Absent if the list's rule is unknown. */
  hidden?: HiddenSession[];
  /** Number of deleted sessions whose prompts are in the agent's history. */
  gone: number;
  disk: AgentDisk;
  /** Bytes of content by kind, measured as JSON of events. Absent unless requested. */
  content?: { kind: ContentKind; bytes: number }[];
  /** The sessions without a backup that the agent will delete, by root, the earliest due first. */
  expiring: ExpiringSessions[];
}

export interface ExamineOptions extends Pick<QueryOptions, "agents" | "onError" | "onProgress"> {
  now: Date;
  /** The directory in which the agents would start, whose settings count. */
  cwd: string;
  /** True to read all sessions and measure their content. @default {false} */
  content?: boolean;
  /** True if the agent already has a copy, made by `--fix`, of the hidden session. */
  isFixed(agent: AgentName, ref: string): Promise<boolean>;
}

/** Examines each agent that has sessions. Agents with most sessions come first. */
export async function examineAgents(
  library: Library,
  { agents, onError, onProgress, now, cwd, content = false, isFixed }: ExamineOptions,
): Promise<ExaminedAgent[]> {
  const { entries } = await library.query({ agents, onError, rows: true, archived: "any" });
  const rows = (await rowsOf(entries)).filter(({ agent, path }) =>
    agent !== REPRISE && !isKeptCopy(library.place.root, path)
  );
  const examined: ExaminedAgent[] = [];
  const all = rows.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  let read = 0;
  const onRead = (bytes: number): void => onProgress?.(read += bytes, all);
  for (const [name, own] of Map.groupBy(rows, ({ agent }) => agent as AgentName)) {
    const hidden = await hiddenSessions(library, name, own);
    const fixed = await Promise.all(hidden?.map(({ row }) => isFixed(name, row.ref)) ?? []);
    examined.push(present({
      ...{ agent: name, title: descriptorOf(name).title, sessions: own.length },
      hidden: hidden?.filter((_, index) => !fixed[index]),
      gone: (await library.query({ agents: [name], gone: true, onError })).entries.length,
      disk: await agentDisk(library, name, own, now),
      content: content ? await agentContent(own, onRead) : undefined,
      expiring: await expiringSessions(library, own, { now, cwd, within_days: Infinity }),
    }));
  }
  return examined.sort((one, other) => other.sessions - one.sessions);
}

/**
 * Measures the content of all threads of some sessions. A session that cannot be read is left out.
 *
 * @param onRead Called after each session, with the session's size in bytes.
 */
async function agentContent(
  rows: readonly Summary[],
  onRead: (bytes: number) => void,
): Promise<{ kind: ContentKind; bytes: number }[]> {
  const sum: ContentBytes = {};
  for (const row of rows) {
    try {
      const reader = await openReader(sessionOf(row));
      for await (const { events } of reader.readThreads()) addContentBytes(sum, events);
    } catch (error) {
      // Lists and shows tell why.
      if (!(error instanceof SessionError)) throw error;
    }
    onRead(row.bytes ?? 0);
  }
  return contentShares(sum);
}

interface AgentDisk {
  bytes: number;
  /**
   * Sizes by age since the last update, the newest first. An age is less than `days`. The group of
   * the oldest sessions has no `days`.
   */
  ages: { days?: number; sessions: number; bytes: number }[];
  /** Sizes by part of the sessions, without empty parts. */
  parts: { part: DiskPart; bytes: number }[];
}

/**
 * A part of the sessions on disk. The part `beside` has the folders beside session files, with
 * subagents and long results.
 */
type DiskPart = "sessions" | "beside" | "snapshots";

const AGE_DAYS = [7, 30, 90, Infinity];
const DAY_MS = 86_400_000;

/** Measures the files of an agent's sessions. A database counts once, for its newest session. */
async function agentDisk(
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
