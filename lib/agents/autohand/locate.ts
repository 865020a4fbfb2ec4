/** Locates Autohand's sessions: each is a folder below `sessions`. */
import { asList, asName, asObject, type Json } from "../engine/json.ts";
import { basename, dirname, join } from "node:path";
import { isoTime } from "../engine/events/iso_time.ts";
import { listFolder, readJsonObject } from "../engine/files/folder.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";

/**
 * Finds the sessions by their folders. The index only adds facts, because it can be incomplete.
 * After one damaged entry Autohand starts an empty index and restores nothing (SessionManager.ts
 * `readIndexFromDisk`).
 */
export async function* locateAutohand(
  place: AgentPlace,
): AsyncGenerator<AgentSession> {
  const root = join(place.folder, "sessions");
  const indexed = indexedProjects(root);
  for (const { name, path, isDirectory } of listFolder(root)) {
    const session = isDirectory ? sessionIn(path) : undefined;
    if (session === undefined) continue;
    const known = indexed.get(name);
    yield known === undefined ? session : { ...session, cwd: known };
  }
}

function indexedProjects(root: string): Map<string, string> {
  const projects = new Map<string, string>();
  for (const entry of asList(readJsonObject(join(root, "index.json")).sessions)) {
    const id = asName(asObject(entry).id);
    const project = asName(asObject(entry).projectPath);
    if (id !== undefined && project !== undefined) projects.set(id, project);
  }
  return projects;
}

// A session folder of Autohand: `<id>/{metadata.json, conversation.jsonl, state.json}`.
//
// autohandai/code-cli 0.8.2, src/session/SessionManager.ts, types.ts. `metadata.json` is written whole
// at every change; `conversation.jsonl` is missing until the first message.

export const CONVERSATION = "conversation.jsonl";
export const METADATA = "metadata.json";
const STATE = "state.json";

/** `<uuid>-<milliseconds since 1970>` (SessionManager.ts `generateSessionId`). */
const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-(\d{12,14})$/;

/** Returns a folder's session. Before the first message, `path` is the metadata, later the log. */
function sessionIn(folder: string): AgentSession | undefined {
  const files = listFolder(folder).filter(({ isFile }) => isFile);
  const main = files.find(({ name }) => name === CONVERSATION) ??
    files.find(({ name }) => name === METADATA);
  if (main === undefined) return undefined;
  return { agent: "autohand", id: basename(folder), path: main.path };
}

/** Returns the session of a file. A log that was copied elsewhere is a session by itself. */
export function sessionOf(path: string): AgentSession {
  const names = [CONVERSATION, METADATA, STATE];
  const session = names.includes(basename(path)) ? sessionIn(dirname(path)) : undefined;
  return session ?? { agent: "autohand", id: basename(path).replace(/\.jsonl?$/, ""), path };
}

export function timeInId(id: string): string | undefined {
  return isoTime(Number(SESSION_ID.exec(id)?.[1] ?? NaN));
}

/** Reads the metadata beside a session's log. Returns an empty object if missing or damaged. */
export function readMetadata({ path }: Pick<AgentSession, "path">): Json {
  return readJsonObject(join(dirname(path), METADATA));
}

/** Reads the workspace state beside a session's log. An empty object if missing or damaged. */
export function readState({ path }: Pick<AgentSession, "path">): Json {
  return readJsonObject(join(dirname(path), STATE));
}
