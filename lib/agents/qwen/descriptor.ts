import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { PLAIN_ID, resumedBy } from "../contract/resume_command.ts";
import { sessionStartPlaces } from "../contract/hook_place.ts";

export const qwen: AgentDescriptor = {
  name: "qwen",
  title: "Qwen Code",
  aliases: ["qwen-code"],
  // packages/core/src/config/storage.ts (`getRuntimeBaseDir`, `getGlobalQwenDir`).
  roots: [["$QWEN_RUNTIME_DIR", "$QWEN_HOME", "~/.qwen"]],
  watched: ["projects", "tmp"],
  // `qwen --resume <id>` of 0.24.4 looks in the directory's project.
  resumeCommand: resumedBy(PLAIN_ID, "qwen", "--resume"),
  // Its documentation: "Agent Skills", "MCP"; its options end at the server's command.
  setup: {
    program: "qwen",
    skills: ["$QWEN_HOME/skills", "~/.qwen/skills"],
    servers: {
      files: [["$QWEN_HOME/settings.json", "~/.qwen/settings.json"]],
      ...{ format: "json", key: "mcpServers" },
      entry: (command, args) => ({ command, args }),
      add: ["mcp", "add", "--scope", "user", "reprise"],
      remove: ["mcp", "remove", "--scope", "user", "reprise"],
    },
    hooks: sessionStartPlaces(["$QWEN_HOME/settings.json", "~/.qwen/settings.json"]),
  },
  asks: { ask_user_question: "question", exit_plan_mode: "plan" },
  loadLocate: async () => (await import("./locate.ts")).locateSessions,
  loadReader: async () => (await import("./qwen_agent.ts")).qwenAgent,
  loadWriter: async () => (await import("./write/qwen_writer.ts")).qwenWriter,
  loadRepair: async () => (await import("./session_repair.ts")).qwenRepair,
};
