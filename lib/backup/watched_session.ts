/** A session that is watched, with the files that belong to it. */
import { sourceFiles } from "../reading/files/session_files.ts";
import { isSqliteFile } from "../reading/sqlite/sqlite_file.ts";
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
  /** Name of the folder in which it is kept, below its agent's. */
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

/** A session as its agent has it: in a file of its own, or in a database. */
export interface LocatedSource {
  session: AgentSession;
  in_database: boolean;
}

/**
 * Finds the sessions of an agent.
 *
 * @throws {SessionError} `permission`, `io`
 */
export async function* locateSources(
  name: AgentName,
  environment: AgentEnvironment,
): AsyncGenerator<LocatedSource> {
  const { locate } = await loadLocator(name);
  const databases = new Map<string, boolean>();
  for await (const session of locate(environment, { subagents: true })) {
    const { path } = session;
    let in_database = false;
    if (/\.(?:db|sqlite\d?)$/.test(path)) {
      in_database = databases.get(path) ?? isSqliteFile(path);
      databases.set(path, in_database);
    }
    yield { session, in_database };
  }
}

/** The files of a session, its own first. */
export async function filesOf(session: AgentSession): Promise<readonly string[]> {
  const files = await sourceFiles(await loadAgent(session.agent), session);
  // A list that grew has room for more, which 10,000 would hold: a slice has none.
  return files.length === 0 ? [session.path] : files.slice();
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
