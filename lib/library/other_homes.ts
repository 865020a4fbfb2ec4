/** Finds the homes of Windows in WSL, and those of WSL in Windows. */
import { join } from "node:path";
import { SessionError } from "../event/session_error.ts";
import { listFolder } from "../reading/files/folder.ts";
import type { OtherHome } from "../source/agent_roots.ts";

/** The folders in which one system has the other one's files. */
export interface OtherMounts {
  /** The folder of Windows' users in WSL. */
  windows_users: string;
  /** The folder of WSL's systems in Windows. */
  wsl: string;
}

/** The usual places. */
export const OTHER_MOUNTS: OtherMounts = { windows_users: "/mnt/c/Users", wsl: "\\\\wsl$" };

/** The names of folders beside those of users. */
const NOBODY: ReadonlySet<string> = new Set(["All Users", "Default", "Default User", "Public"]);

/** Returns the homes of the other system, as far as they can be listed. */
export function otherHomes(os: string, { windows_users, wsl }: OtherMounts): OtherHome[] {
  if (os === "linux") {
    return foldersIn(windows_users, NOBODY).map((home) => ({ home, os: "windows" }));
  }
  if (os !== "windows") return [];
  return foldersIn(wsl).flatMap((system) => foldersIn(join(system, "home")))
    .map((home) => ({ home, os: "linux" }));
}

function foldersIn(folder: string, without: ReadonlySet<string> = new Set()): string[] {
  try {
    return listFolder(folder).filter(({ name, isDirectory }) => isDirectory && !without.has(name))
      .map(({ path }) => path);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    // Not to be listed by this user: it has no homes that can be read.
    return [];
  }
}
