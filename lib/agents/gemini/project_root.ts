/**
 * Finds the directory that a chat belongs to.
 *
 * A chat names it by a hash alone, `projectHash`: SHA-256 of its path (Gemini CLI,
 * packages/core/src/utils/paths.ts, `getProjectHash`). The folder, the list of projects and the
 * chat itself name paths. The one with that hash is it.
 */
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { readShortText, SETTINGS_BYTES } from "../../file/short_file.ts";
import { readJsonObject } from "../../reading/files/folder.ts";
import { asName, asObject } from "../../reading/json_value.ts";

/** The folder `tmp/<project>` above a chat; undefined where it does not lie in one. */
export function projectFolder(chat: string): string | undefined {
  const folder = dirname(chat);
  if (basename(folder) === "chats") return dirname(folder);
  // A sub-agent's chat lies in a folder named by its parent.
  return basename(dirname(folder)) === "chats" ? dirname(dirname(folder)) : undefined;
}

/** Directories by the name of their folder in `tmp` (0.61: `projects.json {projects: {path: slug}}`). */
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

/** The directory that a folder in `tmp` is marked with. */
export function markedRoot(folder: string): string | undefined {
  try {
    return asName(readShortText(join(folder, ".project_root"), SETTINGS_BYTES).trim());
  } catch {
    // No marker, or none that can be read.
    return undefined;
  }
}

/** The hash by which a chat names its directory. */
export function pathHash(path: string): string {
  return createHash("sha256").update(path).digest("hex");
}

const DIRECTORIES =
  /(?:Workspace Directories:\*{0,2}\s*\n|following directories:\s*\n)((?:\s*- [^\n]+\n?)+)/;
const DIRECTORY = /current(?:ly)? working (?:in the )?directory:? ?([^\n]+)/i;

/** The directories that the context names that Gemini CLI put at a chat's start. */
export function namedDirectories(context: string): string[] {
  const listed = DIRECTORIES.exec(context)?.[1] ?? "";
  const paths = listed.split("\n").map((line) => line.replace(/^\s*- /, "").trim());
  const [, single = ""] = DIRECTORY.exec(context) ?? [];
  return [...paths, single.trim()].filter((path) => path !== "");
}

/** Of directories that are named, the one that a chat belongs to: where none has its hash, the first. */
export function chatDirectory(
  projectHash: unknown,
  named: readonly (string | undefined)[],
): string | undefined {
  const paths = named.filter((path) => path !== undefined);
  return paths.find((path) => pathHash(path) === projectHash) ?? paths[0];
}
