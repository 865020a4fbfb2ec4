import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { PLAIN_ID, resumedBy } from "../contract/resume_command.ts";

/** Facts come from the packages and sources of DeepSeek Harness up to format 5. */
export const deepseek: AgentDescriptor = {
  name: "deepseek",
  title: "DeepSeek Harness",
  aliases: ["dsh"],
  roots: [["$DSH_HOME", "~/.dsh"]],
  watched: ["sessions"],
  files: ({ path }) => [path],
  asks: { ask_user: "question", ask_user_question: "question" },
  resumeCommand: resumedBy(PLAIN_ID, "dsh", "--resume"),
  loadLocate: async () => (await import("./locate.ts")).locateDeepSeek,
  loadReader: async () => (await import("./deepseek_agent.ts")).deepseekAgent,
};
