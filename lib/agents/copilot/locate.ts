/**
 * Locates Copilot CLI's sessions. Copilot CLI 0.0.420 (index.js, `effectivePath`, `listSessions`) has
 * `session-state/<id>/events.jsonl`. Before that it was `session-state/<id>.jsonl`, and before that
 * `history-session-state/session_<id>_<ms>.json` (`loadLegacySession`). Where one session has
 * several, the newest form counts.
 */
import { join } from "node:path";
import type { AgentSession } from "../../source/agent.ts";
import type { AgentPlace } from "../../source/agent_environment.ts";
import { type FolderEntry, listFolder } from "../../reading/files/folder.ts";
import { idInName } from "./session_file.ts";

/** Finds sessions; see {@linkcode AgentDescriptor.loadLocate}. */
export async function* locateSessions(
  { folder }: AgentPlace,
): AsyncGenerator<AgentSession> {
  const found = new Set<string>();
  for (const path of [...eventFiles(join(folder, "session-state")), ...documents(folder)]) {
    const id = idInName(path);
    if (!found.has(id)) yield { agent: "copilot", id, path };
    found.add(id);
  }
}

function eventFiles(folder: string): string[] {
  const entries = listFolder(folder);
  const inFolders = entries.filter(({ isDirectory }) => isDirectory).flatMap(({ path }) =>
    listFolder(path).filter(({ name, isFile }) => isFile && name === "events.jsonl")
  );
  const bare = entries.filter(({ name, isFile }) => isFile && name.endsWith(".jsonl"));
  return [...inFolders, ...bare].map(({ path }) => path);
}

/** Several of one session: the newest first. */
function documents(root: string): string[] {
  const isDocument = ({ name, isFile }: FolderEntry): boolean =>
    isFile && /^session_.+_\d+\.json$/.test(name);
  const savedAt = ({ name }: FolderEntry): number => Number(/_(\d+)\.json$/.exec(name)?.[1]);
  return listFolder(join(root, "history-session-state")).filter(isDocument)
    .sort((one, other) => savedAt(other) - savedAt(one)).map(({ path }) => path);
}
