/** Describes Keen Code. */
import type { AgentDescriptor } from "../../source/agent_descriptor.ts";
import { PLAIN_ID } from "../../source/resume_command.ts";

/** Keen Code, and where it keeps its sessions. */
export const keen: AgentDescriptor = {
  name: "keen",
  title: "Keen Code",
  // 0.38.1 has no way to set another place.
  roots: [["~/.keen"]],
  watched: ["sessions"],
  // `keen --resume <whole id>` of 0.38.1 looks in the directory's namespace.
  resumeCommand: ({ id }) => ({
    argv: ["keen", "--resume", id],
    id_form: PLAIN_ID,
    in_directory: true,
  }),
  loadLocate: async () => (await import("./locate.ts")).locateKeen,
  loadReader: async () => (await import("./keen_agent.ts")).keenAgent,
  loadExpiry: async () => (await import("./keen_expiry.ts")).keenExpiry,
  loadWriter: async () => (await import("./write/keen_writer.ts")).keenWriter,
};
