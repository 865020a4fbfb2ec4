/**
 * Paths of any system, compared by the rules of the system that wrote them. No path is resolved
 * against the current directory. Pure.
 */
import { posix, win32 } from "node:path";

export interface PathRules {
  windows: boolean;
  /** True if the file system treats names in NFD and NFC as the same file. */
  composes: boolean;
  /** In WSL, the name of the Linux system, or empty if unknown; undefined outside WSL. */
  wsl: string | undefined;
}

interface PathParts {
  /** The root: `/`, `c:`, or `\\server\share`. */
  root: string;
  names: readonly string[];
  /** False if upper and lower case are the same in names. */
  has_case: boolean;
}

/** Maximum number of characters of a path. */
const MAX_POSIX = 4096;
const MAX_WINDOWS = 32_767;

const LONG_FORM = /^\\\\[?.]\\(?:(UNC)\\)?/i;
const DRIVE = /^([a-z]):[\\/](.*)$/is;
const SHARE = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)(.*)$/s;
/** Matches the server names under which Windows shows the files of WSL. */
const WSL_SERVER = /^wsl(?:\$|\.localhost)$/i;
const WSL_DRIVE = /^\/mnt\/([a-z])(?:\/(.*))?$/s;

/** Splits an absolute path of any operating system; undefined for any other text. */
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

/** Returns the names from `directory` to `path`; empty if equal, undefined if not inside. */
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

/** True if two paths name the same place, without following links. */
export function isSamePath(one: string, other: string, rules: PathRules): boolean {
  return one === other || namesBelow(one, other, rules)?.length === 0;
}

/** True for an absolute path of any operating system. */
export function isSystemPath(path: string, rules: PathRules): boolean {
  return partsOf(path, rules) !== undefined;
}

export function isRoot(path: string, rules: PathRules): boolean {
  return partsOf(path, rules)?.names.length === 0;
}

/** Translates a path to this machine. Undefined if relative or of another operating system. */
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

export function joinBelow(directory: string, ...names: readonly string[]): string {
  return (directory.startsWith("/") ? posix : win32).join(directory, ...names);
}
