/** Chooses the sessions that leave this machine: only sessions of projects that were added. */
import type { SessionError } from "../../core/event/session_error.ts";
import type { Library } from "../../library/library.ts";
import type { SessionEntry } from "../../library/query/query.ts";
import { lookAtSession, type SeenState } from "../../library/catalogue/session_state.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { sessionDirectory } from "../../core/workspace/session_directory.ts";
import type { SharedProject } from "./shared_project.ts";

export interface SessionToShare {
  /** The session's id in the store: the id of a Reprise log, or `<agent>:<id>`. */
  id: string;
  session: AgentSession;
  project: SharedProject;
  cwd: string;
  state: SeenState;
}

interface Place {
  project: SharedProject;
  directory: string;
}

/**
 * Finds the sessions of some projects. A session in two projects belongs to the project with the
 * deeper directory. Leaves out sessions of the user's other machines, which share these sessions
 * themselves.
 *
 * @param onError Gets the errors of sessions that could not be read. @returns The sessions, ordered
 * by id.
 */
export async function sessionsToShare(
  library: Library,
  projects: readonly SharedProject[],
  onError: (error: SessionError) => void,
): Promise<SessionToShare[]> {
  const places = placesOf(projects);
  const projectAt = finder(places);
  const found = new Map<string, SessionToShare>();
  // Only the agents that leave are looked through.
  for (const some of Map.groupBy(places, ({ project }) => project.agents?.join()).values()) {
    const directories = [...new Set(some.map(({ directory }) => directory))];
    const agents = some[0]?.project.agents;
    const { entries } = await library.query({ directories, agents, archived: "any", onError });
    for (const entry of entries) {
      const project = projectAt(entry.cwd ?? "");
      if (entry.session.machine !== undefined || project === undefined) continue;
      if (!some.some((place) => place.project === project) || found.has(entry.ref)) continue;
      found.set(entry.ref, toShare(entry, project));
    }
  }
  return [...found.values()].sort(({ id: one }, { id: other }) => one < other ? -1 : 1);
}

function toShare(
  { ref, session, cwd = "", state }: SessionEntry,
  project: SharedProject,
): SessionToShare {
  const seen = state ?? lookAtSession(session, [session.path]);
  return { id: ref, session, project, cwd, state: seen };
}

/** Returns the directories and work trees of projects, the longest path first. */
function placesOf(projects: readonly SharedProject[]): Place[] {
  const places = projects.flatMap((project) =>
    // As they were confirmed: files of the project, which an agent may write, add none.
    [project.directory, ...project.work_trees ?? []].map((directory) => ({ project, directory }))
  );
  return places.sort((one, other) => other.directory.length - one.directory.length);
}

function finder(places: readonly Place[]): (cwd: string) => SharedProject | undefined {
  const known = new Map<string, SharedProject | undefined>();
  return (cwd) => {
    if (!known.has(cwd)) known.set(cwd, projectOf(cwd, places));
    return known.get(cwd);
  };
}

function projectOf(cwd: string, places: readonly Place[]): SharedProject | undefined {
  const own = sessionDirectory(cwd);
  return places.find(({ directory }) => own?.isIn([directory]))?.project;
}
