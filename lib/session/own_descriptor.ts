/** Describes Reprise's own log as one more agent. */
import { REPRISE } from "../event/agent_name.ts";
import type { AgentDescriptor } from "../source/agent_descriptor.ts";
import { PLAIN_ID } from "../source/resume_command.ts";
import { isBeingWritten, locateOwn } from "./own_sessions.ts";

/** Reprise, whose only root is the data root. */
export const own: AgentDescriptor = {
  name: REPRISE,
  title: "Reprise",
  roots: ({ root }) => root === undefined ? [] : [root],
  mayHaveSessions: () => true,
  files: ({ path }) => [path],
  isActive: isBeingWritten,
  resumeCommand: ({ id }) => ({
    argv: ["reprise", "chat", "--resume", id],
    id_form: PLAIN_ID,
    in_directory: true,
  }),
  loadLocate: () => Promise.resolve(locateOwn),
  loadReader: async () => (await import("./own_agent.ts")).ownAgent,
};
