/** Finds a program on `PATH`. */
import { delimiter, isAbsolute, join, relative, sep } from "node:path";
import { realPathSync, statSync } from "./files.ts";
import { operatingSystem } from "./runtime.ts";

export interface FindProgramOptions {
  /** The value of the variable `PATH`. Undefined if it is not set. */
  path: string | undefined;
  /** A folder that is not searched for programs, with all folders in it. */
  avoided: string;
  /** The user's home. If it is in `avoided`, subfolders of `avoided` are searched nevertheless. */
  home?: string;
}

const ANY_EXECUTE = 0o111;
/** Endings of programs on Windows, which has no execute permission. */
const WINDOWS_ENDINGS = [".exe", ".com", ".cmd", ".bat"];

/**
 * Returns the absolute path of a program. Relative and empty entries of `PATH` are skipped, because
 * they depend on the working directory.
 *
 * @param name A file name.
 */
export function findProgram(
  name: string,
  { path = "", avoided, home }: FindProgramOptions,
): string | undefined {
  const top = realFolder(avoided);
  const whole = home === undefined || !isIn(realFolder(home), top);
  const endings = operatingSystem === "windows" ? WINDOWS_ENDINGS : [""];
  for (const entry of path.split(delimiter)) {
    if (!isAbsolute(entry)) continue;
    const folder = realFolder(entry);
    if (folder === top || (whole && isIn(folder, top))) continue;
    for (const ending of endings) {
      const program = join(entry, name + ending);
      if (isProgram(program)) return program;
    }
  }
  return undefined;
}

function realFolder(path: string): string {
  try {
    return realPathSync(path);
  } catch {
    // Not there, or not to be seen: it holds nothing to run.
    return path;
  }
}

function isIn(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function isProgram(path: string): boolean {
  try {
    const { isFile, mode } = statSync(path);
    return isFile && (mode === null || operatingSystem === "windows" || (mode & ANY_EXECUTE) !== 0);
  } catch {
    // Not there, or not to be seen.
    return false;
  }
}
