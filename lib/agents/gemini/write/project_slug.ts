/**
 * Finds the folder of a directory's chats, or a free name for it, as Gemini CLI does (0.61,
 * packages/core/src/config/projectRegistry.ts). Its list of projects is not changed. The client adds
 * a folder by itself that is marked with the directory.
 */
import { basename, join, resolve } from "node:path";
import { isThere } from "../../../file/presence.ts";
import { listFolder, readJsonObject } from "../../../reading/files/folder.ts";
import { asName, asObject } from "../../../reading/json_value.ts";
import { markedRoot } from "../project_root.ts";

/** The folders in which the client marks a project's folder. */
const MARKED_FOLDERS = ["tmp", "history"];

/** A directory's folder among all projects. */
interface ProjectSlug {
  slug: string;
  /** True if the directory must be written into its mark. */
  unmarked: boolean;
}

/** Returns the name of the folder for a directory. */
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

/** True for a safe folder name: it comes from a file. */
function isPlainName(name: string): boolean {
  return name === basename(name) && !name.startsWith(".");
}

/** Normalizes a path as the client compares it: as it is spelled, on Windows in lower case. */
export function normalized(path: string, os: string): string {
  const whole = resolve(path);
  return os === "windows" ? whole.toLowerCase() : whole;
}

/** Returns the directories in the marks of the folders of this name. */
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

/** Returns a name that no other project has, in the list or as a folder. */
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
