import { join } from "node:path";
import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { type Expiry, readSettings } from "../contract/expiry.ts";
import { PLAIN_ID, resumedBy } from "../contract/resume_command.ts";
import { metaBeside } from "./meta_file.ts";

/** The variable that keeps CodeBuddy from deleting sessions. */
const KEEPS = "CODEBUDDY_DISABLE_SESSION_HISTORY_CLEANUP";

/** CodeBuddy Code. Source for its folder: `PathUtils.getHomeDir` of 2.117. */
export const codebuddy: AgentDescriptor = {
  name: "codebuddy",
  title: "CodeBuddy Code",
  aliases: ["codebuddy-code"],
  roots: [["$CODEBUDDY_CONFIG_DIR", "~/.codebuddy"]],
  variables: [KEEPS],
  watched: ["projects"],
  files: ({ path }) => [path, metaBeside(path)],
  // It looks in the directory's project, then in all others (`SessionStore.get`).
  resumeCommand: resumedBy(PLAIN_ID, "codebuddy", "--resume"),
  asks: { AskUserQuestion: "question", ExitPlanMode: "plan" },
  loadLocate: async () => (await import("./locate.ts")).locateCodeBuddy,
  loadReader: async () => (await import("./codebuddy_agent.ts")).codebuddyAgent,
  loadExpiry: () => Promise.resolve(codebuddyExpiry),
};

/**
 * Returns the rule by which CodeBuddy deletes old sessions when it starts
 * (`SessionHistoryCleanService`). Undefined if a variable turns this off.
 */
function codebuddyExpiry({ folder, variable }: AgentPlace): Expiry | undefined {
  if (/^(?:1|true)$/i.test(variable(KEEPS) ?? "")) return undefined;
  const path = join(folder, "settings.json");
  const rule = { measured_by: "mtime", setting: "cleanupPeriodDays" } as const;
  const days = readSettings(path)?.[rule.setting];
  if (typeof days === "number" && days > 0) return { ...rule, after_days: days, path };
  return { ...rule, after_days: 30 };
}
