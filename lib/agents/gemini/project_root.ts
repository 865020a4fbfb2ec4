/**
 * Finds the directory that a chat belongs to, and the folder of a directory's chats.
 *
 * A chat names its directory only by `projectHash`, the SHA-256 of the directory's path (Gemini
 * CLI, packages/core/src/utils/paths.ts, `getProjectHash`). The folder, the list of projects and
 * the chat's texts name candidates. The path with the same hash is the directory.
 */
import { createHash } from "node:crypto";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isThere } from "../../core/file/presence.ts";
import { SETTINGS_BYTES, shortTextIn } from "../../core/file/short_file.ts";
import { listFolder, readJsonObject } from "../engine/files/folder.ts";
import { asName, asObject } from "../engine/json.ts";

/** Returns the folder `tmp/<project>` that has a chat. Undefined if the chat is elsewhere. */
export function projectFolder(chat: string): string | undefined {
  const folder = dirname(chat);
  if (basename(folder) === "chats") return dirname(folder);
  // A sub-agent's chat lies in a folder named by its parent.
  return basename(dirname(folder)) === "chats" ? dirname(dirname(folder)) : undefined;
}

/** Maps folders in `tmp` to directories. `projects.json` is `{projects: {path: slug}}` in 0.61. */
export function readProjects(home: string): Map<string, string> {
  const { projects } = readJsonObject(join(home, "projects.json"));
  const found = new Map<string, string>();
  for (const [path, slug] of Object.entries(asObject(projects))) {
    if (typeof slug === "string") found.set(slug, path);
    // Before 2026 the folder was named by the hash.
    found.set(pathHash(path), path);
  }
  return found;
}

export function markedRoot(folder: string): string | undefined {
  return asName(shortTextIn(join(folder, ".project_root"), SETTINGS_BYTES)?.trim());
}

export function pathHash(path: string): string {
  return createHash("sha256").update(path).digest("hex");
}

const DIRECTORIES =
  /(?:Workspace Directories:\*{0,2}\s*\n|following directories:\s*\n)((?:\s*- [^\n]+\n?)+)/;
const DIRECTORY = /current(?:ly)? working (?:in the )?directory:? ?([^\n]+)/i;

export function namedDirectories(context: string): string[] {
  const listed = DIRECTORIES.exec(context)?.[1] ?? "";
  const paths = listed.split("\n").map((line) => line.replace(/^\s*- /, "").trim());
  const [, single = ""] = DIRECTORY.exec(context) ?? [];
  return [...paths, single.trim()].filter((path) => path !== "");
}

/** Returns the directory whose hash is `projectHash`. If none matches, returns the first. */
export function chatDirectory(
  projectHash: unknown,
  named: readonly (string | undefined)[],
): string | undefined {
  const paths = named.filter((path) => path !== undefined);
  return paths.find((path) => pathHash(path) === projectHash) ?? paths[0];
}

/** The folders with a subfolder for each project, which the client marks by `.project_root`. */
const MARKED_FOLDERS = ["tmp", "history"];

interface ProjectSlug {
  slug: string;
  /** True if the project folder has no `.project_root` yet. A writer must create the file. */
  unmarked: boolean;
}

/**
 * Returns the name of the folder for a directory's chats, or a free name if there is no such
 * folder. Follows Gemini CLI (0.61, packages/core/src/config/projectRegistry.ts), but does not
 * change the client's list of projects. The client itself adds a folder to the list if the folder's
 * `.project_root` names the directory.
 */
export function projectSlug(home: string, cwd: string, os: string): ProjectSlug {
  const own = (path: string): boolean => normalized(path, os) === normalized(cwd, os);
  const { projects } = readJsonObject(join(home, "projects.json"));
  const listed = asObject(projects);
  const known = asName(listed[normalized(cwd, os)]);
  if (known !== undefined && isPlainName(known) && ownersOf(home, known).every(own)) {
    return { slug: known, unmarked: isUnmarked(home, known) };
  }
  const marked = markedFolder(home, own);
  if (marked !== undefined) return { slug: marked, unmarked: isUnmarked(home, marked) };
  return { slug: freeName(home, cwd, new Set(Object.values(listed))), unmarked: true };
}

function isUnmarked(home: string, slug: string): boolean {
  return markedRoot(join(home, "tmp", slug)) === undefined;
}

/** True if a folder name from `projects.json` is safe: without separators or a leading dot. */
function isPlainName(name: string): boolean {
  return name === basename(name) && !name.startsWith(".");
}

/** Returns a path in the form in which the client compares paths: in lower case on Windows. */
export function normalized(path: string, os: string): string {
  // A relative path from a file is not resolved against the current directory.
  const whole = isAbsolute(path) ? resolve(path) : path;
  return os === "windows" ? whole.toLowerCase() : whole;
}

function ownersOf(home: string, slug: string): string[] {
  return MARKED_FOLDERS.flatMap((folder) => markedRoot(join(home, folder, slug)) ?? []);
}

function markedFolder(home: string, own: (path: string) => boolean): string | undefined {
  return MARKED_FOLDERS.flatMap((folder) => listFolder(join(home, folder)))
    .find(({ path, isDirectory }) => {
      const root = isDirectory ? markedRoot(path) : undefined;
      return root !== undefined && own(root);
    })?.name;
}

function freeName(home: string, cwd: string, taken: ReadonlySet<unknown>): string {
  const name = slugOf(basename(cwd));
  const isFree = (slug: string): boolean =>
    !taken.has(slug) && MARKED_FOLDERS.every((folder) => !isThere(join(home, folder, slug)));
  for (let number = 0;; number++) {
    const slug = number === 0 ? name : `${name}-${number}`;
    if (isFree(slug)) return slug;
  }
}

function slugOf(name: string): string {
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return slug === "" ? "project" : slug;
}
