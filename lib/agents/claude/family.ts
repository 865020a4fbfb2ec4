/** Describes agents that store sessions in the format of Claude Code. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentName } from "../../core/event/agent_name.ts";
import { listFolder } from "../engine/files/folder.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { ReadExpiry, RootCandidates } from "../contract/agent_descriptor.ts";
import type { AgentEnvironment } from "../contract/agent_environment.ts";
import { familyMember } from "../contract/agent_family.ts";
import { agentPlaces } from "../contract/agent_roots.ts";
import { PLAIN_ID, resumedBy } from "../contract/resume_command.ts";
import { claude } from "./descriptor.ts";
import { filesBeside } from "./title_file.ts";

/**
 * OpenClaude (Gitlawb/openclaude, src/utils/envUtils.ts). It deletes old sessions as Claude Code
 * does (cleanup.ts).
 */
export const openclaude = familyMember(claude, {
  name: "openclaude",
  title: "OpenClaude",
  roots: [["$OPENCLAUDE_CONFIG_DIR", "~/.openclaude"]],
  resumeCommand: resumedBy(PLAIN_ID, "openclaude", "--resume"),
  async loadExpiry(): Promise<ReadExpiry> {
    const { claudeExpiry } = await import("./claude_expiry.ts");
    return (place, cwd) => claudeExpiry(place, cwd, ".openclaude");
  },
});

/** iFlow CLI. Its folder is known from the viewer agentsview. Session ids are `session-<uuid>`. */
export const iflow = familyMember(claude, {
  name: "iflow",
  title: "iFlow CLI",
  roots: [["~/.iflow"]],
  resumeCommand: resumedBy(PLAIN_ID, "iflow", "--resume"),
});

/** Qoder CLI and QoderWork. Source for their folders: docs.qoder.com/cli/sessions. */
export const qoder = familyMember(claude, {
  name: "qoder",
  title: "Qoder CLI",
  aliases: ["qodercli"],
  roots: [["$QODER_CONFIG_DIR", "~/.qoder"], ["~/.qoderwork"]],
  files: filesWithTitle,
  resumeCommand: resumedBy(PLAIN_ID, "qodercli", "--resume"),
});

/** Data folder of Claude Desktop from the Microsoft Store (anthropics/claude-code#57998). */
const OF_STORE = "$LOCALAPPDATA/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude";

const DESKTOP: readonly RootCandidates[] = [[{ path: OF_STORE, os: "windows" }], [
  { path: "$APPDATA/Claude", os: "windows" },
  { path: "~/Library/Application Support/Claude", os: "darwin" },
  "$XDG_CONFIG_HOME/Claude",
  "~/.config/Claude",
]];

/**
 * Claude Desktop's own sessions. Each session has its own `.claude` folder in
 * `local-agent-mode-sessions/<account>/<workspace>/local_<id>`. No command resumes them.
 */
export const claudeDesktop = familyMember(claude, {
  name: "claude-desktop",
  title: "Claude Desktop",
  aliases: ["cowork"],
  roots: (environment) => desktopHomes("claude-desktop", environment),
  files: filesWithTitle,
  resumeCommand: () => undefined,
  loadVisibility: async () => (await import("./desktop_visibility.ts")).desktopVisibility,
});

function desktopHomes(name: AgentName, environment: AgentEnvironment): string[] {
  const apps = agentPlaces({ name, roots: DESKTOP }, environment).map(({ folder }) => folder);
  let folders = apps.map((app) => join(app, "local-agent-mode-sessions"));
  for (let depth = 0; depth < 3; depth++) {
    folders = folders.flatMap((folder) =>
      listFolder(folder).filter(({ name, isDirectory }) =>
        isDirectory && (depth < 2 || name.startsWith("local_"))
      ).map(({ path }) => path)
    );
  }
  return folders.map((folder) => join(folder, ".claude")).filter((home) => existsSync(home));
}

function filesWithTitle(session: AgentSession): string[] {
  return [session.path, ...filesBeside(session)];
}
