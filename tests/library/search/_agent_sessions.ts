/** Sessions of other agents to be searched. */
import { fileURLToPath } from "node:url";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { loadAgent, OTHER_AGENTS } from "../../../lib/library/machine/registry.ts";
import { readHead } from "../../../lib/core/log/read_whole.ts";

/** The folder of those that are kept with the tests. */
export const AGENTS = fileURLToPath(new URL("../../../testdata/agents/", import.meta.url));

/** All files below a folder. */
export function* filesBelow(folder: string): Generator<string> {
  for (const { name, isDirectory, isFile } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* filesBelow(`${folder}/${name}`);
    else if (isFile) yield `${folder}/${name}`;
  }
}

/** Sessions by their folder: looking for them takes as long as reading them. */
const known = new Map<string, Promise<AgentSession[]>>();

/** The sessions in all files below a folder that stays as it is, whatever agent keeps them. */
export function sessionsBelow(folder: string): Promise<AgentSession[]> {
  const found = known.get(folder) ?? findSessions(folder);
  known.set(folder, found);
  return found;
}

async function findSessions(folder: string): Promise<AgentSession[]> {
  const found: AgentSession[] = [];
  const agents = await Promise.all(OTHER_AGENTS.map(loadAgent));
  for (const path of filesBelow(folder)) {
    const { bytes } = await readHead(path);
    const agent = agents.find((one) => one.recognize(path, bytes));
    try {
      found.push(...await agent?.sessionsIn(path) ?? []);
    } catch {
      // A sample of what cannot be read.
    }
  }
  return found;
}
