/** Chooses the sessions that leave this machine: those of projects that were added, and no other. */
import { REPRISE } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import type { Library } from "../../library/library.ts";
import type { SessionEntry } from "../../library/query/query.ts";
import { lookAtSession, type SeenState } from "../../library/catalogue/session_state.ts";
import { findImports } from "../../core/store/import/find_imports.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { sessionDirectory } from "../../core/workspace/session_directory.ts";
import type { SharedProject } from "./shared_project.ts";
import type { SharedForm, SharingTerms } from "./team_store.ts";

export interface SessionToShare {
  /** The session's id in the store: the id of a Reprise log, or `<agent>:<id>`. */
  id: string;
  session: AgentSession;
  project: SharedProject;
  cwd: string;
  form: SharedForm;
  /** The state of the session's files, read just now. */
  state: SeenState;
}

interface SessionsToShare {
  /** The sessions to share, ordered by id. */
  sessions: SessionToShare[];
  /** Number of other agents' sessions in sealed projects, not shared: no log to seal. */
  left_out: number;
}

export function termsOf(
  { form, project: { project, visible } }: Pick<SessionToShare, "form" | "project">,
): SharingTerms {
  return { project, form, visible };
}

export function hasTerms(one: SharingTerms, other: SharingTerms): boolean {
  return one.project === other.project && one.form === other.form &&
    one.visible === other.visible;
}

interface Place {
  project: SharedProject;
  directory: string;
}

/**
 * Finds the sessions of some projects. One that is in two projects belongs to the deeper directory.
 *
 * @param onError Gets what could not be looked at.
 * @throws {SessionError} `invalid-config` where one directory is added twice, and differently.
 */
export async function sessionsToShare(
  library: Library,
  projects: readonly SharedProject[],
  onError: (error: SessionError) => void,
): Promise<SessionsToShare> {
  const places = placesOf(projects);
  const projectAt = finder(places);
  const found = new Map<string, SessionToShare>();
  let left_out = 0;
  // Only the agents that leave are looked through, and an import is not hidden by an original that stays.
  for (const some of Map.groupBy(places, ({ project }) => wantedAgents(project)?.join()).values()) {
    const directories = [...new Set(some.map(({ directory }) => directory))];
    const agents = some[0] && wantedAgents(some[0].project);
    const { entries } = await library.query({ directories, agents, archived: "any", onError });
    for (const entry of entries) {
      const project = projectAt(entry.cwd ?? "");
      if (project === undefined || !some.some((place) => place.project === project)) continue;
      const form = formOf(project, entry);
      if (form === "left-out") left_out++;
      else if (!found.has(entry.ref)) found.set(entry.ref, toShare(entry, project, form));
    }
  }
  return { sessions: [...found.values()].sort(byId), left_out };
}

/** Counts the sessions of other agents that an exact or a sealed project leaves out by default. */
export async function countOthers(library: Library, project: SharedProject): Promise<number> {
  if (project.form === "copy" || project.agents !== undefined) return 0;
  const { sessions } = await sessionsToShare(library, [{ ...project, form: "copy" }], () => {});
  // An original that was imported leaves as its import.
  const imports = findImports(library.root);
  return sessions.filter(({ id, session: { agent } }) => agent !== REPRISE && !imports.has(id))
    .length;
}

function toShare(
  { ref, session, cwd = "", state }: SessionEntry,
  project: SharedProject,
  form: SharedForm,
): SessionToShare {
  const seen = state ?? lookAtSession(session, [session.path]);
  return { id: ref, session, project, cwd, form, state: seen };
}

function byId({ id: one }: SessionToShare, { id: other }: SessionToShare): number {
  return one < other ? -1 : 1;
}

/** Returns the directories of projects, deepest first. */
function placesOf(projects: readonly SharedProject[]): Place[] {
  const places = projects.flatMap((project) =>
    // As they were confirmed: files of the project, which an agent may write, add none.
    [project.directory, ...project.work_trees ?? []].map((directory) => ({ project, directory }))
  );
  for (const { project, directory } of places) {
    const other = places.find((one) =>
      one.directory === directory && !hasTerms(one.project, project)
    );
    if (other !== undefined) throw addedTwice(directory, project, other.project);
  }
  return places.sort((one, other) => other.directory.length - one.directory.length);
}

function addedTwice(path: string, one: SharedProject, other: SharedProject): SessionError {
  const message =
    `Cannot share ${path}: the directory is added twice, to project ${one.project} (as ${one.form}) ` +
    `and to project ${other.project} (as ${other.form}); to remove one of them: reprise ` +
    "sync remove";
  return new SessionError("invalid-config", message, { path });
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

/** Returns the agents whose sessions a project shares; undefined if all agents' are. */
function wantedAgents({ form, agents }: SharedProject): SharedProject["agents"] {
  // Without a choice of agents exact bytes are those of Reprise's own sessions.
  return agents ?? (form === "copy" ? undefined : [REPRISE]);
}

function formOf(
  { form }: SharedProject,
  { session: { agent } }: SessionEntry,
): SharedForm | "left-out" {
  if (agent === REPRISE || form === "copy") return form;
  return form === "sealed" ? "left-out" : "copy";
}
