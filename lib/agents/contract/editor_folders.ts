/** Names the user folders of VS Code and of the editors derived from it. */
import type { RootCandidates, RootPath } from "./agent_descriptor.ts";

/**
 * Editors, by the name of their user folder. Source: `nameShort` in the editor's `product.json`.
 */
const EDITORS = [
  "Code",
  "Code - Insiders",
  "Code - OSS",
  "VSCodium",
  "Cursor",
  "Windsurf",
  "Trae",
  "Kiro",
  "Antigravity",
] as const;

/** Data folders of editor servers on remote machines (`dataFolderName` in `product.json`). */
const SERVERS = [
  "~/.vscode-server/data",
  "~/.vscode-server-insiders/data",
  "~/.vscodium-server/data",
  "~/.cursor-server/data",
  "~/.windsurf-server/data",
  "~/.openvscode-server/data",
  "~/.local/share/code-server",
] as const;

/**
 * Returns the candidates for a path below an editor's user folder. A portable editor's folder must
 * be added by a setting. Source: VS Code 1.10x, src/vs/platform/environment/node/userDataPath.ts.
 */
function editorRoot(editor: string, below: string): RootCandidates {
  const path = `${editor}/User${below}`;
  const at = (listed_in: string, os: string): RootPath => ({
    path: `${listed_in}/${path}`,
    os,
    listed_in,
  });
  return [
    at("~/Library/Application Support", "darwin"),
    at("$APPDATA", "windows"),
    at("~/AppData/Roaming", "windows"),
    at("$XDG_CONFIG_HOME", "linux"),
    at("~/.config", "linux"),
  ];
}

/**
 * Returns, for each editor, the candidates for a path in its user folder, such as
 * `globalStorage/<extension>`.
 */
export function inEditorFolders(path: string): readonly RootCandidates[] {
  const below = path === "" ? "" : `/${path}`;
  return [
    ...EDITORS.map((editor) => editorRoot(editor, below)),
    ...SERVERS.map((folder) => [{ path: `${folder}/User${below}`, listed_in: "~" }]),
  ];
}

/** The user folder of each editor, which has `globalStorage` and `workspaceStorage`. */
export const EDITOR_USER_ROOTS: readonly RootCandidates[] = inEditorFolders("");
