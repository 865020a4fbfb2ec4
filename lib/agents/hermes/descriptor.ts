import { basename, dirname } from "node:path";
import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { PLAIN_ID } from "../contract/resume_command.ts";

/** Hermes Agent of Nous Research, as its source code of 2026 works. */
export const hermes: AgentDescriptor = {
  name: "hermes",
  title: "Hermes",
  // hermes_constants.py `get_hermes_home`
  roots: [["$HERMES_HOME", { path: "$LOCALAPPDATA/hermes", os: "windows" }, "~/.hermes"]],
  watched: ["profiles"],
  asks: { clarify: "question" },
  resumeCommand: ({ path, id }) => {
    const folder = dirname(path);
    const profile = basename(dirname(folder)) === "profiles" ? ["--profile", basename(folder)] : [];
    return { argv: ["hermes", ...profile, "--resume", id], id_form: PLAIN_ID, in_directory: true };
  },
  loadLocate: async () => (await import("./locate.ts")).locateHermes,
  loadReader: async () => (await import("./hermes_agent.ts")).hermesAgent,
  loadRepair: async () => (await import("../engine/sqlite/database_check.ts")).databaseCheck,
};
