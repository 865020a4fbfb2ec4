import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { agentPlaces } from "../contract/agent_roots.ts";
import { PLAIN_ID } from "../contract/resume_command.ts";
import { DATA_FOLDER, DATABASE, databaseAround, PROJECTS } from "./crush_files.ts";

export const crush: AgentDescriptor = {
  name: "crush",
  title: "Crush",
  // internal/config/load.go `GlobalConfigData`: the folder with the list of projects.
  roots: [
    [
      "$CRUSH_GLOBAL_DATA",
      "$XDG_DATA_HOME/crush",
      { path: "$LOCALAPPDATA/crush", os: "windows" },
      "~/.local/share/crush",
    ],
    ["~/.crush"],
  ],
  mayHaveSessions: (environment) =>
    databaseAround(environment.variable("PWD")) !== undefined ||
    agentPlaces(crush, environment).some(({ folder }) =>
      [DATABASE, PROJECTS].some((name) => existsSync(join(folder, name)))
    ),
  // internal/cmd/root.go: it looks in the project's own database alone.
  resumeCommand: ({ id, path, cwd }) => ({
    argv: cwd !== undefined && dirname(path) === join(cwd, DATA_FOLDER)
      ? ["crush", "--session", id]
      : ["crush", "--data-dir", dirname(path), "--session", id],
    id_form: PLAIN_ID,
    in_directory: true,
  }),
  loadLocate: async () => (await import("./locate.ts")).locateCrush,
  loadReader: async () => (await import("./crush_agent.ts")).crushAgent,
  loadRepair: async () => (await import("../engine/sqlite/database_check.ts")).databaseCheck,
};
