/** Makes pulled sessions belong to the directory that their project has on this machine. */
import type { Library } from "../../../library/library.ts";
import { appendMark, readMarks } from "../../../core/store/marks.ts";
import { relinkDirectories } from "../../../core/store/relink/relink_directory.ts";
import { isWithin, type Relink, relinkedDirectory } from "../../../core/store/relinks.ts";
import { pathRules } from "../../../core/workspace/path_rules.ts";
import { projectDirectories } from "../../../core/workspace/project.ts";
import { sessionDirectory } from "../../../core/workspace/session_directory.ts";
import { isRoot } from "../../../core/workspace/system_path.ts";
import type { MachineProject } from "./sent_sessions.ts";

export interface PulledSession {
  id: string;
  /** The session's reference in the library. @default {the session's id} */
  ref?: string;
  project: string;
  /** The session's directory on the machine that wrote it. */
  cwd: string;
  created_at: string;
}

export interface PulledDirectory {
  /** Absolute path of the directory on the machine that wrote the sessions. */
  from: string;
  /** Absolute path on this machine. */
  to: string;
}

/**
 * Relinks the directories of pulled sessions to the projects' directories on this machine. If this
 * machine's own sessions use a directory, too, only the pulled sessions are relinked.
 *
 * @returns The directories that were relinked as a whole.
 */
export async function relinkPulled(
  library: Library,
  projects: readonly MachineProject[],
  pulled: readonly PulledSession[],
  now: Date,
): Promise<PulledDirectory[]> {
  if (pulled.length === 0) return [];
  const { relinks = [] } = readMarks(library.root, () => {});
  const found: PulledDirectory[] = [];
  for (const { project, directory: to } of projects) {
    const sessions = elsewhere(pulled.filter((one) => one.project === project), to, relinks);
    const time = timeOf(sessions, now);
    for (const from of topmost([...new Set(sessions.map(({ cwd }) => cwd))])) {
      if (isTooWide(from) || await hasOthers(library, from, pulled)) {
        for (const { id, ref = id, cwd } of sessions) {
          if (cwd === from || isWithin(cwd, from)) {
            appendMark(library.root, { ref, relinked: to, time });
          }
        }
      } else {
        relinkDirectories(library.root, [from], to, time);
        found.push({ from, to });
      }
    }
  }
  return found;
}

/** Returns the sessions that do not yet belong to a project's local directory. */
function elsewhere(
  pulled: readonly PulledSession[],
  directory: string,
  relinks: readonly Relink[],
): PulledSession[] {
  const inside = projectDirectories(directory);
  return pulled.filter(({ cwd, created_at }) =>
    !sessionDirectory(relinkedDirectory(cwd, created_at, relinks))?.isIn(inside)
  );
}

/**
 * Returns the time of a relink (the record that a directory moved). It is now or, if later, the
 * creation time of the newest pulled session. Another machine's clock may run ahead.
 */
function timeOf(sessions: readonly PulledSession[], now: Date): string {
  const times = sessions.map(({ created_at }) => Date.parse(created_at));
  return new Date(times.reduce((last, time) => Math.max(last, time), now.getTime())).toISOString();
}

/** True for the root of a drive or a text that is no path. Relinking it would move too much. */
function isTooWide(directory: string): boolean {
  return sessionDirectory(directory) === undefined || isRoot(directory, pathRules());
}

/** True if sessions that were not pulled are in `directory`, too. */
async function hasOthers(
  library: Library,
  directory: string,
  pulled: readonly PulledSession[],
): Promise<boolean> {
  const ids = new Set(pulled.map(({ id }) => id));
  const options = { directories: [directory], archived: "any" } as const;
  const { entries } = await library.query(options);
  return entries.some(({ session: { id } }) => !ids.has(id));
}

function topmost(directories: readonly string[]): string[] {
  return directories.filter((one) =>
    !directories.some((other) => other !== one && isWithin(one, other))
  );
}
