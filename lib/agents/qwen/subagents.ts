/**
 * The sub-agents of a session of Qwen Code (0.24, agents/agent-transcript.ts). Their files are
 * `subagents/<session>/agent-<id>.jsonl` beside `chats/`. Each has records like the session's own,
 * and a `.meta.json` that says `{agentId, agentType, description, parentAgentId, createdAt, …}`.
 */
import { basename, dirname, join } from "node:path";
import { listFolder, readJsonObject } from "../../reading/files/folder.ts";
import { asName } from "../../reading/json_value.ts";
import type { SubagentFile } from "../../reading/tree/tree_format.ts";
import type { AgentSession } from "../../source/agent.ts";

const FILE = /^agent-(.+)\.jsonl$/;

/** The sub-agents of a session, in the order of their names. */
export function subagentsOf({ id, path }: AgentSession): SubagentFile[] {
  const chats = dirname(path);
  const project = basename(chats) === "archive" ? dirname(dirname(chats)) : dirname(chats);
  const folder = join(project, "subagents", id.replace(/[^a-zA-Z0-9_-]/g, "_"));
  return listFolder(folder).flatMap((entry) => {
    const name = entry.isFile ? FILE.exec(entry.name)?.[1] : undefined;
    if (name === undefined) return [];
    const meta = readJsonObject(entry.path.replace(/\.jsonl$/, ".meta.json"));
    return [{
      id: asName(meta.agentId) ?? name,
      path: entry.path,
      task: asName(meta.description) ?? asName(meta.agentType),
      parent: asName(meta.parentAgentId),
    }];
  });
}
