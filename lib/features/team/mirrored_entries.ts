/** Finds the sessions that were pulled into the mirror, so that a search reads them too. */
import { REPRISE } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { lookAtSession } from "../../library/catalogue/session_state.ts";
import type { Library } from "../../library/library.ts";
import type { SessionEntry } from "../../library/query/query.ts";
import { type MirroredLog, mirroredLogs } from "../../core/store/remote_mirror.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { teamRef } from "../../agents/contract/session_name.ts";
import { isInProject } from "../../core/workspace/project.ts";
import { projectId } from "./project_id.ts";
import { readMirrorNote } from "./pull/mirror.ts";
import type { SharedProject } from "./shared_project.ts";
import { readSyncSettings } from "./sync_settings.ts";

interface MirroredQuery {
  /** Real paths of directories. Only sessions of their projects are listed. @default {all} */
  directories?: readonly string[] | undefined;
  /**
   * References of sessions that are on this machine. Their redacted copies are left out. An end
   * that another machine pushed stays. @default {none}
   */
  here?: ReadonlySet<string>;
}

/**
 * Lists mirrored sessions as they are opened and searched. Their references begin with `team:`.
 *
 * @param library The library of the data root.
 * @param query Which ones.
 * @returns One entry a branch, in no order.
 */
export function mirroredEntries(
  library: Library,
  { directories, here = new Set() }: MirroredQuery = {},
): SessionEntry[] {
  const { root } = library;
  const projects = directories && projectsIn(root, directories);
  return [...mirroredLogs(root)].filter((log) => {
    const is_here = log.owner === undefined && here.has(log.session);
    if (projects === undefined && !is_here) return true;
    const note = readMirrorNote(root, log);
    if (note === undefined || is_here && note.form === "copy") return false;
    return projects === undefined || projects.has(note.project);
  }).map((log) => entryOf(library, log));
}

function entryOf(library: Library, log: MirroredLog): SessionEntry {
  const { session: id, path } = log;
  const session: AgentSession = { agent: REPRISE, id, path, ref: teamRef(log) };
  return library.entry(session, lookAtSession(session).mtime);
}

/** Returns the directories' projects: those added, and that of the first one's git remote. */
function projectsIn(root: string, directories: readonly string[]): Set<string> {
  const added = addedProjects(root).filter(({ directory }) => isInProject(directory, directories));
  const named = directories.slice(0, 1).map(projectId);
  return new Set([
    ...added.map(({ project }) => project),
    ...named.filter((id) => id !== undefined),
  ]);
}

/** Returns the projects added here; none if the settings are unusable, as `sync` reports. */
function addedProjects(root: string): readonly SharedProject[] {
  try {
    return readSyncSettings(root)?.projects ?? [];
  } catch (error) {
    if (error instanceof SessionError) return [];
    throw error;
  }
}
