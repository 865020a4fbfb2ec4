import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { PI_HOOKS } from "./hooks.ts";

export const pi: AgentDescriptor = {
  name: "pi",
  title: "pi",
  roots: [["$PI_CODING_AGENT_DIR", "~/.pi/agent"]],
  watched: ["$PI_CODING_AGENT_SESSION_DIR", "sessions"],
  variables: ["PI_CODING_AGENT_SESSION_DIR"],
  // `pi --session <path|id>` of 0.73 to 0.87 works in the directory that the file names.
  resumeCommand: ({ path }) => ({ argv: ["pi", "--session", path], in_directory: false }),
  // pi has no MCP.
  setup: {
    program: "pi",
    skills: ["$PI_CODING_AGENT_DIR/skills", "~/.pi/agent/skills"],
    hooks: PI_HOOKS,
  },
  loadLocate: async () => (await import("./locate.ts")).locateSessions,
  loadReader: async () => (await import("./pi_agent.ts")).piAgent,
  loadVisibility: async () => (await import("./pi_visibility.ts")).piVisibility,
  loadWriter: async () => (await import("./write/pi_writer.ts")).piWriter,
  loadTitles: async () => (await import("./native_titles.ts")).piTitles,
  loadRepair: async () => (await import("./session_repair.ts")).piRepair,
};
