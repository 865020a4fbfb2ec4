import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { PLAIN_ID, resumedBy } from "../contract/resume_command.ts";

export const autohand: AgentDescriptor = {
  name: "autohand",
  title: "Autohand",
  // src/constants.ts of 0.8.2. Builds before the first release (commit 93eefa71 to 48da28c9, 2025)
  // used the second.
  roots: [["$AUTOHAND_HOME", "~/.autohand"], ["~/.autohand-cli"]],
  watched: ["sessions"],
  // `autohand resume <id> [--path <workspace>]` of 0.8.2: the workspace is the directory by default.
  resumeCommand: resumedBy(PLAIN_ID, "autohand", "resume"),
  loadLocate: async () => (await import("./locate.ts")).locateAutohand,
  loadReader: async () => (await import("./autohand_agent.ts")).autohandAgent,
  loadWriter: async () => (await import("./write/autohand_writer.ts")).autohandWriter,
};
