import { basename, dirname, join } from "node:path";
import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { inEditorFolders } from "../contract/editor_folders.ts";
import { PLAIN_ID } from "../contract/resume_command.ts";

export const cline: AgentDescriptor = {
  name: "cline",
  title: "Cline",
  // `resolveClineDataDir` of @cline/shared 0.0.86. The extension before 4 kept tasks in the editor's
  // folder.
  roots: [
    ["$CLINE_DATA_DIR", "$CLINE_DIR/data", "~/.cline/data"],
    ...inEditorFolders("globalStorage/saoudrizwan.claude-dev"),
  ],
  watched: ["sessions", "tasks"],
  files: ({ path }) => {
    const beside = (name: string): string => join(dirname(path), name);
    const name = basename(path, ".messages.json");
    return name === basename(path)
      ? [path, beside("ui_messages.json")]
      : [path, beside(`${name}.json`), beside(`${name}.compaction.json`)];
  },
  // `cline --help` of 3.0.65. Tasks of the extension are continued in the editor.
  resumeCommand: ({ id, path }) =>
    path.endsWith(".messages.json")
      ? { argv: ["cline", "--id", id], id_form: PLAIN_ID, in_directory: true }
      : undefined,
  asks: {
    ask_followup_question: "question",
    ask_question: "question",
    plan_mode_respond: "plan",
  },
  loadLocate: async () => (await import("./locate.ts")).locateCline,
  loadReader: async () => (await import("./cline_agent.ts")).clineAgent,
  loadVisibility: async () => (await import("./cline_visibility.ts")).clineVisibility,
  loadWriter: async () => (await import("./write/cline_writer.ts")).clineWriter,
};
