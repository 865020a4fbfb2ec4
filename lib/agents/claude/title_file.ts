/** Finds the titles that agents of Claude Code's family keep in files beside their sessions. */
import { readJsonObject } from "../../reading/files/folder.ts";
import { asName } from "../../reading/json_value.ts";
import type { AgentSession } from "../../source/agent.ts";

/** Claude Desktop: `local_<id>.json` lies beside the folder that has the session's home. */
const DESKTOP = /^(.*[\\/]local_[^\\/]+)[\\/]\.claude[\\/]projects[\\/]/;

/** Returns the file that may have the title of a session; undefined where no agent has one. */
export function titleFile({ agent, path }: AgentSession): string | undefined {
  const desktop = DESKTOP.exec(path)?.[1];
  if (desktop !== undefined) return `${desktop}.json`;
  // Qoder, by what agentsview reads of it.
  return agent === "qoder" ? path.replace(/\.jsonl$/, "-session.json") : undefined;
}

/** Returns the title in that file. */
export function titleInFile(session: AgentSession): string | undefined {
  const file = titleFile(session);
  return file === undefined ? undefined : asName(readJsonObject(file).title)?.trim() || undefined;
}
