/**
 * Names the folders in which agents keep their sessions, to be watched. Each is the one that the
 * agent's own locator lists; a test holds the two together.
 */
import { isAbsolute, join } from "node:path";
import { type AgentName, REPRISE } from "../event/agent_name.ts";
import type { AgentEnvironment } from "../source/agent_environment.ts";
import { expandHome } from "../reading/files/folder.ts";

type Roots = (environment: AgentEnvironment) => string[];

const ROOTS: Readonly<Record<AgentName, Roots>> = {
  [REPRISE]: () => [],
  // Its histories lie in projects: looked at now and then.
  aider: () => [],
  autohand: ({ home, variable }) => [
    join(expandHome(variable("AUTOHAND_HOME") || "~/.autohand", home), "sessions"),
    join(home, ".autohand-cli", "sessions"),
  ],
  claude: ({ home, variable }) => [
    join(expandHome(variable("CLAUDE_CONFIG_DIR") || "~/.claude", home), "projects"),
  ],
  codex: ({ home, variable }) => {
    const root = variable("CODEX_HOME") || join(home, ".codex");
    return [join(root, "sessions"), join(root, "archived_sessions")];
  },
  copilot: ({ home, variable }) => {
    const own = variable("COPILOT_HOME");
    const state = variable("XDG_STATE_HOME");
    const roots = own
      ? [expandHome(own, home)]
      : [...(state ? [join(expandHome(state, home), ".copilot")] : []), join(home, ".copilot")];
    return roots.flatMap((root) => [
      join(root, "session-state"),
      join(root, "history-session-state"),
    ]);
  },
  fen: ({ home, variable }) => [
    join(variable("XDG_STATE_HOME") || join(home, ".local", "state"), "fen", "sessions"),
  ],
  gemini: ({ home, variable }) => [
    join(variable("GEMINI_CLI_HOME") || home, ".gemini", "tmp"),
  ],
  goose: ({ home, variable, os }) => {
    const root = variable("GOOSE_PATH_ROOT");
    if (root !== undefined && isAbsolute(root)) return [join(root, "data", "sessions")];
    if (os === "windows") {
      const roaming = variable("APPDATA") ?? join(home, "AppData", "Roaming");
      return [join(roaming, "Block", "goose", "data", "sessions")];
    }
    const data = variable("XDG_DATA_HOME");
    const share = data !== undefined && isAbsolute(data) ? data : join(home, ".local", "share");
    return [join(share, "goose", "sessions")];
  },
  keen: ({ home }) => [join(home, ".keen", "sessions")],
  opencode: ({ home, variable }) => {
    const root = join(variable("XDG_DATA_HOME") || join(home, ".local", "share"), "opencode");
    return [join(root, "storage"), join(root, "project")];
  },
  pi: ({ home, variable }) => {
    const folder = expandHome(variable("PI_CODING_AGENT_DIR") || "~/.pi/agent", home);
    const named = variable("PI_CODING_AGENT_SESSION_DIR");
    return [...(named ? [expandHome(named, home)] : []), join(folder, "sessions")];
  },
  qwen: ({ home, variable }) => {
    const base = variable("QWEN_RUNTIME_DIR") || variable("QWEN_HOME") || "~/.qwen";
    const root = expandHome(base, home);
    return [join(root, "projects"), join(root, "tmp")];
  },
};

/** The folders below which an agent's sessions lie as files; some may not be there. */
export function sessionRoots(name: AgentName, environment: AgentEnvironment): string[] {
  return [...new Set(ROOTS[name](environment))];
}
