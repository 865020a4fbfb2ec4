import { dirname, join } from "node:path";
import type { AgentDescriptor } from "../../source/agent_descriptor.ts";
import { PLAIN_ID } from "../../source/resume_command.ts";

/** Cursor, the editor and its CLI, and where they keep their sessions. */
export const cursor: AgentDescriptor = {
  name: "cursor",
  title: "Cursor",
  aliases: ["cursor-agent"],
  // Transcripts and chats, the CLI's other folder on Linux (2026.06), and the editor's user folder.
  roots: [
    ["$CURSOR_DATA_DIR", "~/.cursor"],
    [{ path: "$XDG_CONFIG_HOME/cursor", os: "linux" }, { path: "~/.config/cursor", os: "linux" }],
    [
      { path: "~/Library/Application Support/Cursor/User", os: "darwin" },
      { path: "$APPDATA/Cursor/User", os: "windows" },
      { path: "~/AppData/Roaming/Cursor/User", os: "windows" },
      "$XDG_CONFIG_HOME/Cursor/User",
      "~/.config/Cursor/User",
    ],
  ],
  watched: ["projects", "chats", "globalStorage"],
  files: ({ path }) => [
    ...["", "-wal", "-journal"].map((ending) => path + ending),
    join(dirname(path), "meta.json"),
    join(dirname(path), "../../.workspace-trusted"),
  ],
  // Only a chat of the CLI can be resumed from a command line (cursor.com/docs/cli/using).
  resumeCommand: ({ path, id }) =>
    path.endsWith("store.db")
      ? { argv: ["cursor-agent", `--resume=${id}`], id_form: PLAIN_ID, in_directory: true }
      : undefined,
  asks: { ask_question: "question", create_plan: "plan" },
  loadLocate: async () => (await import("./locate.ts")).locateSessions,
  loadReader: async () => (await import("./cursor_agent.ts")).cursorAgent,
};
