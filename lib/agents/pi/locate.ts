/**
 * Locates pi's sessions. A folder for each working directory is below `sessions`, or the user named
 * one folder for all.
 */
import { join } from "node:path";
import { type FolderEntry, listFolder, readJsonObject } from "../../reading/files/folder.ts";
import { asName } from "../../reading/json_value.ts";
import type { AgentSession, LocateOptions } from "../../source/agent.ts";
import type { AgentPlace } from "../../source/agent_environment.ts";
import { expandHome } from "../../workspace/data_root.ts";
import { idInName } from "./header.ts";

/** Finds sessions; see {@linkcode AgentDescriptor.loadLocate}. */
export async function* locateSessions(
  place: AgentPlace,
  { cwd }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const seen = new Set<string>();
  for (const folder of sessionFolders(place, cwd)) {
    for (const entry of listFolder(folder)) {
      if (!isSession(entry) || seen.has(entry.path)) continue;
      seen.add(entry.path);
      yield { agent: "pi", id: idInName(entry.path), path: entry.path };
    }
  }
}

function isSession({ name, isFile }: FolderEntry): boolean {
  return isFile && name.endsWith(".jsonl");
}

/** The user's settings; empty where there are none. */
export function readSettings({ folder }: AgentPlace): Readonly<Record<string, unknown>> {
  return readJsonObject(join(folder, "settings.json"));
}

/** The folders that the user named for the sessions of all directories: the first is in force. */
export function namedFolders(place: AgentPlace): string[] {
  const { home, variable } = place;
  return [
    variable("PI_CODING_AGENT_SESSION_DIR"),
    asName(readSettings(place).sessionDir),
  ].flatMap((path) => path ? [expandHome(path, home)] : []);
}

function sessionFolders(place: AgentPlace, cwd?: string): string[] {
  const root = join(place.folder, "sessions");
  const named = namedFolders(place);
  const byDirectory = cwd === undefined
    ? listFolder(root).flatMap(({ path, isDirectory }) => isDirectory ? [path] : [])
    : [join(root, folderName(cwd))];
  return [...named, root, ...byDirectory];
}

/** The folder of a working directory. Several directories can have the same one. */
export function folderName(cwd: string): string {
  return `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}
