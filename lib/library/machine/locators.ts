/**
 * Locates each agent's sessions, and the files whose changes show that a session changed. The
 * module loads without the readers, because they are ten times as large.
 */
import { existsSync } from "node:fs";
import { AGENT_NAMES, type AgentName, REPRISE } from "../../core/event/agent_name.ts";
import { listFolder } from "../../agents/engine/files/folder.ts";
import { ownFolder } from "../../agents/engine/files/own_folder.ts";
import { sqliteFiles } from "../../agents/engine/sqlite/sqlite_file.ts";
import type { AgentSession, LocateOptions } from "../../agents/contract/agent.ts";
import type {
  LocateSessions,
  OpenMarks,
  ReadOpenMarks,
} from "../../agents/contract/agent_descriptor.ts";
import type { AgentEnvironment, AgentPlace } from "../../agents/contract/agent_environment.ts";
import {
  agentPlaces,
  hasTraces,
  isBelow,
  type Listings,
} from "../../agents/contract/agent_roots.ts";
import { backupsDirectory, hasKept } from "./kept/kept_index.ts";
import { hasPulled } from "./pulled/pulled_sessions.ts";
import { hasShared } from "./pulled/team_sessions.ts";
import { descriptorOf } from "./registry.ts";

export interface Locator {
  /** Finds sessions by folders and indexes, without reading logs. Ignores missing roots. */
  locate(environment: AgentEnvironment, options?: LocateOptions): AsyncIterable<AgentSession>;
  /**
   * Returns the files from which a session's summary is read, its own file first. The summary
   * changes only if these files change. Undefined if the files are not known.
   */
  files(session: AgentSession): readonly string[] | undefined;
  /**
   * True while a process writes the session. Absent unless all writers of the agent hold a lock.
   */
  isActive?: ((session: AgentSession) => boolean) | undefined;
  /** Reads the marks that running clients set for open sessions. Absent if clients set none. */
  openMarks?: ((environment: AgentEnvironment) => Promise<OpenMarks>) | undefined;
}

export function filesOfSummary(session: AgentSession): readonly string[] | undefined {
  const { files = filesOfEnds } = descriptorOf(session.agent);
  return files(session);
}

export async function loadLocator(name: AgentName): Promise<Locator> {
  const descriptor = descriptorOf(name);
  const { files = filesOfEnds, isActive, loadOpenMarks } = descriptor;
  const locate = await descriptor.loadLocate();
  return {
    files,
    locate: (environment, options) =>
      locateBelow(agentPlaces(descriptor, environment), locate, options),
    isActive,
    openMarks: loadOpenMarks &&
      (async (environment) =>
        await marksBelow(agentPlaces(descriptor, environment), await loadOpenMarks())),
  };
}

export async function locateById(
  name: AgentName,
  environment: AgentEnvironment,
  id: string,
): Promise<AgentSession | undefined> {
  const { locate } = await loadLocator(name);
  for await (const session of locate(environment)) if (session.id === id) return session;
  return undefined;
}

function locateBelow(
  places: readonly AgentPlace[],
  locate: LocateSessions,
  options: LocateOptions | undefined,
): AsyncIterable<AgentSession> {
  const [only] = places;
  return only !== undefined && places.length === 1
    ? locate(only, options)
    : locateOnce(places, locate, options);
}

/**
 * Finds the sessions of several roots. If two roots have a session with the same id, the second
 * one's `ref` is its path. In a database it is `path~id`. A session that is found in two roots at
 * the same path is returned once.
 */
async function* locateOnce(
  places: readonly AgentPlace[],
  locate: LocateSessions,
  options: LocateOptions | undefined,
): AsyncGenerator<AgentSession> {
  const seen = new Set<string>();
  const owners = new Map<string, AgentPlace>();
  for (const place of places) {
    for await (const session of locate(place, options)) {
      const { id, path } = session;
      const key = `${id}\0${path}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const owner = owners.get(id);
      if (owner === undefined) owners.set(id, place);
      const shared = owner !== undefined && owner !== place;
      // A path alone does not show which session of a database is meant.
      const ref = isDatabase(path) ? `${path}~${id}` : path;
      yield shared ? { ...session, ref } : session;
    }
  }
}

async function marksBelow(
  places: readonly AgentPlace[],
  read: ReadOpenMarks,
): Promise<OpenMarks> {
  const all = await Promise.all(places.map(read));
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const named = all.flatMap((marks) => marks.named === undefined ? [] : [...marks.named]);
  return {
    ...(all.every((marks) => marks.named !== undefined) ? { named: new Set(named) } : {}),
    async isOpen(session): Promise<boolean | undefined> {
      const told = await Promise.all(all.map((marks) => marks.isOpen(session)));
      return told.includes(true) ? true : told.find((open) => open !== undefined);
    },
    tells: (session) => all.map((marks) => marks.tells?.(session)).find((told) => told),
  };
}

/** Returns all agents. Those that have a root folder above the path come first. */
export function likelyFirst(
  environment: AgentEnvironment,
  names: readonly AgentName[],
  path: string,
): AgentName[] {
  const listings: Listings = new Map();
  const isLikely = (name: AgentName): boolean =>
    agentPlaces(descriptorOf(name), environment, listings)
      .some(({ folder }) => isBelow(path, folder));
  const likely = new Set(names.filter(isLikely));
  return [...likely, ...names.filter((name) => !likely.has(name))];
}

/** True for an agent that may delete sessions by itself. */
export function mayExpire(name: string): boolean {
  return AGENT_NAMES.some((one) => one === name && descriptorOf(one).loadExpiry !== undefined);
}

/**
 * Returns the agents with traces on the machine, usually two or three. Loading the locators of all
 * agents would take longer than listing the sessions.
 */
export function tracedAgents(
  environment: AgentEnvironment,
  names: readonly AgentName[] = AGENT_NAMES,
): AgentName[] {
  const { root } = environment;
  const has_backups = root !== undefined && existsSync(backupsDirectory(root));
  const listings: Listings = new Map();
  return names.filter((name) =>
    hasTraces(descriptorOf(name), environment, listings) ||
    (has_backups && hasKept(root, name)) || hasPulled(root, name) ||
    (name === REPRISE && hasShared(root))
  );
}

/**
 * Returns the session's file and the other files in its own folder, or all files of its database.
 * Undefined if the session has files in other folders.
 */
function filesOfEnds(session: AgentSession): readonly string[] | undefined {
  const { path } = session;
  if (isDatabase(path)) return sqliteFiles(path);
  if (isTree(path)) return undefined;
  const folder = ownFolder(session);
  if (folder === undefined) return [path];
  const around = listFolder(folder).filter(({ isFile }) => isFile).map((entry) => entry.path);
  return [path, ...around.filter((one) => one !== path)];
}

function isDatabase(path: string): boolean {
  return /\.(?:db|sqlite)$/.test(path);
}

/** True for a session of OpenCode before it had a database: `session/<project>/<id>.json`. */
function isTree(path: string): boolean {
  return /[\\/]session[\\/][^\\/]+[\\/][^\\/]+\.json$/.test(path);
}
