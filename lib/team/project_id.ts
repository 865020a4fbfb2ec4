/**
 * Names a project so that every machine finds the same name: by its git remote, or by a given one.
 */
import { SessionError } from "../event/session_error.ts";
import { gitRemote } from "../workspace/git_remote.ts";

const ADDRESS = /^(?:[a-z][a-z0-9]*\+)?(?:https?|ssh|git):\/\/(?:[^/?#]*@)?([^/?#]+)\/([^?#]*)/i;
/** The form of ssh: `git@host:path`. A single letter before the colon is a drive of Windows. */
const SHORT_ADDRESS = /^(?:[^/@:]+@)?(\[[^\]/]+\]|[^/:@[\]]{2,}):(?!\/\/)([^?#]*)/;

/**
 * Shortens a git remote to `host/path`: without scheme, user, port and `.git`.
 *
 * @returns Undefined for a path on this machine.
 */
export function normalizedRemote(address: string): string | undefined {
  const [, authority, rest = ""] = ADDRESS.exec(address) ?? SHORT_ADDRESS.exec(address) ?? [];
  if (authority === undefined) return undefined;
  const host = authority.replace(/:\d*$/, "").toLowerCase();
  const path = rest.split("/").filter((part) => part !== "").join("/").replace(/\.git$/, "");
  if (host === "" || path === "" || !isProjectName(`${host}/${path}`)) return undefined;
  return `${host}/${path}`;
}

const LONGEST_NAME = 200;

function isProjectName(name: string): boolean {
  return name.length <= LONGEST_NAME && /^[^\s\p{C}-][^\p{C}]*(?<!\s)$/u.test(name);
}

/**
 * Checks a project's name, as a person gives it.
 *
 * @throws {SessionError} `invalid-config` that says what it may be.
 */
export function checkedProjectName(name: string): string {
  if (isProjectName(name)) return name;
  const rule = `a name is up to ${LONGEST_NAME} printable characters, and begins with no dash`;
  throw new SessionError("invalid-config", `Cannot use this project name: ${rule}`);
}

/**
 * Names the project of a directory by its git remote. Git is not started.
 *
 * @param directory An absolute path.
 * @returns `host/path`; undefined where no remote says it, so a name must be given.
 */
export function projectId(directory: string): string | undefined {
  const remote = gitRemote(directory);
  return remote === undefined ? undefined : normalizedRemote(remote);
}
