/** Describes agents that keep their sessions in the format of another agent. */
import type { AgentName } from "../event/agent_name.ts";
import { present } from "../event/present.ts";
import type { Agent, AgentSession } from "./agent.ts";
import type { AgentDescriptor, LocateSessions } from "./agent_descriptor.ts";

/** An agent's own part of a descriptor; its format is another one's. */
export type FamilyMember = Omit<AgentDescriptor, "loadLocate" | "loadReader" | "format">;

/**
 * Returns the descriptor of an agent with the format of another one. Search, reader, marks of running
 * clients and watched folders are the other one's; all else is its own.
 */
export function familyMember(base: AgentDescriptor, own: FamilyMember): AgentDescriptor {
  const { watched, loadOpenMarks } = base;
  return {
    ...present({ watched, loadOpenMarks }),
    ...own,
    format: base.name,
    async loadLocate(): Promise<LocateSessions> {
      const locate = await base.loadLocate();
      return (place, options) => renamed(locate(place, options), own.name);
    },
    async loadReader(): Promise<Agent> {
      const reader = await base.loadReader();
      const rename = (session: AgentSession): AgentSession => ({ ...session, agent: own.name });
      const sessionsIn: Agent["sessionsIn"] = async (path) =>
        (await reader.sessionsIn(path)).map(rename);
      return { ...reader, name: own.name, sessionsIn };
    },
  };
}

async function* renamed(
  sessions: AsyncIterable<AgentSession>,
  agent: AgentName,
): AsyncGenerator<AgentSession> {
  for await (const session of sessions) yield { ...session, agent };
}
