/** Locates Auggie's sessions: `sessions/<id>.json`, with earlier versions in `<id>-backup<n>.json`. */
import { basename, join } from "node:path";
import { listFolder } from "../engine/files/folder.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";

const BACKUP = /-backup\d+\.json$/;

export async function* locateAuggie({ folder }: AgentPlace): AsyncGenerator<AgentSession> {
  for (
    const { name, path, isFile } of await Promise.resolve(listFolder(join(folder, "sessions")))
  ) {
    if (isFile && name.endsWith(".json") && !BACKUP.test(name)) yield sessionAt(path);
  }
}

export function sessionAt(path: string): AgentSession {
  return { agent: "auggie", id: basename(path, ".json"), path };
}
