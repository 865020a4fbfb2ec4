/** The descriptor of the coding agent goose. */
import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { PLAIN_ID, resumedBy } from "../contract/resume_command.ts";

export const goose: AgentDescriptor = {
  name: "goose",
  title: "goose",
  // crates/goose/src/config/paths.rs (block/goose at 0780e22): the folders of the crate `etcetera` for
  // the app `goose` of `Block`. The XDG specification has relative paths ignored.
  roots: [[
    { path: "$GOOSE_PATH_ROOT/data", absolute: true },
    { path: "$APPDATA/Block/goose/data", os: "windows" },
    { path: "~/AppData/Roaming/Block/goose/data", os: "windows" },
    { path: "$XDG_DATA_HOME/goose", absolute: true },
    "~/.local/share/goose",
  ]],
  watched: ["sessions"],
  // A file keeps its id when goose takes it over into its database.
  // `--session-id` as in the documentation of 1.50.
  resumeCommand: resumedBy(PLAIN_ID, "goose", "session", "--resume", "--session-id"),
  // Its guides "Using Skills" and "Configuration Files". `goose configure` asks questions.
  setup: {
    program: "goose",
    skills: ["~/.agents/skills"],
    servers: {
      files: [[
        { path: "$GOOSE_PATH_ROOT/config/config.yaml", absolute: true },
        { path: "$APPDATA/Block/goose/config/config.yaml", os: "windows" },
        { path: "$XDG_CONFIG_HOME/goose/config.yaml", absolute: true },
        "~/.config/goose/config.yaml",
      ]],
      ...{ format: "yaml", key: "extensions" },
      entry: (cmd, args) => ({
        ...{ name: "reprise", description: "Past sessions", type: "stdio", cmd, args },
        ...{ enabled: true, envs: {}, env_keys: [], timeout: 300 },
      }),
    },
  },
  loadLocate: async () => (await import("./locate.ts")).locateSessions,
  loadReader: async () => (await import("./goose_agent.ts")).gooseAgent,
  loadWriter: async () => (await import("./write/goose_writer.ts")).gooseWriter,
  loadRepair: async () => (await import("../engine/sqlite/database_check.ts")).databaseCheck,
};
