/**
 * Describes PearAI. Its extension is a fork of Continue and stores sessions in Continue's format.
 */
import { familyMember } from "../contract/agent_family.ts";
import { continued } from "./descriptor.ts";
import { sessionList } from "./session_list.ts";

/** PearAI has no command line. Its home is `~/.pearai` (pearai-submodule, 2025). */
export const pearai = familyMember(continued, {
  name: "pearai",
  title: "PearAI",
  roots: [["~/.pearai"]],
  files: ({ path }) => [path, sessionList(path)],
  resumeCommand: () => undefined,
});
