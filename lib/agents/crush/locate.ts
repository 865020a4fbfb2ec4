/**
 * Locates Crush's sessions: a database for each project. A list in the global folder names the
 * projects (internal/projects/projects.go). The database of the working directory counts without it.
 */
import { basename, dirname, join } from "node:path";
import { SessionError } from "../../event/session_error.ts";
import { isThere } from "../../file/presence.ts";
import { readJsonObject } from "../../reading/files/folder.ts";
import { folderMatch } from "../../reading/files/folder_match.ts";
import { asList, asName, asObject, present } from "../../reading/json_value.ts";
import { sqliteFiles } from "../../reading/sqlite/sqlite_file.ts";
import type { AgentSession, LocateOptions } from "../../source/agent.ts";
import type { AgentPlace } from "../../source/agent_environment.ts";
import { NO_FACTS } from "../../source/located_facts.ts";
import { DATA_FOLDER, DATABASE, databaseAround, PROJECTS } from "./descriptor.ts";

/** The facts of a session that locating remembers. */
export interface CrushFacts {
  id: string;
  parent_id?: string;
}

/** Finds the sessions, and those of sub-agents where they are wanted. */
export async function* locateCrush(
  place: AgentPlace,
  { cwd, subagents = false, facts = NO_FACTS }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const match = cwd === undefined ? undefined : folderMatch(cwd);
  for (const [path, projects] of databases(place, cwd)) {
    if (match !== undefined && projects.size > 0 && ![...projects].some(match)) continue;
    try {
      const known = await facts.recall(
        sqliteFiles(path),
        // Loaded only if the facts are not known: it brings all that reads a database.
        async () => (await import("./crush_rows.ts")).sessionFacts(path),
      );
      const directory = directoryOf(path, projects);
      for (const { id } of subagents ? known : withoutChildren(known)) {
        yield present({ agent: "crush", id, path, cwd: directory });
      }
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      // Reading it tells the error.
      yield { agent: "crush", id: basename(path), path };
    }
  }
}

/** Returns the databases, and the directories of each as far as they are known. */
function databases({ folder, variable }: AgentPlace, cwd?: string): Map<string, Set<string>> {
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
    if (data !== undefined) add(join(data, DATABASE), project);
  }
  const around = databaseAround(cwd ?? variable("PWD"));
  // A project below it may share it.
  if (around !== undefined) add(around, cwd ?? dirname(dirname(around)));
  return found;
}

/** Returns the directory of a database's sessions: of several that share it, the one around it. */
function directoryOf(path: string, projects: ReadonlySet<string>): string | undefined {
  const [only] = projects;
  return projects.size === 1 ? only : directoryAround(path);
}

/** Returns the directory that a database lies in; undefined where its folder has another name. */
export function directoryAround(path: string): string | undefined {
  const folder = dirname(path);
  return basename(folder) === DATA_FOLDER ? dirname(folder) : undefined;
}

/** Leaves out sessions whose parent is there: sub-agents, and talks about titles in older versions. */
export function withoutChildren<Facts extends CrushFacts>(known: readonly Facts[]): Facts[] {
  const ids = new Set(known.map(({ id }) => id));
  return known.filter(({ id, parent_id }) =>
    parent_id === undefined || parent_id === id || !ids.has(parent_id)
  );
}
