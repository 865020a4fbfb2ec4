/** Describes Reprise's own log as one more agent. */
import { dirname } from "node:path";
import { REPRISE } from "../../../core/event/agent_name.ts";
import { isLocked } from "../../../core/log/session_lock.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import type { AgentDescriptor } from "../../../agents/contract/agent_descriptor.ts";
import type { AgentPlace } from "../../../agents/contract/agent_environment.ts";
import { PLAIN_ID, resumedBy } from "../../../agents/contract/resume_command.ts";
import { eachLog } from "../../../core/store/session_folder.ts";

export const own: AgentDescriptor = {
  name: REPRISE,
  title: "Reprise",
  roots: ({ root }) => root === undefined ? [] : [root],
  watched: ["sessions"],
  mayHaveSessions: () => true,
  files: ({ path }) => [path],
  isActive: isBeingWritten,
  resumeCommand: resumedBy(PLAIN_ID, "reprise", "chat", "--resume"),
  loadLocate: () => Promise.resolve(locateOwn),
  loadReader: async () => (await import("./own_agent.ts")).ownAgent,
};

async function* locateOwn({ folder: root }: AgentPlace): AsyncGenerator<AgentSession> {
  for (const { id, path } of eachLog(root)) yield { agent: REPRISE, id, path };
}

function isBeingWritten({ path }: AgentSession): boolean {
  return isLocked(dirname(path));
}
