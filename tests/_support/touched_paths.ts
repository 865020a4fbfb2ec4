/** What a traced program changed, of the calls that it made. */
import { dirname, isAbsolute, join } from "node:path";
import { cliEnvironment } from "./cli.ts";
import type { CliHome } from "./cli_home.ts";

/** The calls that change files, connect, open a port, or start a program. */
export const CHANGES =
  "openat,open,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir," +
  "link,linkat,symlink,symlinkat,truncate,chmod,fchmodat,utimensat,connect,listen,execve";

/** Paths that a program opened to write, made, renamed or removed. */
export function touchedPaths(calls: readonly string[]): string[] {
  return calls.flatMap((call) => {
    if (/= -1 E/.test(call)) return [];
    if (/ open(at)?\(/.test(call) && !/O_WRONLY|O_RDWR|O_CREAT/.test(call)) return [];
    // A path may be told from an open folder on.
    return [...call.matchAll(/(?:\w+<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/g)]
      .map(([, folder = "", path = ""]) => isAbsolute(path) ? path : join(folder, path));
  });
}

/** The runtime's own cache, devices, and the pipes between its threads. */
export function isRuntimes(path: string): boolean {
  const cache = cliEnvironment({ home: "/" }).DENO_DIR ?? "/nowhere";
  return path.startsWith(cache) || /^\/(dev|proc|sys)\//.test(path);
}

/** True for a path in the store or the cache of a home, or on the way to the cache. */
export function isOurs({ store, cache }: CliHome, path: string): boolean {
  const base = dirname(cache);
  return [store, base].some((folder) => path.startsWith(folder)) || path === dirname(base);
}
