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

/** Returns the folder `tmp/<project>` above a chat; undefined for a chat elsewhere. */
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

/** Returns the directory in the mark of a folder in `tmp`. */
export function markedRoot(folder: string): string | undefined {
  try {
    return asName(readShortText(join(folder, ".project_root"), SETTINGS_BYTES).trim());
  } catch {
    // No marker, or none that can be read.
    return undefined;
  }
}

/** Returns the hash by which a chat names its directory. */
export function pathHash(path: string): string {
  return createHash("sha256").update(path).digest("hex");
}

const DIRECTORIES =
  /(?:Workspace Directories:\*{0,2}\s*\n|following directories:\s*\n)((?:\s*- [^\n]+\n?)+)/;
const DIRECTORY = /current(?:ly)? working (?:in the )?directory:? ?([^\n]+)/i;

/** Returns the directories that Gemini CLI names at a chat's start. */
export function namedDirectories(context: string): string[] {
  const listed = DIRECTORIES.exec(context)?.[1] ?? "";
  const paths = listed.split("\n").map((line) => line.replace(/^\s*- /, "").trim());
  const [, single = ""] = DIRECTORY.exec(context) ?? [];
  return [...paths, single.trim()].filter((path) => path !== "");
}

/** Returns the directory with the chat's hash; else the first one. */
export function chatDirectory(
  projectHash: unknown,
  named: readonly (string | undefined)[],
): string | undefined {
  const paths = named.filter((path) => path !== undefined);
  return paths.find((path) => pathHash(path) === projectHash) ?? paths[0];
}
