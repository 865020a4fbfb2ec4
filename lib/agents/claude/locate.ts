/**
 * Locates Claude Code's sessions: a folder for each project below `projects`. Files of sub-agents
 * are threads of their session. If the session's file is missing, they are sessions of their own,
 * so that nothing is hidden.
 */
import { join } from "node:path";
import { type FolderEntry, listFolder } from "../engine/files/folder.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { filesBelow, filesBeside } from "./subagent_files.ts";
import { isSubagentFile } from "./subagent_name.ts";

export async function* locateSessions(
  place: AgentPlace,
): AsyncGenerator<AgentSession> {
  for (const folder of listFolder(join(place.folder, "projects"))) {
    if (!folder.isDirectory) continue;
    const entries = listFolder(folder.path);
    // Qoder's editor has its sessions in a folder of their own.
    if (entries.some(({ name }) => name === "transcript")) {
      for (const one of listFolder(join(folder.path, "transcript"))) entries.push(one);
    }
    for (const { name, path, isFile } of entries) {
      if (isFile && isSession(name)) yield { agent: "claude", id: idInName(name), path };
    }
    for (const path of orphans(folder.path, entries)) {
      yield { agent: "claude", id: idInName(path.slice(path.lastIndexOf("agent-"))), path };
    }
  }
}

function isSession(name: string): boolean {
  return name.endsWith(".jsonl") && !isSubagentFile(name);
}

/** Lists the files of sub-agents whose session has no file any more. */
function orphans(folder: string, entries: readonly FolderEntry[]): string[] {
  if (entries.every(({ name, isDirectory }) => !isDirectory && !isSubagentFile(name))) return [];
  const names = entries.map(({ name }) => name).filter(isSession);
  const sessions = new Set(names.map(idInName));
  const lost: string[] = [];
  if (entries.some(({ name }) => isSubagentFile(name))) {
    for (const [id, files] of filesBeside(folder, entries)) {
      if (!sessions.has(id)) { for (const one of files) lost.push(one); }
    }
  }
  for (const { name, path, isDirectory } of entries) {
    if (isDirectory && !sessions.has(name)) {
      for (const one of filesBelow(join(path, "subagents"))) {
        lost.push(one);
      }
    }
  }
  return lost;
}

export function idInName(name: string): string {
  return name.replace(/\.jsonl$/, "");
}

/** Maximum length of a project folder's name. Longer names are cut and get a hash. */
const LONGEST_NAME = 200;

/** Returns a directory's folder name below `projects`, as in Claude Code 2.1.100 and 2.1.330. */
export function projectFolder(cwd: string): string {
  const slug = slugOf(cwd);
  return slug.length <= LONGEST_NAME ? slug : `${slug.slice(0, LONGEST_NAME)}-${shortHash(cwd)}`;
}

function shortHash(text: string): string {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return Math.abs(hash).toString(36);
}

function slugOf(cwd: string): string {
  return cwd.replace(/[^a-zA-Z0-9]/g, "-");
}

/**
 * True if a folder with this name may hold the sessions of a directory. Several directories can
 * have the same folder.
 */
export function mayHold(name: string, cwd: string): boolean {
  const slug = slugOf(cwd);
  // The hash may be another one in builds that were not seen.
  return slug.length <= LONGEST_NAME
    ? name === slug
    : name.startsWith(`${slug.slice(0, LONGEST_NAME)}-`);
}
