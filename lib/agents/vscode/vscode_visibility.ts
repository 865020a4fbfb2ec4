/**
 * Tells which chats VS Code's own list leaves out. VS Code lists the chats of its index that are
 * not marked empty. The index is `chat.ChatSessionStore.index` in a `state.vscdb`
 * (chatSessionStore.ts of 2026). Each workspace has an index. Windows without a folder share one.
 */
import { basename, dirname, join } from "node:path";
import { asObject, type Json } from "../engine/json.ts";
import { editorState } from "../engine/sqlite/editor_state.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import type { ReadHiddenReason } from "../contract/visibility.ts";

export function vscodeVisibility({ folder }: AgentPlace): ReadHiddenReason {
  const indexes = new Map<string, Json | undefined>();
  return ({ id, path }, { first_user_message }) => {
    const chats = dirname(path);
    const store = basename(chats) === "chatSessions"
      ? dirname(chats)
      : join(folder, "globalStorage");
    if (!indexes.has(store)) indexes.set(store, entriesIn(join(store, "state.vscdb")));
    const index = indexes.get(store);
    if (index === undefined) return undefined;
    const entry = index[id];
    if (entry === undefined) return { reason: "the session is missing from VS Code's index" };
    const wrong = asObject(entry).isEmpty === true && first_user_message !== undefined;
    return wrong ? { reason: "VS Code's index says that the session is empty" } : undefined;
  };
}

function entriesIn(path: string): Json | undefined {
  const index = editorState(path, "chat.ChatSessionStore.index");
  return index && asObject(index.entries);
}
