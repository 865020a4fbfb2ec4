/**
 * Locates Qwen Code's sessions. Qwen Code, packages/core/src/config/storage.ts
 * (`getRuntimeBaseDir`, `getGlobalQwenDir`, `getProjectDir`): `$QWEN_RUNTIME_DIR`, else
 * `$QWEN_HOME`, else `~/.qwen`, and in it `projects/<slug>/chats/<id>.jsonl`. sessionService.ts
 * puts archived ones in `chats/archive/`. Before, it was `tmp/<hash of the
 * directory>/chats/<id>.jsonl` (chatRecordingService.ts).
 */
import { join } from "node:path";
import type { AgentSession, LocateOptions } from "../../source/agent.ts";
import type { AgentEnvironment } from "../../source/agent_environment.ts";
import { expandHome, listFolder } from "../../reading/files/folder.ts";
import { spellings } from "../../reading/files/folder_match.ts";

/** sessionService.ts `SESSION_FILE_PATTERN`: `<id>.ledger.jsonl` beside a session is none. */
const SESSION_FILE = /^([0-9a-fA-F-]{32,36})\.jsonl$/;

/** The folder of Qwen Code: there where it was ever used. */
export function qwenFolder({ home, variable }: AgentEnvironment): string {
  return expandHome(variable("QWEN_RUNTIME_DIR") || variable("QWEN_HOME") || "~/.qwen", home);
}

/** Finds sessions; see {@linkcode Agent.locate}. */
export async function* locateSessions(
  environment: AgentEnvironment,
  { cwd }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const root = qwenFolder(environment);
  const slugs = cwd === undefined ? undefined : new Set(spellings(cwd).map(projectSlug));
  for (const { name, path, isDirectory } of listFolder(join(root, "projects"))) {
    if (!isDirectory || (slugs !== undefined && !slugs.has(name))) continue;
    yield* sessionsOf(join(path, "chats"));
  }
  for (const { path, isDirectory } of listFolder(join(root, "tmp"))) {
    if (isDirectory) yield* sessionsOf(join(path, "chats"));
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

/** The name of a directory's folder: utils/paths.ts `sanitizeCwd`. `/a/b-c` and `/a-b/c` share one. */
export function projectSlug(cwd: string): string {
  return cwd.replace(/[^a-zA-Z0-9]/g, "-");
}
