import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { PLAIN_ID, resumedBy } from "../contract/resume_command.ts";
import { sessionList } from "./session_list.ts";

/** Continue. Its editor extensions and its command line store sessions in one folder. */
export const continued: AgentDescriptor = {
  name: "continue",
  title: "Continue",
  // core/util/paths.ts.
  roots: [["$CONTINUE_GLOBAL_DIR", "~/.continue"]],
  watched: ["sessions"],
  files: ({ path }) => [path, sessionList(path)],
  // `cn --resume` takes the last session alone; a fork goes on with a copy (1.5.47).
  resumeCommand: resumedBy(PLAIN_ID, "cn", "--fork"),
  loadLocate: async () => (await import("./locate.ts")).locateContinue,
  loadReader: async () => (await import("./continue_agent.ts")).continueAgent,
};
