/** Resolves the roots of agents on a machine: the folders that hold an agent's data. */
import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { readDirSync, realPathSync } from "../../core/platform/files.ts";
import { expandHome } from "../../core/workspace/data_root.ts";
import type { AgentDescriptor, RootCandidates, RootPath } from "./agent_descriptor.ts";
import type { AgentEnvironment, AgentPlace } from "./agent_environment.ts";

const VARIABLE = /^\$(\w+)/;

/** The names in listed folders, keyed by home and unexpanded path. All agents share this cache. */
export type Listings = Map<string, ReadonlySet<string>>;

/** Returns the folders of a path. None for an unset variable or another operating system. */
export function foldersAt(
  given: string | RootPath,
  environment: AgentEnvironment,
  listings: Listings = new Map(),
): string[] {
  const { path, os, absolute = false, listed_in } = typeof given === "string"
    ? { path: given } as RootPath
    : given;
  if (os !== undefined && os !== environment.os) return [];
  if (listed_in !== undefined) {
    const [next = ""] = path.slice(listed_in.length + 1).split("/");
    if (!namesIn(listed_in, environment, listings).has(next)) return [];
  }
  const [text, name] = VARIABLE.exec(path) ?? [];
  if (name === undefined || text === undefined) return [expanded(path, environment)];
  const value = environment.variable(name) ?? "";
  if (absolute && !isAbsolute(value)) return [];
  return listed(value).map((one) => join(expanded(one, environment), path.slice(text.length)));
}

function namesIn(
  path: string,
  environment: AgentEnvironment,
  listings: Listings,
): ReadonlySet<string> {
  const key = `${environment.home}\0${path}`;
  const known = listings.get(key);
  if (known !== undefined) return known;
  const names = new Set<string>();
  for (const folder of foldersAt(path, environment)) {
    try {
      // An error with its stack takes ten times as long.
      if (existsSync(folder)) { for (const { name } of readDirSync(folder)) names.add(name); }
    } catch {
      // Not there, or not to be listed: nothing below it is a root.
    }
  }
  listings.set(key, names);
  return names;
}

function expanded(path: string, { home }: AgentEnvironment): string {
  return join(expandHome(path, home));
}

function listed(value: string): string[] {
  const names = value.includes(",") && !existsSync(value) ? value.split(",") : [value];
  return names.map((name) => name.trim()).filter((name) => name !== "");
}

export function firstSet(
  candidates: RootCandidates,
  environment: AgentEnvironment,
  listings?: Listings,
): string[] {
  for (const candidate of candidates) {
    const folders = foldersAt(candidate, environment, listings);
    if (folders.length > 0) return folders;
  }
  return [];
}

function distinct(folders: readonly string[]): string[] {
  const once = [...new Set(folders)];
  if (once.length < 2) return once;
  const seen = new Set<string>();
  return once.filter((folder) => {
    const real = existsSync(folder) ? realPathSync(folder) : folder;
    if (seen.has(real)) return false;
    seen.add(real);
    return true;
  });
}

type Rooted = Pick<AgentDescriptor, "name" | "roots">;

/** Returns the paths of an agent's roots, the main root first. Two paths may lead to one folder. */
function rootPaths(
  { name, roots }: Rooted,
  environment: AgentEnvironment,
  listings: Listings = new Map(),
): string[] {
  if (typeof roots === "function") return roots(environment);
  return [
    ...roots.flatMap((candidates) => firstSet(candidates, environment, listings)),
    ...(environment.added_roots?.[name] ?? []).map((path) => expanded(path, environment)),
  ];
}

function systems(environment: AgentEnvironment): AgentEnvironment[] {
  const { other_homes = [] } = environment;
  return [environment, ...other_homes.map(otherSystem)];
}

/** A home of Windows as seen from WSL, or of WSL as seen from Windows. */
export type OtherHome = NonNullable<AgentEnvironment["other_homes"]>[number];

function otherSystem({ home, os }: OtherHome): AgentEnvironment {
  const variables: Readonly<Record<string, string>> = os === "windows"
    ? {
      USERPROFILE: home,
      APPDATA: join(home, "AppData", "Roaming"),
      LOCALAPPDATA: join(home, "AppData", "Local"),
    }
    : { HOME: home };
  return { home, os, variable: (name) => variables[name] };
}

/** Returns an agent's roots, the main one first. A root's folder may not exist. */
export function agentPlaces(
  rooted: Rooted,
  environment: AgentEnvironment,
  listings?: Listings,
): AgentPlace[] {
  const [own = environment, ...others] = systems(environment);
  const places = distinct(rootPaths(rooted, own, listings)).map((folder) => ({ ...own, folder }));
  return places.concat(
    others.flatMap((other) =>
      distinct(rootPaths(rooted, other, listings)).map((folder) => ({ ...other, folder }))
    ),
  );
}

/** True if a path is below a folder. Both are compared as text. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(join(folder, "/"));
}

export function watchedFolders(
  descriptor: Pick<AgentDescriptor, "name" | "roots" | "watched">,
  environment: AgentEnvironment,
): string[] {
  const { watched = [] } = descriptor;
  const below = watched.filter((path) => !VARIABLE.test(path));
  const named = watched.filter((path) => VARIABLE.test(path));
  const folders = agentPlaces(descriptor, environment)
    .flatMap(({ folder }) => below.map((path) => join(folder, path)));
  return [...named.flatMap((path) => foldersAt(path, environment)), ...new Set(folders)];
}

export function agentFolders(
  descriptor: Pick<AgentDescriptor, "name" | "roots" | "watched">,
  environment: AgentEnvironment,
): string[] {
  const roots = agentPlaces(descriptor, environment).map(({ folder }) => folder);
  return [...roots, ...watchedFolders(descriptor, environment)];
}

/** True if an agent may have sessions on this machine; false if none of its data exists. */
export function hasTraces(
  descriptor: AgentDescriptor,
  environment: AgentEnvironment,
  listings?: Listings,
): boolean {
  const { variables = [], mayHaveSessions } = descriptor;
  if (variables.some((name) => environment.variable(name))) return true;
  return mayHaveSessions?.(environment) ??
    systems(environment).some((system) =>
      rootPaths(descriptor, system, listings).some((folder) => existsSync(folder))
    );
}

export function rootVariables({ roots, variables = [] }: AgentDescriptor): string[] {
  const paths = typeof roots === "function" ? [] : roots.flat();
  const named = paths.flatMap((one) =>
    VARIABLE.exec(typeof one === "string" ? one : one.path)?.[1] ?? []
  );
  return [...new Set([...named, ...variables])];
}
