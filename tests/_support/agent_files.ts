/** Every session of other agents that tests have: hand-written ones, and samples where they are. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Agent, AgentSession } from "../../lib/agents/contract/agent.ts";
import { loadAgent, OTHER_AGENTS } from "../../lib/library/machine/registry.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { readHead } from "../../lib/core/log/read_whole.ts";
import { SAMPLES } from "./samples.ts";
import { filesBelow } from "./files_below.ts";

const TESTDATA = fileURLToPath(new URL("../../testdata/agents", import.meta.url));
/** Samples of agents that are not read. */
const OF_OTHERS = /[\\/]more[\\/]/;

/** A session and its reader. */
export interface AgentFile {
  agent: Agent;
  session: AgentSession;
}

/** The sessions in all files that a reader recognizes and that have one: of each, at most so many. */
export async function* agentFiles(most_each = Infinity): AsyncGenerator<AgentFile> {
  const given = new Map<Agent, number>();
  const agents = await Promise.all(OTHER_AGENTS.map(loadAgent));
  // The samples are not part of the repository.
  const roots = [TESTDATA, SAMPLES].filter((root) => existsSync(root));
  for (const path of roots.flatMap(filesBelow)) {
    if (OF_OTHERS.test(path)) continue;
    const { bytes } = await readHead(path);
    const agent = agents.find((one) => one.recognize(path, bytes));
    if (agent === undefined) continue;
    for (const session of await agent.sessionsIn(path)) {
      const count = given.get(agent) ?? 0;
      if (count >= most_each || !await hasSession(agent, session)) continue;
      given.set(agent, count + 1);
      yield { agent, session };
    }
  }
}

async function hasSession(agent: Agent, session: AgentSession): Promise<boolean> {
  try {
    return await agent.open(session).summarize() !== undefined;
  } catch (error) {
    // Damaged on purpose.
    if (error instanceof SessionError) return false;
    throw error;
  }
}
