import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { PLAIN_ID } from "../contract/resume_command.ts";

export const copilot: AgentDescriptor = {
  name: "copilot",
  title: "Copilot CLI",
  aliases: ["copilot-cli"],
  // 0.0.420 (index.js, `EI`) uses the last two; later versions take the first (the format notes).
  roots: [["$COPILOT_HOME", "$XDG_STATE_HOME/.copilot"], ["$COPILOT_HOME", "~/.copilot"]],
  watched: ["session-state", "history-session-state"],
  // Copilot CLI 1.0 prints this line itself when it ends. Its value is optional, hence the `=`.
  resumeCommand: ({ id }) => ({
    argv: ["copilot", `--resume=${id}`],
    id_form: PLAIN_ID,
    in_directory: true,
  }),
  // Its documentation: "Adding MCP servers", "Adding agent skills".
  setup: {
    program: "copilot",
    skills: ["$COPILOT_HOME/skills", "~/.copilot/skills"],
    servers: {
      files: [["$COPILOT_HOME/mcp-config.json", "~/.copilot/mcp-config.json"]],
      ...{ format: "json", key: "mcpServers" },
      entry: (command, args) => ({ type: "local", command, args, tools: ["*"] }),
      add: ["mcp", "add", "reprise", "--"],
      remove: ["mcp", "remove", "reprise"],
    },
    // "Hooks reference"; 1.0.102 takes the answer of this one, and of none after a compaction.
    hooks: {
      start: {
        path: ["$COPILOT_HOME/hooks/reprise.json", "~/.copilot/hooks/reprise.json"],
        text: (command) => {
          const hook = { type: "command", bash: command, powershell: command, timeoutSec: 10 };
          return `${JSON.stringify({ version: 1, hooks: { sessionStart: [hook] } }, null, 2)}\n`;
        },
      },
    },
  },
  asks: { ask_user: "question", exit_plan_mode: "plan" },
  loadLocate: async () => (await import("./locate.ts")).locateSessions,
  loadReader: async () => (await import("./copilot_agent.ts")).copilotAgent,
  loadWriter: async () => (await import("./write/copilot_writer.ts")).copilotWriter,
  loadOpenMarks: async () => (await import("./open_marks.ts")).openMarks,
};
