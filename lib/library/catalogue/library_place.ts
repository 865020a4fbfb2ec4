/** The places where a library finds sessions. */
import { join } from "node:path";
import { AGENT_NAMES, type AgentName, isBuiltIn, REPRISE } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { listFolder } from "../../agents/engine/files/folder.ts";
import { type Marks, readMarks } from "../../core/store/marks.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import type { OtherHome } from "../../agents/contract/agent_roots.ts";
import { cacheFolder } from "../../core/workspace/cache_folder.ts";
import { readConfig } from "../../core/workspace/config_file.ts";
import { trustedReaders } from "../machine/own_readers.ts";
import type { CatalogueOptions } from "./catalogue_options.ts";
import { wslSystems } from "../../core/platform/wsl_systems.ts";
import { homeFolder } from "../../core/workspace/home_folder.ts";

/** The folders, agents and facts of a machine that a library uses. */
export interface LibraryPlace {
  /** The data root of Reprise's own sessions. Undefined if it is not known. */
  root: string | undefined;
  /** The cache folder of the data root. Undefined if it is not known. */
  cache?: string | undefined;
  /** The facts about the machine that readers may use. */
  environment: AgentEnvironment;
  /** The agents whose sessions are looked for. Reprise comes first. */
  agents: readonly AgentName[];
  /**
   * Returns the current time. A session that changed just before this time may still run.
   * @default {the system's}
   */
  now?: (() => Date) | undefined;
}

export interface Machine {
  root: string | undefined;
  variable(name: string): string | undefined;
  /** The operating system, as in `Deno.build.os`. */
  os: string;
  /** Returns the current time. @default {the system's} */
  now?: (() => Date) | undefined;
  /** The folders in which Windows and WSL see each other's files. @default {the usual folders} */
  mounts?: OtherMounts;
}

/** Returns the place of a library. Without a home directory, it has only Reprise's own sessions. */
export function libraryPlace(
  { root, variable, os, now, mounts = OTHER_MOUNTS }: Machine,
): LibraryPlace {
  const home = homeFolder(variable, os);
  let added: AddedRoots | undefined;
  // Reads the settings, so it runs only when they are needed.
  const fromSettings = (): AddedRoots =>
    added ??= root === undefined ? {} : addedRoots(root, os, mounts);
  const environment: AgentEnvironment = {
    ...{ home: home ?? "", variable, os },
    ...(root === undefined ? {} : { root }),
    get added_roots() {
      return fromSettings().added_roots;
    },
    get other_homes() {
      return fromSettings().other_homes;
    },
    get readers() {
      return fromSettings().readers;
    },
  };
  return {
    root,
    // Looks at the disk, so it runs only when the folder is needed.
    get cache(): string | undefined {
      return root === undefined ? undefined : cacheFolder(root, variable, os);
    },
    environment,
    get agents(): readonly AgentName[] {
      if (!home) return [REPRISE];
      const { readers = {} } = environment;
      const own = Object.keys(readers) as AgentName[];
      return [...AGENT_NAMES.filter(isBuiltIn), ...own];
    },
    now,
  };
}

type AddedRoots = Pick<AgentEnvironment, "added_roots" | "other_homes" | "readers">;

function addedRoots(root: string, os: string, mounts: OtherMounts): AddedRoots {
  try {
    const config = readConfig(root);
    const added_roots = Object.fromEntries(
      AGENT_NAMES.map((name) => [name, config[`agents.${name}.roots`]?.split(",") ?? []]),
    );
    const other_homes = config["roots.wsl"] ? otherHomes(os, mounts) : [];
    return { added_roots, other_homes, readers: trustedReaders(root, config) };
  } catch {
    // Other commands report what is wrong with the settings.
    return {};
  }
}

export function marksIn(
  root: string | undefined,
  onError: (error: SessionError) => void,
): Marks {
  return root === undefined ? new Map() : readMarks(root, onError);
}

/**
 * Returns the agents to look at: the requested agents, or all.
 *
 * @throws {SessionError} `invalid-config` if the home directory is unknown, in which agents keep
 * their sessions.
 */
export function chosenAgents(
  { agents }: LibraryPlace,
  asked: readonly AgentName[] | undefined,
): readonly AgentName[] {
  if (asked === undefined) return agents;
  if (asked.every((name) => agents.includes(name))) return asked;
  const message =
    "Cannot look for sessions of agents such as Claude Code: set HOME to your home directory";
  throw new SessionError("invalid-config", message);
}

interface OtherMounts {
  /** The folder with the homes of Windows users, as WSL sees it. */
  windows_users: string;
  /** The folder with the WSL systems, as Windows sees it. */
  wsl: string;
  systems(): readonly string[];
}

const OTHER_MOUNTS: OtherMounts = {
  ...{ windows_users: "/mnt/c/Users", wsl: "\\\\wsl.localhost", systems: wslSystems },
};

/** Names of folders among the Windows homes that belong to no user. */
const NOBODY: ReadonlySet<string> = new Set(["All Users", "Default", "Default User", "Public"]);

/** Returns other homes that this user can list: Windows homes on Linux, WSL homes on Windows. */
export function otherHomes(os: string, { windows_users, wsl, systems }: OtherMounts): OtherHome[] {
  if (os === "linux") {
    return foldersIn(windows_users, NOBODY).map((home) => ({ home, os: "windows" }));
  }
  if (os !== "windows") return [];
  return systems().flatMap((system) => foldersIn(join(wsl, system, "home")))
    .map((home) => ({ home, os: "linux" }));
}

function foldersIn(folder: string, without: ReadonlySet<string> = new Set()): string[] {
  try {
    return listFolder(folder).filter(({ name, isDirectory }) => isDirectory && !without.has(name))
      .map(({ path }) => path);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    // The user cannot list the folder, so it has no homes that can be read.
    return [];
  }
}

export interface SessionPlace {
  /** The session's name in messages. @default {its id, or `<agent>:<id>`} */
  ref?: string;
  seq?: number;
  /** The record that the reference names, if its event has not been looked up yet. */
  record?: string;
  /** The thread that the reference names, which is read by default. */
  thread?: string;
  /** The machine's folders and processes, used to see if the session runs and where it moved. */
  place?: LibraryPlace;
  /** The cache of the session's totals and of offsets to read from. @default {nothing is cached} */
  kept?: CatalogueOptions;
}
