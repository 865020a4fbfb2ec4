import type { AgentDescriptor } from "../contract/agent_descriptor.ts";

/** Roots, in order: transcripts and chats, CLI data on Linux (2026.06), the editor's user data. */
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
