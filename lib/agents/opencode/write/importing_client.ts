/** Names what differs between OpenCode and its forks where they import a session. */

/** A program that imports OpenCode's documents. */
export interface ImportingClient {
  /** The program; also the name of its folders of settings and of state. */
  program: string;
  /** The version that was seen to import and resume the documents. */
  version: string;
  /** The agent that answers unless the user chooses another one. */
  agent: string;
  /** The names of its settings, the strongest first. */
  settings: readonly string[];
  /** Folders that hold settings beside a project. */
  beside_project: readonly string[];
  /** The variable that names a file of settings. */
  settings_variable: string;
}

/** OpenCode (1.18, src/config/config.ts). */
export const OPENCODE: ImportingClient = {
  program: "opencode",
  version: "1.18.33",
  agent: "build",
  settings: ["opencode.jsonc", "opencode.json"],
  beside_project: [".opencode"],
  settings_variable: "OPENCODE_CONFIG",
};

/** Kilo CLI (7.7.9, `KilocodeConfig`). */
export const KILO: ImportingClient = {
  program: "kilo",
  version: "7.7.9",
  agent: "code",
  settings: ["kilo.jsonc", "kilo.json", ...OPENCODE.settings],
  beside_project: [".kilo", ".kilocode", ".opencode"],
  settings_variable: "KILO_CONFIG",
};
