/** Reads a repository's remotes from git's own files. No process is started. */
import { join } from "node:path";
import { readGitFile } from "./git_file.ts";
import { commonGitFolder } from "./project.ts";

const SECTION = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;
const ENTRY = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)$/;

/** Removes quotes and a comment from a value. */
function valueOf(text: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  return (quoted ?? text.replace(/\s*[#;].*$/, "")).replaceAll(/\\(.)/g, "$1").trim();
}

/**
 * Returns the remotes of a repository's `config`: the first URL of each, by name. Included files
 * and rewritten URLs are not followed.
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
 * Returns the URL that a directory's repository fetches from: of `origin`, else of its only remote.
 *
 * @param cwd An absolute path.
 * @returns Undefined outside of a repository, without a remote, and where several have a claim.
 */
export function gitRemote(cwd: string): string | undefined {
  const common = commonGitFolder(cwd);
  const config = common === undefined ? undefined : readGitFile(join(common, "config"));
  if (config === undefined) return undefined;
  const remotes = remotesOf(config);
  return remotes.get("origin") ?? (remotes.size === 1 ? [...remotes.values()][0] : undefined);
}
