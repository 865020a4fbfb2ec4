/**
 * Locates pi's sessions. They are in one folder for each working directory below `sessions`, or in
 * a single folder that the user named.
 */
import { asName, type Json } from "../engine/json.ts";
import { basename, join } from "node:path";
import { isoTime } from "../engine/events/iso_time.ts";
import { type FolderEntry, folders, listFolder, readJsonObject } from "../engine/files/folder.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { expandHome } from "../../core/workspace/data_root.ts";

export async function* locateSessions(
  place: AgentPlace,
): AsyncGenerator<AgentSession> {
  const seen = new Set<string>();
  for (const folder of sessionFolders(place)) {
    for (const entry of listFolder(folder)) {
      if (!isSession(entry) || seen.has(entry.path)) continue;
      seen.add(entry.path);
      yield { agent: "pi", id: idInName(entry.path), path: entry.path };
    }
  }
}

/** Matches copies and traces of runs that OpenClaw stores beside a session's file (2026.7). */
const BESIDE = /\.(?:checkpoint\.[^.]+|trajectory)\.jsonl$/;

export function isSession({ name, isFile }: FolderEntry): boolean {
  return isFile && name.endsWith(".jsonl") && !BESIDE.test(name);
}

export function readSettings({ folder }: AgentPlace): Json {
  return readJsonObject(join(folder, "settings.json"));
}

/** Returns the user's folders for the sessions of all directories. pi writes to the first one. */
export function namedFolders(place: AgentPlace): string[] {
  const { home, variable } = place;
  return [
    variable("PI_CODING_AGENT_SESSION_DIR"),
    asName(readSettings(place).sessionDir),
  ].flatMap((path) => path ? [expandHome(path, home)] : []);
}

function sessionFolders(place: AgentPlace): string[] {
  const root = join(place.folder, "sessions");
  return [...namedFolders(place), root, ...folders(root)];
}

/** Returns the name of a working directory's folder. Several directories can share a name. */
export function folderName(cwd: string): string {
  return `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}

/**
 * Matches the name of a session's file. The time has no `_`, but an id that a program chose may
 * have one (1.5.2).
 */
const FILE_NAME = /^(\d{4}-\d\d-\d\dT[\d-]+Z)_(.+)\.jsonl$/;

export function idInName(path: string): string {
  const name = basename(path.replaceAll("\\", "/"));
  // A copy may have another name before its id.
  const id = FILE_NAME.exec(name)?.[2] ?? /_([^_]+)\.jsonl$/.exec(name)?.[1];
  return id ?? name.replace(/\.jsonl$/, "");
}

/** Returns the start time in the name of a session's file: `2026-08-06T17-49-38-956Z_…`. */
export function timeInName(path: string): string | undefined {
  return isoTime(FILE_NAME.exec(basename(path))?.[1]);
}
