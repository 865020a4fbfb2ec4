import type { AgentDescriptor } from "../contract/agent_descriptor.ts";

/** Folders: transcripts and chats; data of the CLI on Linux (2026.06); user data of the editor. */
export const CURSOR_ROOTS: AgentDescriptor["roots"] = [
  ["$CURSOR_DATA_DIR", "~/.cursor"],
  [{ path: "$XDG_CONFIG_HOME/cursor", os: "linux" }, { path: "~/.config/cursor", os: "linux" }],
  [
    { path: "~/Library/Application Support/Cursor/User", os: "darwin" },
    { path: "$APPDATA/Cursor/User", os: "windows" },
    { path: "~/AppData/Roaming/Cursor/User", os: "windows" },
    "$XDG_CONFIG_HOME/Cursor/User",
    "~/.config/Cursor/User",
  ],
];
