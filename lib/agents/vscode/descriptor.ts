import { dirname, join } from "node:path";
import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { EDITOR_USER_ROOTS } from "../contract/editor_folders.ts";

/** The chat of VS Code. The roots are the user folders of all editors based on VS Code. */
export const vscode: AgentDescriptor = {
  name: "vscode",
  title: "VS Code Copilot Chat",
  aliases: ["copilot-chat"],
  roots: EDITOR_USER_ROOTS,
  watched: ["workspaceStorage", "globalStorage/emptyWindowChatSessions"],
  files: ({ path }) => [path, join(dirname(dirname(path)), "workspace.json")],
  // No command opens one of its sessions.
  resumeCommand: () => undefined,
  asks: { vscode_askQuestions: "question" },
  loadLocate: async () => (await import("./locate.ts")).locateVsCode,
  loadReader: async () => (await import("./vscode_agent.ts")).vscodeAgent,
  loadVisibility: async () => (await import("./vscode_visibility.ts")).vscodeVisibility,
};
