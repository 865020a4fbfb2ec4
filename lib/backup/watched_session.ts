/** A session that is watched, with the files that belong to it. */
import { sourceFiles } from "../agents/source_files.ts";
import { isSqliteFile } from "../agents/sqlite_file.ts";
import type { AgentName } from "../event/agent_name.ts";
import { digest } from "../library/catalogue/session_state.ts";
import { loadAgent } from "../library/registry.ts";
import { loadLocator } from "../library/locators.ts";
import type { AgentSession } from "../source/agent.ts";
import type { AgentEnvironment } from "../source/agent_environment.ts";
import { lookAtSource } from "./source_file.ts";

/** A session that is watched. */
export interface WatchedSession {
  session: AgentSession;
  /** Absolute path of the folder in which it is kept. */
  folder: string;
  /** Its files, its own first; undefined where they are to be looked up again. */
  files: readonly string[] | undefined;
  /** The state of its files when it was kept last. */
  stamp: number;
  /** True once its copies were compared with what they should be. */
  mended: boolean;
  /** True once its own file was found gone. */
  gone: boolean;
  /** What went wrong the last time. */
  trouble?: string;
  /** Failures in a row. */
  failures: number;
  /** Milliseconds that the last comparison of all bytes took. */
  compared_ms: number;
}

/** The sessions of an agent as it has them: those in files of their own, and those in databases. */
export interface LocatedSources {
  files: AgentSession[];
  databases: AgentSession[];
}

/**
 * Finds the sessions of an agent. Of several in one file, the first stands for the file.
 *
 * @throws {SessionError} `permission`, `io`
 */
export async function locateSources(
  name: AgentName,
  environment: AgentEnvironment,
): Promise<LocatedSources> {
  const { locate } = await loadLocator(name);
  const found: LocatedSources = { files: [], databases: [] };
  const databases = new Map<string, boolean>();
  const paths = new Set<string>();
  for await (const session of locate(environment, { subagents: true })) {
    const { path, agent, id, cwd, archived } = session;
    if (!databases.has(path)) databases.set(path, isDatabase(path));
    if (databases.get(path)) {
      found.databases.push(session);
    } else if (!paths.has(path)) {
      paths.add(path);
      // What else an agent tells would only be held: there may be 10,000.
      found.files.push({
        ...{ agent, id, path },
        ...(cwd === undefined ? {} : { cwd }),
        ...(archived ? { archived } : {}),
      });
    }
  }
  return found;
}

function isDatabase(path: string): boolean {
  return /\.(?:db|sqlite\d?)$/.test(path) && isSqliteFile(path);
}

/** The files of a session, its own first. */
export async function filesOf(session: AgentSession): Promise<readonly string[]> {
  const files = await sourceFiles(await loadAgent(session.agent), session);
  return files.length === 0 ? [session.path] : files;
}

/** A number that stands for the state of files. */
export function stampOf(files: readonly string[]): number {
  let text = "";
  for (const path of files) {
    const state = lookAtSource(path);
    text += state === undefined
      ? "-\n"
      : `${state.size} ${state.mtime} ${state.ctime} ${state.ino}\n`;
  }
  return digest(text);
}
