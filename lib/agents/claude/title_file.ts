/** Finds the titles and flags that agents of Claude Code's family keep in files beside sessions. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { statFile } from "../../core/file/regular_file.ts";
import { readJsonObject } from "../engine/files/folder.ts";
import { asName, type Json } from "../engine/json.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { SideFacts } from "./side_facts.ts";

/** Matches a session's path in Claude Desktop. Beside folder `local_<id>` is `local_<id>.json`. */
const DESKTOP = /^(.*[\\/]local_[^\\/]+)[\\/]\.claude[\\/]projects[\\/]/;

/** Returns the file in which an app lists a session. Undefined if no app lists the session. */
export function titleFile({ agent, path }: AgentSession): string | undefined {
  const desktop = DESKTOP.exec(path)?.[1];
  if (desktop !== undefined) return `${desktop}.json`;
  // Qoder, by what agentsview reads of it.
  return agent === "qoder" ? path.replace(/\.jsonl$/, "-session.json") : undefined;
}

export function filesBeside(session: AgentSession): string[] {
  const listed = titleFile(session);
  if (listed !== undefined) return [listed];
  // Claude Code 2.1.332. Most sessions have no folder.
  const folder = session.path.replace(/\.jsonl$/, "");
  if (session.agent !== "claude" || !existsSync(folder)) return [];
  return [join(folder, "custom-title.json"), join(folder, "archived.json")];
}

export function factsBeside(session: AgentSession): { title?: string; archived: boolean } {
  let facts: Json = {};
  for (const file of filesBeside(session)) facts = { ...facts, ...readJsonObject(file) };
  const title = (asName(facts.title) ?? asName(facts.customTitle))?.trim();
  // The second is Claude Desktop's (anthropics/claude-code issue 67835).
  const archived = facts.archived === true || facts.isArchived === true;
  return title ? { title, archived } : { archived };
}

/** Bytes at the end of a file in which Claude Code 2.1.332 looks for a title first. */
const TAIL_BYTES = 64 * 1024;

/** True if Claude Code uses the title in the session's file, not the title in a file beside it. */
export function isOwnTitleLast({ agent, path }: AgentSession, { titled_at }: SideFacts): boolean {
  return agent === "claude" && titled_at !== undefined &&
    titled_at >= statFile(path).size - TAIL_BYTES;
}
