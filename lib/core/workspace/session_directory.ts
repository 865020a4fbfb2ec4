/**
 * The directory of a session, as its agent wrote it. It may be a path of another system, or not a
 * path at all. It is not a string, so that no function resolves it against the current directory.
 */
import { resolve } from "node:path";
import { isFolderThere } from "../file/presence.ts";
import { canonicalPath } from "./namespace.ts";
import { pathRules } from "./path_rules.ts";
import { realDirectory } from "./real_directory.ts";
import { isSystemPath, joinBelow, localPath, namesBelow, type PathRules } from "./system_path.ts";

/** An absolute directory of a session, on this or on another system. */
export class SessionDirectory {
  readonly #written: string;
  readonly #rules: PathRules;
  /** The directory's path on this machine; undefined if it is of another system. */
  readonly local: string | undefined;
  #real: string | undefined;

  /** Takes an absolute path of any system, which {@linkcode sessionDirectory} has checked. */
  constructor(written: string, rules: PathRules) {
    this.#written = written;
    this.#rules = rules;
    this.local = localPath(written, rules);
  }

  /** The directory's path without links; the written path if it is not on this machine. */
  get real(): string {
    return this.#real ??= realDirectory(this.local ?? this.#written);
  }

  /**
   * True if the directory is one of `directories` or below one. Compares both the written path and
   * the path without links.
   */
  isIn(directories: readonly string[]): boolean {
    const isBelow = (path: string): boolean =>
      directories.some((one) => namesBelow(one, path, this.#rules) !== undefined);
    return isBelow(this.#written) || this.local !== undefined && isBelow(this.real);
  }

  /** Returns a file's absolute path. `path` may be relative to this directory. */
  pathOf(path: string): string {
    return isSystemPath(path, this.#rules) ? path : joinBelow(this.#written, path);
  }

  /** Returns a file's path relative to the directory, with `/`; undefined if it is not inside. */
  nameOf(path: string): string | undefined {
    return namesBelow(this.#written, this.pathOf(path), this.#rules)?.join("/");
  }
}

/**
 * Returns the directory that a session names. Undefined if the session names no absolute path; such
 * a session belongs to no project.
 */
export function sessionDirectory(
  written: string | undefined,
  rules: PathRules = pathRules(),
): SessionDirectory | undefined {
  if (written === undefined || !isSystemPath(written, rules)) return undefined;
  return new SessionDirectory(written, rules);
}

/** Returns why a session's directory cannot be used, such as "gone"; undefined if it exists. */
export function directoryAbsence(written: string): string | undefined {
  const directory = sessionDirectory(written);
  if (directory === undefined) return "not an absolute path";
  if (directory.local === undefined) return "a path from another operating system";
  return isFolderThere(directory.local) ? undefined : "gone";
}

/** Returns the path of a session's file, which is absolute if the session's directory is known. */
export function sessionFilePath(path: string, cwd: string | undefined): string {
  return sessionDirectory(cwd)?.pathOf(path) ?? path;
}

/** Returns the absolute path of `given`, unresolved if it is a path of another system. */
export function namedPath(cwd: string, given: string): string {
  const named = sessionDirectory(given);
  return named !== undefined && named.local === undefined
    ? canonicalPath(given)
    : resolve(cwd, named?.local ?? given);
}
