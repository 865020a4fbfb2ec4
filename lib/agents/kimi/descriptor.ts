import { dirname, join } from "node:path";
import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { PLAIN_ID, resumedBy } from "../contract/resume_command.ts";

export const kimi: AgentDescriptor = {
  name: "kimi",
  title: "Kimi Code",
  aliases: ["kimi-code"],
  // docs/en/configuration/data-locations.md of 2.1.
  roots: [["$KIMI_CODE_HOME", "~/.kimi-code"]],
  watched: ["sessions"],
  files: ({ path }) => [path, join(dirname(dirname(dirname(path))), "state.json")],
  // 2.1 finds a session in its working directory alone.
  resumeCommand: resumedBy(PLAIN_ID, "kimi", "--session"),
  asks: { AskUserQuestion: "question", ExitPlanMode: "plan" },
  loadLocate: async () => (await import("./locate.ts")).locateKimi,
  loadReader: async () => (await import("./kimi_agent.ts")).kimiAgent,
};
