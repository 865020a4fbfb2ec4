import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import type { AgentEnvironment } from "../contract/agent_environment.ts";
import { agentPlaces } from "../contract/agent_roots.ts";

export const aider: AgentDescriptor = {
  name: "aider",
  title: "Aider",
  // A root is a folder that may have a history; those of projects are not known.
  roots: [["~"]],
  variables: ["AIDER_CHAT_HISTORY_FILE"],
  mayHaveSessions,
  // Options of 0.86, which reads back the whole file.
  resumeCommand: ({ path }) => ({
    argv: ["aider", "--chat-history-file", path, "--restore-chat-history"],
    in_directory: true,
  }),
  loadLocate: async () => (await import("./locate.ts")).locateAider,
  loadReader: async () => (await import("./aider_agent.ts")).aiderAgent,
};

const FILES = [".aider.chat.history.md", ".aider.conf.yml", ".env"];

function mayHaveSessions(environment: AgentEnvironment): boolean {
  const folders = agentPlaces(aider, environment).map(({ folder }) => folder);
  for (let folder = environment.variable("PWD"); folder !== undefined;) {
    folders.push(folder);
    const above = dirname(folder);
    folder = above === folder ? undefined : above;
  }
  return folders.some((folder) => FILES.some((name) => existsSync(join(folder, name))));
}
