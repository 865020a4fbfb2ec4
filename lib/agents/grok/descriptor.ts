import { dirname, join } from "node:path";
import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { PLAIN_ID, resumedBy } from "../contract/resume_command.ts";

export const grok: AgentDescriptor = {
  name: "grok",
  title: "Grok Build",
  aliases: ["grok-build"],
  // docs/user-guide/17-sessions.md of 1.0.
  roots: [["$GROK_HOME", "~/.grok"]],
  watched: ["sessions"],
  files: ({ path }) => [path, join(dirname(path), "summary.json")],
  resumeCommand: resumedBy(PLAIN_ID, "grok", "--resume"),
  loadLocate: async () => (await import("./locate.ts")).locateGrok,
  loadReader: async () => (await import("./grok_agent.ts")).grokAgent,
};
