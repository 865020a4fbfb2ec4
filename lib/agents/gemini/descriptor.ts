import type { AgentDescriptor } from "../../source/agent_descriptor.ts";
import { UUID } from "../../source/resume_command.ts";

/** Gemini CLI, and where it keeps its sessions. */
export const gemini: AgentDescriptor = {
  name: "gemini",
  title: "Gemini CLI",
  aliases: ["gemini-cli"],
  // packages/core/src/config/storage.ts.
  roots: [["$GEMINI_CLI_HOME/.gemini", "~/.gemini"]],
  watched: ["tmp"],
  // `--resume` of 0.61 takes a UUID, a number or `latest`, of the directory's project.
  resumeCommand: ({ id }) => ({
    argv: ["gemini", "--resume", id],
    id_form: UUID,
    in_directory: true,
  }),
  loadLocate: async () => (await import("./locate.ts")).locateGemini,
  loadReader: async () => (await import("./gemini_agent.ts")).geminiAgent,
  loadExpiry: async () => (await import("./gemini_expiry.ts")).geminiExpiry,
  loadWriter: async () => (await import("./write/gemini_writer.ts")).geminiWriter,
  loadRepair: async () => (await import("./session_repair.ts")).geminiRepair,
};
