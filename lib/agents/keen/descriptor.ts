import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import type { Expiry } from "../contract/expiry.ts";
import { PLAIN_ID, resumedBy } from "../contract/resume_command.ts";

export const keen: AgentDescriptor = {
  name: "keen",
  title: "Keen Code",
  // 0.38.1 has no way to set another place.
  roots: [["~/.keen"]],
  watched: ["sessions"],
  // `keen --resume <whole id>` of 0.38.1 looks in the directory's namespace.
  resumeCommand: resumedBy(PLAIN_ID, "keen", "--resume"),
  loadLocate: async () => (await import("./locate.ts")).locateKeen,
  loadReader: async () => (await import("./keen_agent.ts")).keenAgent,
  loadExpiry: () => Promise.resolve(keenExpiry),
  loadWriter: async () => (await import("./write/keen_writer.ts")).keenWriter,
};

/**
 * Returns Keen Code's rule: at its start, it deletes sessions unchanged for 14 days. No setting
 * changes this (internal/cleanup/cleanup.go, since 0.40.0).
 */
function keenExpiry(): Expiry {
  return { after_days: 14, measured_by: "mtime" };
}
