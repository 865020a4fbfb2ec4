/** Describes Claude Code. */
import { basename } from "node:path";
import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { resumedBy, UUID } from "../contract/resume_command.ts";
import { isSubagentFile } from "./subagent_name.ts";
import { filesBeside } from "./title_file.ts";
import { sessionStartPlaces } from "../contract/hook_place.ts";

export const claude: AgentDescriptor = {
  name: "claude",
  title: "Claude Code",
  aliases: ["claude-code"],
  // Claude Code knows the first variable. The second one adds folders that other programs read, too.
  roots: [["$CLAUDE_CONFIG_DIR", "~/.claude"], ["$CLAUDE_CONFIG_DIRS"]],
  watched: ["projects"],
  marked: ["sessions"],
  snapshots: ["file-history"],
  // 2.1 keeps long pastes beside the history.
  prompts: ["history.jsonl", "paste-cache"],
  files: (session) => [session.path, ...filesBeside(session)],
  // Versions up to 2.1.100 look an id up in the folder of the directory alone; 2.1.330 in all.
  resumeCommand: resumedBy(UUID, "claude", "--resume"),
  // Its documentation: "Skills", "Connect Claude Code to tools via MCP", "Status line".
  setup: {
    program: "claude",
    skills: ["$CLAUDE_CONFIG_DIR/skills", "~/.claude/skills"],
    servers: {
      files: [["$CLAUDE_CONFIG_DIR/.claude.json", "~/.claude.json"]],
      ...{ format: "json", key: "mcpServers" },
      entry: (command, args) => ({ type: "stdio", command, args, env: {} }),
      add: ["mcp", "add", "--scope", "user", "reprise", "--"],
      remove: ["mcp", "remove", "--scope", "user", "reprise"],
    },
    // "Hooks": the answer to SessionStart.
    hooks: {
      ...sessionStartPlaces(["$CLAUDE_CONFIG_DIR/settings.json", "~/.claude/settings.json"]),
      // "Hooks": PreToolUse. An answer that comes later is not waited for.
      call: {
        path: ["$CLAUDE_CONFIG_DIR/settings.json", "~/.claude/settings.json"],
        keys: ["hooks", "PreToolUse"],
        entry: (command) => ({ matcher: "*", hooks: [{ type: "command", command, timeout: 10 }] }),
      },
    },
    status_line: {
      file: ["$CLAUDE_CONFIG_DIR/settings.json", "~/.claude/settings.json"],
      key: "statusLine",
      entry: (command) => ({ type: "command", command }),
    },
  },
  isSubagent: ({ path }) => isSubagentFile(basename(path)),
  asks: { AskUserQuestion: "question", ExitPlanMode: "plan" },
  loadLocate: async () => (await import("./locate.ts")).locateSessions,
  loadHistory: async () => (await import("./claude_history.ts")).locateInHistory,
  loadReader: async () => (await import("./claude_agent.ts")).claudeAgent,
  loadOpenMarks: async () => (await import("./open_marks.ts")).openMarks,
  loadPlanLimits: async () => (await import("./plan_limits.ts")).planLimits,
  loadExpiry: async () => (await import("./claude_expiry.ts")).claudeExpiry,
  loadVisibility: async () => (await import("./claude_visibility.ts")).claudeVisibility,
  loadWriter: async () => (await import("./claude_writer.ts")).claudeWriter,
  loadTitles: async () => (await import("./native_titles.ts")).claudeTitles,
  loadFileHistory: async () => (await import("./file_history.ts")).claudeFileHistory,
  loadRepair: async () => (await import("./session_repair.ts")).claudeRepair,
};
