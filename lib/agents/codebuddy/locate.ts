/**
 * Locates CodeBuddy Code's sessions, `projects/<directory>/<id>.jsonl`. Files of sub-agents are
 * `projects/<directory>/<id>/subagents/agent-*.jsonl` (2.117, `SessionStore.getSessionFilePath`).
 * Earlier versions stored them beside the sessions.
 */
import { basename, dirname, join } from "node:path";
import { folders, listFolder, readJsonObject } from "../engine/files/folder.ts";
import { asName } from "../engine/json.ts";
import type { SubagentFile } from "../engine/tree/tree_format.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { metaBeside } from "./meta_file.ts";

export async function* locateCodeBuddy(
  { folder }: AgentPlace,
): AsyncGenerator<AgentSession> {
  for (const project of folders(join(folder, "projects"))) {
    for (const file of listFolder(project)) {
      const is_session = file.isFile && file.name.endsWith(".jsonl") &&
        !file.name.startsWith("agent-");
      if (is_session) yield sessionAt(file.path);
    }
  }
}

/**
 * Returns the session in a file. Its id is the file's name, because `--resume` looks for that name.
 */
export function sessionAt(path: string): AgentSession {
  return { agent: "codebuddy", id: basename(path, ".jsonl"), path };
}

export function subagentsOf({ id, path }: AgentSession): SubagentFile[] {
  return listFolder(join(dirname(path), id, "subagents")).flatMap((file) => {
    if (!file.isFile || !file.name.endsWith(".jsonl")) return [];
    const { taskName, agentName } = readJsonObject(metaBeside(file.path));
    const task = asName(taskName) ?? asName(agentName);
    return [{ id: basename(file.name, ".jsonl"), path: file.path, task }];
  });
}
