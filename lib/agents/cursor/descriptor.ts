import { dirname, join } from "node:path";
import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { PLAIN_ID } from "../contract/resume_command.ts";
import { CURSOR_ROOTS } from "./cursor_roots.ts";

export const cursor: AgentDescriptor = {
  name: "cursor",
  title: "Cursor",
  aliases: ["cursor-agent"],
  roots: CURSOR_ROOTS,
  watched: ["projects", "chats", "globalStorage"],
  files: ({ path }) => [
    ...["", "-wal", "-journal"].map((ending) => path + ending),
    join(dirname(path), "meta.json"),
    join(dirname(path), "../../.workspace-trusted"),
  ],
  // Only a chat of the CLI can be resumed from a command line (cursor.com/docs/cli/using).
  resumeCommand: ({ path, id }) =>
    path.endsWith("store.db")
      ? { argv: ["cursor-agent", `--resume=${id}`], id_form: PLAIN_ID, in_directory: true }
      : undefined,
  asks: { ask_question: "question", create_plan: "plan" },
  loadLocate: async () => (await import("./locate.ts")).locateSessions,
  loadReader: async () => (await import("./cursor_agent.ts")).cursorAgent,
  loadVisibility: async () => (await import("./cursor_visibility.ts")).cursorVisibility,
};
