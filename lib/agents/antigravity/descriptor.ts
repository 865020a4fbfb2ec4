import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { UUID } from "../contract/resume_command.ts";

export const antigravity: AgentDescriptor = {
  name: "antigravity",
  title: "Antigravity",
  aliases: ["agy"],
  roots: [["~/.gemini/antigravity-cli"], ["~/.gemini/antigravity"], ["~/.gemini/antigravity-ide"]],
  watched: ["brain"],
  prompts: ["history.jsonl"],
  files: ({ path }) => [path],
  // `agy --help` of 1.1. It reads `conversations/<id>.db`, which only the command line's root has.
  resumeCommand: ({ id, path }) =>
    /[\\/]antigravity-cli[\\/]/.test(path)
      ? { argv: ["agy", "--conversation", id], id_form: UUID, in_directory: true }
      : undefined,
  loadLocate: async () => (await import("./locate.ts")).locateAntigravity,
  loadHistory: async () => (await import("./antigravity_history.ts")).locateInHistory,
  loadReader: async () => (await import("./antigravity_agent.ts")).antigravityAgent,
};
