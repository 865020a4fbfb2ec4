/** Describes OpenAI Codex. */
import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { UUID } from "../contract/resume_command.ts";
import { sessionStartPlaces } from "../contract/hook_place.ts";

export const codex: AgentDescriptor = {
  name: "codex",
  title: "OpenAI Codex",
  // codex-rs/rollout/src/config.rs.
  roots: [["$CODEX_HOME", "~/.codex"]],
  watched: ["sessions", "archived_sessions"],
  prompts: ["history.jsonl", "session_index.jsonl"],
  marked: ["thread-writer-locks"],
  // `codex resume [SESSION_ID]` of 0.169 finds a thread in any directory, and asks in which of the two
  // to work where they differ. An archived one it refuses, and says `codex unarchive`.
  resumeCommand: ({ id }) => ({
    argv: ["codex", "resume", id],
    id_form: UUID,
    in_directory: false,
  }),
  setup: {
    program: "codex",
    skills: ["~/.agents/skills"],
    servers: {
      files: [["$CODEX_HOME/config.toml", "~/.codex/config.toml"]],
      ...{ format: "toml", key: "mcp_servers" },
      entry: (command, args) => ({ command, args }),
      add: ["mcp", "add", "reprise", "--"],
      remove: ["mcp", "remove", "reprise"],
    },
    // developers.openai.com/codex/hooks: it runs only hooks that its user has looked at.
    hooks: sessionStartPlaces(["$CODEX_HOME/hooks.json", "~/.codex/hooks.json"]),
    hook_note: " (afterwards, trust it in Codex with /hooks)",
  },
  names_files: true,
  asks: { request_user_input: "question" },
  loadLocate: async () => (await import("./locate.ts")).locateCodex,
  loadHistory: async () => (await import("./codex_history.ts")).locateInHistory,
  loadReader: async () => (await import("./codex_agent.ts")).codexAgent,
  loadOpenMarks: async () => (await import("./open_marks.ts")).openMarks,
  loadPlanLimits: async () => (await import("./plan_limits.ts")).planLimits,
  loadVisibility: async () => (await import("./codex_visibility.ts")).codexVisibility,
  loadWriter: async () => (await import("./codex_writer.ts")).codexWriter,
  loadTitles: async () => (await import("./native_titles.ts")).codexTitles,
  loadRepair: async () => (await import("./session_repair.ts")).codexRepair,
  loadPacking: async () => (await import("./packing.ts")).codexPacking,
};
