import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { PLAIN_ID, resumedBy } from "../contract/resume_command.ts";

/** Auggie, the command line of Augment Code. Folders and flags are those of bundle 0.36.0. */
export const auggie: AgentDescriptor = {
  name: "auggie",
  title: "Auggie",
  aliases: ["augment"],
  roots: [["~/.augment"]],
  watched: ["sessions"],
  files: ({ path }) => [path],
  resumeCommand: resumedBy(PLAIN_ID, "auggie", "--resume"),
  loadLocate: async () => (await import("./locate.ts")).locateAuggie,
  loadReader: async () => (await import("./auggie_agent.ts")).auggieAgent,
};
