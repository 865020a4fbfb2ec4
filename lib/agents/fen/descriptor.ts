import type { AgentDescriptor } from "../contract/agent_descriptor.ts";

export const fen: AgentDescriptor = {
  name: "fen",
  title: "fen",
  // 0.17.0, session.fnl `state-dir`.
  roots: [["$XDG_STATE_HOME/fen", "~/.local/state/fen"]],
  watched: ["sessions"],
  // Only `--continue` is there, which takes the latest; `/resume <id>` is typed within fen.
  resumeCommand: () => undefined,
  loadLocate: async () => (await import("./locate.ts")).locateFen,
  loadReader: async () => (await import("./fen_agent.ts")).fenAgent,
  loadWriter: async () => (await import("./write/fen_writer.ts")).fenWriter,
};
