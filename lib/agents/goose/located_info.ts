/** The metadata that locating a goose session reads and caches, and its sub-agent rules. */
import { present } from "../engine/json.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { GooseInfo } from "./goose_entry.ts";

export type LocatedInfo = Pick<
  GooseInfo,
  "id" | "working_dir" | "archived_at" | "parent_id" | "type"
>;

/** Returns the sessions without sub-agents. A sub-agent whose parent is not in `infos` stays. */
export function withoutSubagents<Info extends LocatedInfo>(infos: readonly Info[]): Info[] {
  const ids = new Set(infos.map(({ id }) => id));
  return infos.filter((info) => !isSubagent(info) || !ids.has(info.parent_id ?? ""));
}

/** True if a session is a sub-agent's (session_manager.rs, `SessionType::SubAgent`). */
export function isSubagent({ id, parent_id, type }: LocatedInfo): boolean {
  return type === "sub_agent" && parent_id !== undefined && parent_id !== id;
}

export function toSession(
  path: string,
  { id, working_dir, archived_at }: LocatedInfo,
): AgentSession {
  const archived = archived_at === undefined ? undefined : true;
  return { agent: "goose", id, path, ...present({ cwd: working_dir, archived }) };
}
