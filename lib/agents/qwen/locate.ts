/**
 * Locates Qwen Code's sessions: `projects/<slug>/chats/<id>.jsonl`
 * (packages/core/src/config/storage.ts, `getProjectDir`). Archived sessions are in `chats/archive/`
 * (sessionService.ts). Older versions used `tmp/<hash of the directory>/chats/<id>.jsonl`
 * (chatRecordingService.ts).
 */
import { join } from "node:path";
import { folders, listFolder } from "../engine/files/folder.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";

/** Matches session files, not `<id>.ledger.jsonl` (sessionService.ts, `SESSION_FILE_PATTERN`). */
const SESSION_FILE = /^([0-9a-fA-F-]{32,36})\.jsonl$/;

export async function* locateSessions(
  { folder: root }: AgentPlace,
): AsyncGenerator<AgentSession> {
  for (const name of ["projects", "tmp"]) {
    for (const project of folders(join(root, name))) yield* sessionsOf(join(project, "chats"));
  }
}

function* sessionsOf(chats: string): Generator<AgentSession> {
  yield* sessionFiles(chats);
  for (const session of sessionFiles(join(chats, "archive"))) yield { ...session, archived: true };
}

function* sessionFiles(folder: string): Generator<AgentSession> {
  for (const { name, path, isFile } of listFolder(folder)) {
    const id = SESSION_FILE.exec(name)?.[1];
    if (isFile && id !== undefined) yield { agent: "qwen", id, path };
  }
}

/**
 * Returns the name of the project folder for `cwd` (utils/paths.ts `sanitizeCwd`). `/a/b-c` and
 * `/a-b/c` give the same name.
 */
export function projectSlug(cwd: string): string {
  return cwd.replace(/[^a-zA-Z0-9]/g, "-");
}
