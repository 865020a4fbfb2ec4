/** Locates the conversations of OpenHands: folders with a base state or event files. */
import { basename } from "node:path";
import { readJsonObject } from "../engine/files/folder.ts";
import { asName, asObject, present } from "../engine/json.ts";
import type { AgentSession, LocateOptions } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { conversationsBelow, folderOf, subagentPaths } from "./conversation_files.ts";

export async function* locateOpenHands(
  { folder }: AgentPlace,
  { subagents = false }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  for (const path of await Promise.resolve(conversationsBelow(folder))) {
    yield sessionAt(path);
    if (subagents) yield* subagentPaths({ path }).map(sessionAt);
  }
}

export function sessionAt(path: string): AgentSession {
  const cwd = asName(asObject(readJsonObject(path).workspace).working_dir);
  return present({ agent: "openhands", id: basename(folderOf({ path })), path, cwd });
}
