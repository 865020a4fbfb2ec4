/**
 * Locates Kimi Code's sessions:
 * `sessions/wd_<slug>_<hash>/<id>/{state.json, agents/<agent>/wire.jsonl}`. The main agent's log is
 * the session. Each other agent has a log of its own (2.1).
 */
import { basename, dirname, join } from "node:path";
import { listFolder, readJsonObject } from "../engine/files/folder.ts";
import { asName, asObject, type Json, present } from "../engine/json.ts";
import type { RewoundSubagent } from "../engine/sources/rewound_lines.ts";
import type { AgentSession, LocateOptions } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { NO_FACTS } from "../contract/located_facts.ts";

export const WIRE = "wire.jsonl";

function sessionFolder(path: string): string {
  return dirname(dirname(dirname(path)));
}

export async function* locateKimi(
  { folder }: AgentPlace,
  { facts = NO_FACTS }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const projects = listFolder(join(folder, "sessions")).filter(({ isDirectory }) => isDirectory);
  for (const { path } of projects.flatMap((project) => listFolder(project.path))) {
    const agents = listFolder(join(path, "agents"));
    const main = agents.find(({ name }) => name === "main");
    if (main === undefined) continue;
    const wire = listFolder(main.path).find(({ name, isFile }) => isFile && name === WIRE);
    if (wire === undefined) continue;
    yield await facts.recall([wire.path, join(path, "state.json")], () => sessionAt(wire.path));
  }
}

export function readState({ path }: Pick<AgentSession, "path">): Json {
  return readJsonObject(join(sessionFolder(path), "state.json"));
}

/**
 * Returns the session in an agent's log. The id is the session folder's name for the main agent,
 * else the agent's id.
 */
export function sessionAt(path: string): AgentSession {
  const agent = basename(dirname(path));
  const { cwd, workDir, archived } = readState({ path });
  return present({
    agent: "kimi",
    id: agent === "main" ? basename(sessionFolder(path)) : agent,
    path,
    // `workDir` until 2.0.
    cwd: asName(cwd) ?? asName(workDir),
    archived: archived === true ? true : undefined,
  });
}

export function subagentsOf({ path }: Pick<AgentSession, "path">): RewoundSubagent[] {
  if (basename(dirname(path)) !== "main") return [];
  const known = asObject(readState({ path }).agents);
  return listFolder(dirname(dirname(path))).filter(({ name }) => name !== "main")
    .flatMap((entry) => listFolder(entry.path).filter(({ name }) => name === WIRE))
    .map((wire) => {
      const session = sessionAt(wire.path);
      const parent = asName(asObject(known[session.id]).parentAgentId) ?? "main";
      return { session, parent };
    });
}
