/**
 * Finds the conversations that the editor's own list leaves out. Before 3.12, each workspace's
 * `state.vscdb` lists its conversations under `composer.composerData`. Since 3.12, one list is in
 * the global `state.vscdb`. Cursor's source is not public, and the editor was not run. So only
 * conversations that no list contains are reported.
 */
import { basename, join } from "node:path";
import { pathInUrl } from "../engine/files/file_url.ts";
import { folders, readJsonObject } from "../engine/files/folder.ts";
import { asList, asName, asObject } from "../engine/json.ts";
import { editorState } from "../engine/sqlite/editor_state.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import type { ReadHiddenReason } from "../contract/visibility.ts";

export function cursorVisibility({ folder }: AgentPlace): ReadHiddenReason {
  const listed = new Set<string>();
  const directories = new Set<string>();
  const addList = (path: string, key: string): boolean => {
    const all = editorState(path, key)?.allComposers;
    for (const one of asList(all)) listed.add(asName(asObject(one).composerId) ?? "");
    return asList(all).length > 0;
  };
  const of_all = addList(join(folder, "globalStorage", "state.vscdb"), "composer.composerHeaders");
  for (const workspace of folders(join(folder, "workspaceStorage"))) {
    if (!addList(join(workspace, "state.vscdb"), "composer.composerData")) continue;
    const path = pathInUrl(readJsonObject(join(workspace, "workspace.json")).folder, workspace);
    if (path !== undefined) directories.add(path);
  }
  return ({ id, path, cwd }, { first_user_message }) => {
    if (basename(path) !== "state.vscdb" || listed.has(id)) return undefined;
    if (first_user_message === undefined) return undefined;
    const is_known = of_all || (cwd !== undefined && directories.has(cwd));
    return is_known
      ? { reason: "the lists of Cursor's editor do not show this conversation" }
      : undefined;
  };
}
