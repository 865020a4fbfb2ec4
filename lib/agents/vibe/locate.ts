/** Locates Mistral Vibe's sessions: each is a folder below `logs/session`. */
import { asName, asObject, type Json, present } from "../engine/json.ts";
import { basename, dirname, join } from "node:path";
import { isoTime } from "../engine/events/iso_time.ts";
import { listFolder, readJsonObject } from "../engine/files/folder.ts";
import type { AgentSession, LocateOptions } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";

export async function* locateVibe(
  { folder }: AgentPlace,
  { subagents = false }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  for (const session of sessionsBelow(join(folder, "logs", "session"))) {
    yield session;
    if (subagents) yield* subagentsOf(session);
  }
}

// A session's folder: `<prefix>_<time>_<first 8 of the id>/{messages.jsonl, meta.json}`. Below its
// `agents`, each subagent has a folder of the same form.
//
// Mistral Vibe 2, vibe/core/session/session_logger.py, session_loader.py, tools/builtins/task.py.

export const MESSAGES = "messages.jsonl";

const FOLDER = /_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)_([^_]+)$/;

type Placed = Pick<AgentSession, "path">;

/** Reads the metadata. Returns an empty object if the file is missing or damaged. */
export function readMetadata({ path }: Placed): Json {
  return readJsonObject(join(dirname(path), "meta.json"));
}

export function sessionAt(path: string): AgentSession {
  const folder = basename(dirname(path));
  const { session_id, environment } = readMetadata({ path });
  const id = asName(session_id) ?? FOLDER.exec(folder)?.[7] ?? folder;
  const cwd = asName(asObject(environment).working_directory);
  return present({ agent: "vibe", id, path, cwd });
}

export function timeInName({ path }: Placed): string | undefined {
  const [, year, month, day, ...time] = FOLDER.exec(basename(dirname(path))) ?? [];
  return isoTime(`${year}-${month}-${day}T${time.slice(0, 3).join(":")}Z`);
}

function sessionsBelow(root: string): AgentSession[] {
  return listFolder(root).flatMap(({ path, isDirectory }) => isDirectory ? listFolder(path) : [])
    .filter(({ name, isFile }) => isFile && name === MESSAGES)
    .map(({ path }) => sessionAt(path));
}

export function subagentsOf({ path }: Placed): AgentSession[] {
  return sessionsBelow(join(dirname(path), "agents"));
}

export function filesOf(session: AgentSession): string[] {
  const folders = [session, ...subagentsOf(session)].map(({ path }) => dirname(path));
  return folders.flatMap((folder) => [folder, join(folder, "attachments")]).flatMap(listFolder)
    .filter(({ name, isFile }) => isFile && !name.endsWith(".tmp"))
    .map(({ path }) => path);
}
