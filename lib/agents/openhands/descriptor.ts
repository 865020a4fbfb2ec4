import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { PLAIN_ID, resumedBy } from "../contract/resume_command.ts";
import { filesOf } from "./conversation_files.ts";

/** The command line and SDK of OpenHands, from the source of software-agent-sdk up to 1.58. */
export const openhands: AgentDescriptor = {
  name: "openhands",
  title: "OpenHands",
  // openhands_cli/locations.py
  roots: [[
    "$OPENHANDS_CONVERSATIONS_DIR",
    "$OPENHANDS_PERSISTENCE_DIR/conversations",
    "~/.openhands/conversations",
  ]],
  watched: ["."],
  files: filesOf,
  asks: { ask_user: "question" },
  resumeCommand: resumedBy(PLAIN_ID, "openhands", "--resume"),
  loadLocate: async () => (await import("./locate.ts")).locateOpenHands,
  loadReader: async () => (await import("./openhands_agent.ts")).openhandsAgent,
};
