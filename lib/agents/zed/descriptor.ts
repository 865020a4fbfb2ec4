import type { AgentDescriptor } from "../contract/agent_descriptor.ts";

export const zed: AgentDescriptor = {
  name: "zed",
  title: "Zed",
  // crates/paths/src/paths.rs, `data_dir`. A folder of `--user-data-dir` is not looked at.
  roots: [[
    { path: "~/Library/Application Support/Zed", os: "darwin" },
    { path: "$LOCALAPPDATA/Zed", os: "windows" },
    { path: "~/AppData/Local/Zed", os: "windows" },
    "$FLATPAK_XDG_DATA_HOME/zed",
    { path: "$XDG_DATA_HOME/zed", absolute: true },
    "~/.local/share/zed",
  ]],
  watched: ["threads"],
  // The editor opens no thread from a command line.
  resumeCommand: () => undefined,
  loadLocate: async () => (await import("./locate.ts")).locateThreads,
  loadReader: async () => (await import("./zed_agent.ts")).zedAgent,
  loadRepair: async () => (await import("../engine/sqlite/database_check.ts")).databaseCheck,
};
