/** The folders of Cursor. */
import type { RootCandidates } from "../../source/agent_descriptor.ts";

/**
 * The folder of transcripts and chats, the CLI's other folder on Linux, and the editor's user folder.
 * The CLI's other folder was seen in 2026.06.
 */
export const ROOTS: readonly RootCandidates[] = [
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
