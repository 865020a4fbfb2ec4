/**
 * Paths of any system, compared by the rules of the system that wrote them. No path is resolved
 * against the current directory. Pure.
 */
import { posix, win32 } from "node:path";

/** The facts of a machine that decide how a path is read. */
export interface PathRules {
  windows: boolean;
  /** True where the file system composes letters: names in NFD and NFC are one file. */
  composes: boolean;
  /** The name of the system in WSL, empty if it is unknown; undefined outside WSL. */
  wsl: string | undefined;
}

interface PathParts {
  /** `/`, `c:`, or `\\server\share`. */
  root: string;
  /** The names below the root, as they are written. */
  names: readonly string[];
  /** False where the case of names does not count. */
  has_case: boolean;
}

/** The longest paths of Linux and of Windows. */
const MAX_POSIX = 4096;
const MAX_WINDOWS = 32_767;

const LONG_FORM = /^\\\\[?.]\\(?:(UNC)\\)?/i;
const DRIVE = /^([a-z]):[\\/](.*)$/is;
const SHARE = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)(.*)$/s;
/** Windows mounts the files of a WSL system under either name. */
const WSL_SERVER = /^wsl(?:\$|\.localhost)$/i;
/** WSL mounts the drives of Windows here. */
const WSL_DRIVE = /^\/mnt\/([a-z])(?:\/(.*))?$/s;

/** Splits an absolute path of any system; undefined for a text that is none. */
function partsOf(path: string, rules: PathRules): PathParts | undefined {
  if (path.includes("\0") || path.length > MAX_WINDOWS) return undefined;
  if (path.startsWith("/") && !(rules.windows && SHARE.test(path))) return posixParts(path, rules);
  const plain = path.replace(LONG_FORM, (_, share) => share === undefined ? "" : "\\\\");
  const [, letter, below] = DRIVE.exec(plain) ?? [];
  if (letter !== undefined) return driveParts(letter, below);
  const [, server = "", share = "", rest = ""] = SHARE.exec(plain) ?? [];
  if (server === "" || !/^[\\/]/.test(plain)) return undefined;
  const names = namesIn(rest, /[\\/]/);
  if (!WSL_SERVER.test(server)) {
    return { root: `\\\\${server}\\${share}`.toLowerCase(), names, has_case: false };
  }
  const own = rules.wsl !== undefined && share.toLowerCase() === rules.wsl.toLowerCase();
  if (own) return posixParts(`/${names.join("/")}`, rules);
  return { root: `\\\\wsl.localhost\\${share.toLowerCase()}`, names, has_case: true };
}

function posixParts(path: string, { wsl, composes }: PathRules): PathParts | undefined {
  if (path.length > MAX_POSIX) return undefined;
  const [, letter, below] = wsl === undefined ? [] : WSL_DRIVE.exec(posix.normalize(path)) ?? [];
  if (letter !== undefined) return driveParts(letter, below);
  const names = namesIn(composes ? path.normalize("NFC") : path, "/");
  return { root: "/", names, has_case: true };
}

function driveParts(letter: string, below = ""): PathParts {
  return { root: `${letter.toLowerCase()}:`, names: namesIn(below, /[\\/]/), has_case: false };
}

function namesIn(path: string, separator: string | RegExp): string[] {
  const names: string[] = [];
  for (const name of path.split(separator)) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names;
}

/** Returns the names of a path below a directory; undefined where it is elsewhere. */
export function namesBelow(
  directory: string,
  path: string,
  rules: PathRules,
): readonly string[] | undefined {
  const [top, at] = [partsOf(directory, rules), partsOf(path, rules)];
  if (top === undefined || at?.root !== top.root) return undefined;
  const key = (name: string | undefined) => top.has_case ? name : name?.toLowerCase();
  if (top.names.some((name, index) => key(at.names[index]) !== key(name))) return undefined;
  return at.names.slice(top.names.length);
}

/** True if two paths name one place, as they are written. */
export function isSamePath(one: string, other: string, rules: PathRules): boolean {
  return one === other || namesBelow(one, other, rules)?.length === 0;
}

/** True for an absolute path of any system. */
export function isSystemPath(path: string, rules: PathRules): boolean {
  return partsOf(path, rules) !== undefined;
}

/** True for a root, or a whole drive. */
export function isRoot(path: string, rules: PathRules): boolean {
  return partsOf(path, rules)?.names.length === 0;
}

/** Returns the path on this machine; undefined for one of another system, and for a text that is none. */
export function localPath(path: string, rules: PathRules): string | undefined {
  const parts = partsOf(path, rules);
  if (parts === undefined) return undefined;
  if (rules.windows) return parts.root === "/" ? undefined : path;
  // As it is written: links decide where `..` leads.
  if (path.startsWith("/")) return path;
  const below = parts.names.map((name) => `/${name}`).join("");
  if (parts.root === "/") return below || "/";
  const [, letter] = rules.wsl === undefined ? [] : /^([a-z]):$/.exec(parts.root) ?? [];
  return letter && `/mnt/${letter}${below}`;
}

/** Returns a name below a directory as a path, with the directory's separator. */
export function joinBelow(directory: string, ...names: readonly string[]): string {
  return (directory.startsWith("/") ? posix : win32).join(directory, ...names);
}
