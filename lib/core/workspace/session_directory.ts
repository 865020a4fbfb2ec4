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

export class SessionDirectory {
  readonly #written: string;
  readonly #rules: PathRules;
  /** The directory's path on this machine. Undefined for a path of another operating system. */
  readonly local: string | undefined;
  #real: string | undefined;

  /** Takes an absolute path of any system, which {@linkcode sessionDirectory} has checked. */
  constructor(written: string, rules: PathRules) {
    this.#written = written;
    this.#rules = rules;
    this.local = localPath(written, rules);
  }

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

  pathOf(path: string): string {
    return isSystemPath(path, this.#rules) ? path : joinBelow(this.#written, path);
  }

  /** Returns a file's path relative to the directory, with `/`; undefined if it is not inside. */
  nameOf(path: string): string | undefined {
    return namesBelow(this.#written, this.pathOf(path), this.#rules)?.join("/");
  }
}

/**
 * Returns undefined for a text that is no absolute path. A session with such a directory belongs to
 * no project.
 */
export function sessionDirectory(
  written: string | undefined,
  rules: PathRules = pathRules(),
): SessionDirectory | undefined {
  if (written === undefined || !isSystemPath(written, rules)) return undefined;
  return new SessionDirectory(written, rules);
}

export function directoryAbsence(written: string): string | undefined {
  const directory = sessionDirectory(written);
  if (directory === undefined) return "not an absolute path";
  if (directory.local === undefined) return "a path from another operating system";
  return isFolderThere(directory.local) ? undefined : "gone";
}

export function sessionFilePath(path: string, cwd: string | undefined): string {
  return sessionDirectory(cwd)?.pathOf(path) ?? path;
}

/** Returns the absolute path of `given`, unresolved if it is from another operating system. */
export function namedPath(cwd: string, given: string): string {
  const named = sessionDirectory(given);
  return named !== undefined && named.local === undefined
    ? canonicalPath(given)
    : resolve(cwd, named?.local ?? given);
}
