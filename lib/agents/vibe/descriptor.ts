import { dirname, join } from "node:path";
import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { PLAIN_ID, resumedBy } from "../contract/resume_command.ts";

export const vibe: AgentDescriptor = {
  name: "vibe",
  title: "Mistral Vibe",
  // vibe/utils/vibe_home.py. `session_logging.save_dir` of its config.toml is not looked at.
  roots: [["$VIBE_HOME", "~/.vibe"]],
  watched: ["logs/session"],
  files: ({ path }) => [path, join(dirname(path), "meta.json")],
  asks: { ask_user_question: "question", exit_plan_mode: "plan" },
  // It goes to no directory by itself, but works where it is started.
  resumeCommand: resumedBy(PLAIN_ID, "vibe", "--resume"),
  loadLocate: async () => (await import("./locate.ts")).locateVibe,
  loadReader: async () => (await import("./vibe_agent.ts")).vibeAgent,
};
