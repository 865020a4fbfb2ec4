/** The descriptor of the coding agent OpenCode. */
import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { PLAIN_ID } from "../contract/resume_command.ts";
import { OPENCODE_HOOKS } from "./hooks.ts";

export const opencode: AgentDescriptor = {
  name: "opencode",
  title: "OpenCode",
  // By `xdg-basedir`, on all systems the same (1.18.34, src/global/index.ts).
  roots: [["$XDG_DATA_HOME/opencode", "~/.local/share/opencode"]],
  watched: ["storage", "project"],
  snapshots: ["snapshot"],
  // Outputs that are too long for the model (1.18.34, src/tool/truncate.ts).
  outputs: ["tool-output"],
  // The prompts of its terminal, without ids (1.18.34, src/cli/cmd/tui/component/prompt/history.tsx).
  prompts: [
    "$XDG_STATE_HOME/opencode/prompt-history.jsonl",
    "~/.local/state/opencode/prompt-history.jsonl",
  ],
  variables: ["OPENCODE_DB"],
  // An export must be imported first, and the older files are no longer read.
  // `opencode [project] --session <id>`, as opencode.ai/docs/cli and 1.18.33 have it.
  resumeCommand: ({ path, id }) =>
    path.endsWith(".db")
      ? { argv: ["opencode", "--session", id], id_form: PLAIN_ID, in_directory: true }
      : undefined,
  // opencode.ai/docs/mcp-servers: `opencode mcp add` asks questions, so the settings are edited.
  setup: {
    program: "opencode",
    skills: ["$XDG_CONFIG_HOME/opencode/skills", "~/.config/opencode/skills"],
    servers: {
      files: ["opencode.jsonc", "opencode.json"].map((name) => [
        `$XDG_CONFIG_HOME/opencode/${name}`,
        `~/.config/opencode/${name}`,
      ]),
      ...{ format: "json", key: "mcp" },
      entry: (program, args) => ({ type: "local", command: [program, ...args], enabled: true }),
    },
    hooks: OPENCODE_HOOKS,
  },
  ends_open_calls: true,
  asks: { question: "question", plan_exit: "plan" },
  loadLocate: async () => (await import("./locate.ts")).locateSessions,
  loadReader: async () => (await import("./opencode_agent.ts")).opencodeAgent,
  loadVisibility: async () => (await import("./opencode_visibility.ts")).opencodeVisibility,
  loadWriter: async () => (await import("./write/opencode_writer.ts")).opencodeWriter,
  loadRepair: async () => ({
    ...(await import("../engine/sqlite/database_check.ts")).databaseCheck,
    scrubs: true,
  }),
  loadRows: async () => (await import("./rows/session_rows.ts")).opencodeRows,
};
