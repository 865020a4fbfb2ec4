/**
 * Locates Continue's sessions in `sessions/<id>.json` (core/util/history.ts). The file
 * `sessions/sessions.json` lists all sessions. A session that the list lacks is also found.
 */
import { basename, join } from "node:path";
import { pathInUrl } from "../engine/files/file_url.ts";
import { listFolder, readJson } from "../engine/files/folder.ts";
import { asList, asName, asObject, type Json, present } from "../engine/json.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { sessionList } from "./session_list.ts";

const LIST = "sessions.json";

export async function* locateContinue(
  { folder }: AgentPlace,
): AsyncGenerator<AgentSession> {
  const sessions = join(folder, "sessions");
  const known = await Promise.resolve(listedIn(join(sessions, LIST)));
  for (const { name, path, isFile } of listFolder(sessions)) {
    if (!isFile || !name.endsWith(".json") || name === LIST) continue;
    const id = basename(name, ".json");
    yield present({ agent: "continue", id, path, cwd: workspaceOf(known.get(id) ?? {}) });
  }
}

function listedIn(path: string): Map<string, Json> {
  return new Map(
    asList(readJson(path)).map(asObject).flatMap((one) => {
      const id = asName(one.sessionId);
      return id === undefined ? [] : [[id, one]];
    }),
  );
}

export function listedEntry(path: string): Json {
  return listedIn(sessionList(path)).get(basename(path, ".json")) ?? {};
}

/** Returns the working directory of a session or its list entry. Editors write it as a URL. */
export function workspaceOf({ workspaceDirectory }: Json): string | undefined {
  return pathInUrl(workspaceDirectory) ?? asName(workspaceDirectory);
}
