import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { resumedBy, UUID } from "../contract/resume_command.ts";
import { sessionStartPlace } from "../contract/hook_place.ts";

export const gemini: AgentDescriptor = {
  name: "gemini",
  title: "Gemini CLI",
  aliases: ["gemini-cli"],
  // packages/core/src/config/storage.ts.
  roots: [["$GEMINI_CLI_HOME/.gemini", "~/.gemini"]],
  watched: ["tmp"],
  // Each is a repository of a project (0.61, packages/core/src/services/gitService.ts).
  snapshots: ["history"],
  prompts: ["../logs.json"],
  // `--resume` of 0.61 takes a UUID, a number or `latest`, of the directory's project.
  resumeCommand: resumedBy(UUID, "gemini", "--resume"),
  // docs/tools/mcp-server.md; its options end at the server's command.
  setup: {
    program: "gemini",
    skills: ["$GEMINI_CLI_HOME/.gemini/skills", "~/.gemini/skills"],
    servers: {
      files: [["$GEMINI_CLI_HOME/.gemini/settings.json", "~/.gemini/settings.json"]],
      ...{ format: "json", key: "mcpServers" },
      entry: (command, args) => ({ command, args }),
      add: ["mcp", "add", "--scope", "user", "reprise"],
      remove: ["mcp", "remove", "--scope", "user", "reprise"],
    },
    // docs/hooks/reference.md of 0.61: a matcher is one source, and no hook adds after a compression.
    hooks: {
      start: sessionStartPlace([
        "$GEMINI_CLI_HOME/.gemini/settings.json",
        "~/.gemini/settings.json",
      ]),
    },
  },
  // 0.61: a record of its answer has no calls until all of them have ended.
  tells_ended_calls: true,
  asks: { ask_user: "question", exit_plan_mode: "plan" },
  loadLocate: async () => (await import("./locate.ts")).locateGemini,
  loadReader: async () => (await import("./gemini_agent.ts")).geminiAgent,
  loadExpiry: async () => (await import("./gemini_expiry.ts")).geminiExpiry,
  loadVisibility: async () => (await import("./gemini_visibility.ts")).geminiVisibility,
  loadWriter: async () => (await import("./write/gemini_writer.ts")).geminiWriter,
  loadRepair: async () => (await import("./session_repair.ts")).geminiRepair,
};
