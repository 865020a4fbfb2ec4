import { sqliteFiles } from "../engine/sqlite/sqlite_file.ts";
import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { PLAIN_ID, resumedBy } from "../contract/resume_command.ts";
import { isDatabase, metadataBeside } from "./kiro_files.ts";

export const kiro: AgentDescriptor = {
  name: "kiro",
  title: "Kiro CLI",
  aliases: ["kiro-cli"],
  roots: [
    ["~/.kiro"],
    // The database of its first engine, as of Amazon Q before.
    [
      { path: "~/Library/Application Support/kiro-cli", os: "darwin" },
      // As Kiro CLI keeps it on Windows (2.20, d-kuro/kirocc#110).
      { path: "$LOCALAPPDATA/kiro-cli", os: "windows" },
      "$XDG_DATA_HOME/kiro-cli",
      "~/.local/share/kiro-cli",
    ],
  ],
  watched: ["sessions/cli"],
  files: ({ path }) => isDatabase(path) ? sqliteFiles(path) : [path, metadataBeside(path)],
  // `kiro-cli chat --resume-id <SESSION_ID>`, as its documentation of 2026 has it.
  resumeCommand: resumedBy(PLAIN_ID, "kiro-cli", "chat", "--resume-id"),
  loadLocate: async () => (await import("./locate.ts")).locateKiro,
  loadReader: async () => (await import("./kiro_agent.ts")).kiroAgent,
};
