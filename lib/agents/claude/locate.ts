/**
 * Where Claude Code keeps sessions: a folder for each project below `~/.claude/projects`. Talks of
 * sub-agents beside them are no sessions of their own.
 */
import { join } from "node:path";
import type { AgentEnvironment, AgentSession, LocateOptions } from "../../source/agent.ts";
import { expandHome, type FolderEntry, listFolder } from "../folder.ts";

/** Finds sessions; see {@linkcode Agent.locate}. */
export async function* locateSessions(
  { home, variable }: AgentEnvironment,
  { cwd }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const root = expandHome(variable("CLAUDE_CONFIG_DIR") || "~/.claude", home);
  for (const folder of listFolder(join(root, "projects"))) {
    if (!folder.isDirectory || (cwd !== undefined && !mayHold(folder.name, cwd))) continue;
    for (const entry of listFolder(folder.path)) {
      if (isSession(entry)) yield { agent: "claude", id: idInName(entry.name), path: entry.path };
    }
  }
}

function isSession({ name, isFile }: FolderEntry): boolean {
  return isFile && name.endsWith(".jsonl") && !name.startsWith("agent-");
}

/** The id in the name of a session's file. */
export function idInName(name: string): string {
  return name.replace(/\.jsonl$/, "");
}

/** Longer names are cut and get a hash, which differs between builds. */
const LONGEST_NAME = 200;

/** Whether the folder of this name may be that of a directory. Several can have the same one. */
export function mayHold(name: string, cwd: string): boolean {
  const slug = cwd.replace(/[^a-zA-Z0-9]/g, "-");
  return slug.length <= LONGEST_NAME
    ? name === slug
    : name.startsWith(`${slug.slice(0, LONGEST_NAME)}-`);
}
