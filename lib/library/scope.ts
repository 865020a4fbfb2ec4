/**
 * The one rule by which commands choose sessions: those of this project, or where it has none, all.
 */
import { projectDirectories } from "../workspace/project.ts";
import type {
  KnownOptions,
  Library,
  LibraryEntry,
  LibraryListOptions,
  LocatedEntries,
} from "./library.ts";

/**
 * The sessions wanted. `project`: those of the project around a directory, or all if it has none.
 * `here`: those of the project alone. `all`: those of all directories.
 */
export type Scope = "project" | "here" | "all";

/** The sessions that were listed, and their scope. */
export interface ScopedEntries {
  /** The newest update first. */
  entries: LibraryEntry[];
  /** The project's directories; undefined where sessions of all directories are listed. */
  directories?: string[];
  /** True if the project has no session, so that those of all directories are listed. */
  widened: boolean;
}

/**
 * Lists sessions in a scope, the newest update first.
 *
 * @param cwd The directory that the project is around. @param options Which ones.
 * @throws {SessionError} As {@linkcode Library.list}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { listInScope, openLibrary } from "@reprise/reprise/library";
 *
 * const root = await Deno.makeTempDir();
 * const library = openLibrary({ root, variable: () => undefined });
 * assert.deepEqual(await listInScope(library, "project", root), { entries: [], widened: true });
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export async function listInScope(
  library: Library,
  scope: Scope,
  cwd: string,
  options: Omit<LibraryListOptions, "directories"> = {},
): Promise<ScopedEntries> {
  if (scope === "all") return { entries: await library.entries(options), widened: false };
  const directories = projectDirectories(cwd);
  const wanted = { ...options, directories };
  if (scope === "here") {
    return { entries: await library.entries(wanted), directories, widened: false };
  }
  const { entries, widened } = await library.entriesOrAll(wanted);
  return widened ? { entries, widened } : { entries, directories, widened };
}

/**
 * Finds the sessions in a scope as {@linkcode listInScope} lists them, without their rows.
 *
 * @param cwd The directory that the project is around. @param options Which ones.
 * @throws {SessionError} As {@linkcode Library.list}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { locateInScope, openLibrary } from "@reprise/reprise/library";
 *
 * const root = await Deno.makeTempDir();
 * const library = openLibrary({ root, variable: () => undefined });
 * assert.deepEqual(await locateInScope(library, "all", root), { entries: [], widened: false });
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export async function locateInScope(
  library: Library,
  scope: Scope,
  cwd: string,
  options: Omit<LibraryListOptions, "directories"> = {},
): Promise<LocatedEntries & Pick<ScopedEntries, "directories">> {
  if (scope === "all") return await library.locatedEntries(options);
  const directories = projectDirectories(cwd);
  const widen = scope === "project";
  const found = await library.locatedEntries({ ...options, directories, widen });
  return found.widened ? found : { ...found, directories };
}

/**
 * Lists a scope from what the catalogue remembers, as {@linkcode Library.knownEntries} does.
 *
 * @param cwd The directory that the project is around. @param options Which ones.
 * @throws {SessionError} As {@linkcode Library.knownEntries}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { knownInScope, openLibrary } from "@reprise/reprise/library";
 *
 * const root = await Deno.makeTempDir();
 * const library = openLibrary({ root, variable: () => undefined });
 * assert.deepEqual(await knownInScope(library, "all", root), []);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export async function knownInScope(
  library: Library,
  scope: Exclude<Scope, "project">,
  cwd: string,
  options: Omit<KnownOptions, "directories"> = {},
): Promise<LibraryEntry[]> {
  if (scope === "all") return await library.knownEntries(options);
  return await library.knownEntries({ ...options, directories: projectDirectories(cwd) });
}
