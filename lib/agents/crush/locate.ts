/**
 * Locates Crush's sessions: a database for each project. A list in the global folder names the
 * projects (internal/projects/projects.go). The database of the working directory is found without
 * the list.
 */
import { basename, dirname, join } from "node:path";
import { isThere } from "../../core/file/presence.ts";
import { readJsonObject } from "../engine/files/folder.ts";
import { asList, asName, asObject, present } from "../engine/json.ts";
import { storedSessions } from "../engine/sqlite/stored_sessions.ts";
import type { AgentSession, LocateOptions } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { sessionDirectory } from "../../core/workspace/session_directory.ts";
import { DATA_FOLDER, DATABASE, databaseAround, PROJECTS } from "./crush_files.ts";

/**
 * Finds Crush's sessions, and sub-agents' sessions if `options` ask for them. In older versions,
 * sub-agents include the model's conversations that make titles.
 */
export async function* locateCrush(
  place: AgentPlace,
  options: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  for (const [path, projects] of databases(place)) {
    const load = async () => (await import("./crush_rows.ts")).sessionFacts;
    const directory = directoryOf(path, projects);
    for await (const session of storedSessions("crush", path, options, load)) {
      yield present({ ...session, cwd: directory });
    }
  }
}

/** Returns the databases, each with the known directories of its projects. */
function databases({ folder, variable }: AgentPlace): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = (path: string, project?: string): void => {
    if (!isThere(path)) return;
    const projects = found.get(path) ?? new Set();
    if (project !== undefined) projects.add(project);
    found.set(path, projects);
  };
  add(join(folder, DATABASE));
  for (const value of asList(readJsonObject(join(folder, PROJECTS)).projects)) {
    const { path, data_dir } = asObject(value);
    const project = asName(path);
    const data = asName(data_dir) ?? (project && join(project, DATA_FOLDER));
    const local = sessionDirectory(data)?.local;
    if (local !== undefined) add(join(local, DATABASE), project);
  }
  const around = databaseAround(variable("PWD"));
  // A project below this directory may share the database.
  if (around !== undefined) add(around, dirname(dirname(around)));
  return found;
}

function directoryOf(path: string, projects: ReadonlySet<string>): string | undefined {
  const [only] = projects;
  return projects.size === 1 ? only : directoryAround(path);
}

export function directoryAround(path: string): string | undefined {
  const folder = dirname(path);
  return basename(folder) === DATA_FOLDER ? dirname(folder) : undefined;
}
