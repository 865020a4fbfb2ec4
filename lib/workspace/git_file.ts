/**
 * Reads Git's own files as text. Git itself is never started, because a repository's settings name
 * programs that it would run.
 */
import { readShortText } from "../file/short_file.ts";
import { isAbsolute, join } from "node:path";

/** Files of git that are read are short. */
const GIT_BYTES = 64 * 1024;

/** The text of a file of git; undefined where it is absent, too long, or no regular file. */
export function readGitFile(path: string): string | undefined {
  try {
    return readShortText(path, GIT_BYTES);
  } catch {
    // Absent or not to be read: no answer.
    return undefined;
  }
}

/** The folder that a work tree's `.git` names, where that is a file. */
export function linkedGitFolder(top: string): string | undefined {
  const link = readGitFile(join(top, ".git"))?.match(/^gitdir: (.+)$/m)?.[1]?.trim();
  if (link === undefined) return undefined;
  return isAbsolute(link) ? link : join(top, link);
}
