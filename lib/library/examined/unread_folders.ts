/** Finds folders of agents whose sessions no reader reads. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { listFolder } from "../../agents/engine/files/folder.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import { foldersAt } from "../../agents/contract/agent_roots.ts";

export interface UnreadFolder {
  title: string;
  path: string;
}

/** The folders of agents that are not read, from their sources and documentation of 2026. */
const FOLDERS: readonly (readonly [title: string, path: string])[] = [
  ["kimi-cli", "$KIMI_SHARE_DIR/sessions"],
  ["kimi-cli", "~/.kimi/sessions"],
  ["Amp", "~/.local/share/amp/threads"],
  ["Windsurf", "~/.codeium/windsurf/cascade"],
];

/** Returns existing folders that are not read, and Grok Build sessions without `updates.jsonl`. */
export function unreadFolders(environment: AgentEnvironment): UnreadFolder[] {
  const found = FOLDERS.flatMap(([title, path]) =>
    foldersAt(path, environment).map((folder) => ({ title, path: folder }))
  );
  const grok = ["$GROK_HOME/sessions", "~/.grok/sessions"]
    .flatMap((path) => foldersAt(path, environment))
    .flatMap((folder) => listFolder(folder).flatMap(({ path }) => listFolder(path)))
    .filter(({ path }) => existsSync(join(path, "chat_history.jsonl")))
    .filter(({ path }) => !existsSync(join(path, "updates.jsonl")))
    .map(({ path }) => ({ title: "Grok Build", path }));
  return [...found, ...grok].filter(({ path }) => existsSync(path));
}
