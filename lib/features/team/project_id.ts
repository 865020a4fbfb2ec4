/**
 * Names a project by its git remote, or by a name that the user gave. Every machine finds the same
 * name. Reads the remote from git's own files, and starts no process.
 */
import { join } from "node:path";
import { SessionError } from "../../core/event/session_error.ts";
import { readGitFile } from "../../core/workspace/git_file.ts";
import { commonGitFolder } from "../../core/workspace/project.ts";

const ADDRESS = /^(?:[a-z][a-z0-9]*\+)?(?:https?|ssh|git):\/\/(?:[^/?#]*@)?([^/?#]+)\/([^?#]*)/i;
/** Matches ssh's form, `git@host:path`. A single letter before the colon is a Windows drive. */
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

export function checkedProjectName(name: string): string {
  if (isProjectName(name)) return name;
  const rule = `use at most ${LONGEST_NAME} printable characters, and no dash at the beginning`;
  throw new SessionError("invalid-config", `Cannot use this project name: ${rule}`);
}

/**
 * Names the project of a directory by its git remote. Git is not started.
 *
 * @param directory An absolute path.
 * @returns `host/path`. Undefined without a usable remote: then the user must give a name.
 */
export function projectId(directory: string): string | undefined {
  const remote = gitRemote(directory);
  return remote === undefined ? undefined : normalizedRemote(remote);
}

const SECTION = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;
const ENTRY = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)$/;

function valueOf(text: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  return (quoted ?? text.replace(/\s*[#;].*$/, "")).replaceAll(/\\(.)/g, "$1").trim();
}

/**
 * Returns the first URL of each remote in a git `config`, by name. Ignores `include` and
 * `insteadOf`.
 */
function remotesOf(config: string): Map<string, string> {
  const remotes = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    const [, section, name] = SECTION.exec(line) ?? [];
    if (section !== undefined) {
      remote = section.toLowerCase() === "remote" ? name?.replaceAll(/\\(.)/g, "$1") : undefined;
      continue;
    }
    const [, key = "", text = ""] = ENTRY.exec(line) ?? [];
    if (remote === undefined || key.toLowerCase() !== "url" || remotes.has(remote)) continue;
    remotes.set(remote, valueOf(text));
  }
  return remotes;
}

/**
 * Returns the URL of the remote `origin` of a directory's repository, else the URL of its only
 * remote.
 *
 * @param cwd An absolute path.
 * @returns Undefined outside of a repository, without a remote, and with several remotes of which
 * none is `origin`.
 */
function gitRemote(cwd: string): string | undefined {
  const common = commonGitFolder(cwd);
  const config = common === undefined ? undefined : readGitFile(join(common, "config"));
  if (config === undefined) return undefined;
  const remotes = remotesOf(config);
  return remotes.get("origin") ?? (remotes.size === 1 ? [...remotes.values()][0] : undefined);
}
