/**
 * Locates the chats of VS Code (chatSessionStore.ts of 2026) below a user folder:
 * `workspaceStorage/<hash>/chatSessions/<id>.jsonl`. Up to VS Code 1.108 the files end in `.json`.
 * Chats of windows without a folder are in `globalStorage/emptyWindowChatSessions`.
 */
import { basename, dirname, extname, join } from "node:path";
import { pathInUrl } from "../engine/files/file_url.ts";
import { listFolder, readJsonObject } from "../engine/files/folder.ts";
import { present } from "../engine/json.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";

const WORKSPACES = "workspaceStorage";
const CHATS = "chatSessions";
const EMPTY_WINDOWS = ["emptyWindowChatSessions", "transferredChatSessions"];

export async function* locateVsCode(
  { folder }: AgentPlace,
): AsyncGenerator<AgentSession> {
  for (const { path, isDirectory } of listFolder(join(folder, WORKSPACES))) {
    const paths = isDirectory ? chatsIn(join(path, CHATS)) : [];
    const directory = paths.length > 0 ? workspaceFolder(path) : undefined;
    yield* paths.map((chat) => session(chat, directory));
  }
  for (const name of EMPTY_WINDOWS) {
    yield* chatsIn(join(folder, "globalStorage", name)).map((chat) => session(chat, undefined));
  }
}

/** Returns the chat files in a folder. A log (`.jsonl`) replaces a `.json` of the same name. */
function chatsIn(folder: string): string[] {
  const chats = new Map<string, string>();
  for (const { name, path, isFile } of listFolder(folder)) {
    // In this order: `.json`, `.jsonl`.
    if (isFile && /\.jsonl?$/.test(name)) chats.set(basename(name, extname(name)), path);
  }
  return [...chats.values()];
}

function session(path: string, cwd: string | undefined): AgentSession {
  return present({ agent: "vscode", id: basename(path, extname(path)), path, cwd });
}

export function sessionAt(path: string): AgentSession {
  const folder = dirname(path);
  return session(path, basename(folder) === CHATS ? workspaceFolder(dirname(folder)) : undefined);
}

/** Returns a workspace's folder. For several folders, returns the workspace file's directory. */
function workspaceFolder(path: string): string | undefined {
  const { folder, workspace } = readJsonObject(join(path, "workspace.json"));
  const file = pathInUrl(workspace, path);
  return pathInUrl(folder, path) ?? file?.replace(/[\\/][^\\/]*$/, "");
}
