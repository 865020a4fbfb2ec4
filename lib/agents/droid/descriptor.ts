import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { PLAIN_ID, resumedBy } from "../contract/resume_command.ts";
import { settingsBeside } from "./settings_file.ts";

export const droid: AgentDescriptor = {
  name: "droid",
  title: "Factory Droid",
  aliases: ["factory", "factory-droid"],
  // The variable stands for the home, not for the folder in it.
  roots: [["$FACTORY_HOME_OVERRIDE/.factory", "~/.factory"]],
  watched: ["sessions"],
  files: ({ path }) => [path, settingsBeside(path)],
  // Its CLI reference of September 2026: `droid --resume [sessionId]`.
  resumeCommand: resumedBy(PLAIN_ID, "droid", "--resume"),
  asks: { AskUser: "question", ExitSpecMode: "plan" },
  loadLocate: async () => (await import("./locate.ts")).locateDroid,
  loadReader: async () => (await import("./droid_agent.ts")).droidAgent,
};
