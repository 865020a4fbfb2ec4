/**
 * Which branch a working directory is on, read from git's own files: no process is started.
 */
import { readShortText } from "../file/short_file.ts";
import { GIT_BYTES } from "./project.ts";
import { dirname, isAbsolute, join } from "node:path";

function readText(path: string): string | undefined {
  try {
    return readShortText(path, GIT_BYTES);
  } catch {
    // Absent or not to be read: no answer.
    return undefined;
  }
}

/** The folder that holds `HEAD`: `.git` itself, or the one that a work tree's `.git` file names. */
function headFolder(directory: string): string | undefined {
  for (let at = directory;; at = dirname(at)) {
    const dotGit = join(at, ".git");
    if (readText(join(dotGit, "HEAD")) !== undefined) return dotGit;
    const link = readText(dotGit)?.match(/^gitdir: (.+)$/m)?.[1]?.trim();
    if (link !== undefined) return isAbsolute(link) ? link : join(at, link);
    if (dirname(at) === at) return undefined;
  }
}

/**
 * The branch's name, or what else `HEAD` names; the first 12 digits of the commit where it names
 * none.
 */
export function gitBranch(directory: string): string | undefined {
  const folder = headFolder(directory);
  const head = folder === undefined ? undefined : readText(join(folder, "HEAD"))?.trim();
  if (head === undefined || head === "") return undefined;
  return head.match(/^ref: (?:refs\/heads\/)?(.+)$/)?.[1] ?? head.slice(0, 12);
}
