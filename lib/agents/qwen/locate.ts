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
import { expandHome, listFolder } from "../folder.ts";
import { spellings } from "../folder_match.ts";

/** sessionService.ts `SESSION_FILE_PATTERN`: `<id>.ledger.jsonl` beside a session is none. */
const SESSION_FILE = /^([0-9a-fA-F-]{32,36})\.jsonl$/;

/** Finds sessions; see {@linkcode Agent.locate}. */
export async function* locateSessions(
  { home, variable }: AgentEnvironment,
  { cwd }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const base = variable("QWEN_RUNTIME_DIR") || variable("QWEN_HOME") || "~/.qwen";
  const root = expandHome(base, home);
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

/** utils/paths.ts `sanitizeCwd`. Lossy: `/a/b-c` and `/a-b/c` share one. */
function projectSlug(cwd: string): string {
  return cwd.replace(/[^a-zA-Z0-9]/g, "-");
}
