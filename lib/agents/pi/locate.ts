/**
 * Locates pi's sessions. A folder for each working directory is below `~/.pi/agent/sessions`, or
 * the user named one folder for all.
 */
import { join } from "node:path";
import type { AgentSession, LocateOptions } from "../../source/agent.ts";
import type { AgentEnvironment } from "../../source/agent_environment.ts";
import {
  expandHome,
  type FolderEntry,
  listFolder,
  readJsonObject,
} from "../../reading/files/folder.ts";
import { asName } from "../../reading/records/json_value.ts";
import { idInName } from "./header.ts";

/** Finds sessions; see {@linkcode Agent.locate}. */
export async function* locateSessions(
  environment: AgentEnvironment,
  { cwd }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const seen = new Set<string>();
  for (const folder of sessionFolders(environment, cwd)) {
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

/** The folder of pi's settings and sessions. */
export function agentFolder({ home, variable }: AgentEnvironment): string {
  return expandHome(variable("PI_CODING_AGENT_DIR") || "~/.pi/agent", home);
}

/** The user's settings; empty where there are none. */
export function readSettings(environment: AgentEnvironment): Readonly<Record<string, unknown>> {
  return readJsonObject(join(agentFolder(environment), "settings.json"));
}

/** The folders that the user named for the sessions of all directories: the first is in force. */
export function namedFolders(environment: AgentEnvironment): string[] {
  const { home, variable } = environment;
  return [
    variable("PI_CODING_AGENT_SESSION_DIR"),
    asName(readSettings(environment).sessionDir),
  ].flatMap((path) => path ? [expandHome(path, home)] : []);
}

function sessionFolders(environment: AgentEnvironment, cwd?: string): string[] {
  const root = join(agentFolder(environment), "sessions");
  const named = namedFolders(environment);
  const byDirectory = cwd === undefined
    ? listFolder(root).flatMap(({ path, isDirectory }) => isDirectory ? [path] : [])
    : [join(root, folderName(cwd))];
  return [...named, root, ...byDirectory];
}

/** The folder of a working directory. Several directories can have the same one. */
export function folderName(cwd: string): string {
  return `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}
