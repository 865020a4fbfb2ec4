/** Describes an agent that keeps Continue's sessions: PearAI, whose extension is a fork of it. */
import { familyMember } from "../contract/agent_family.ts";
import { continued } from "./descriptor.ts";
import { sessionList } from "./session_list.ts";

/** PearAI. Its home is `~/.pearai`, as pearai-submodule of 2025 names it. It has no command line. */
export const pearai = familyMember(continued, {
  name: "pearai",
  title: "PearAI",
  roots: [["~/.pearai"]],
  files: ({ path }) => [path, sessionList(path)],
  resumeCommand: () => undefined,
});
