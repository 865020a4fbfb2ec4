/**
 * Locates Gemini CLI's chats (packages/core/src/config/storage.ts). A chat is in
 * `tmp/<project>/chats/session-<time>-<start of the id>.jsonl`, up to 0.3x in `.json`. Sub-agents'
 * chats are in `chats/<id of the parent>/`. The project's folder is named by a slug, before 2026 by
 * the SHA-256 of its directory.
 */
import { basename, dirname, join } from "node:path";
import { openToRead } from "../../core/log/byte_source.ts";
import { readWhole } from "../../core/log/read_whole.ts";
import { SeekMode } from "../../core/platform/file_system.ts";
import { statSync } from "../../core/platform/files.ts";
import { type FolderEntry, listFolder } from "../engine/files/folder.ts";
import type { AgentSession, LocateOptions, Subagent } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { markedRoot, readProjects } from "./project_root.ts";

const CHAT = /\.jsonl?$/;
/** Bytes to search for a chat's id: at a file's start or, as key order varies, at its end. */
const EDGE_BYTES = 4096;
const ID = /"sessionId"\s*:\s*("(?:[^"\\]|\\.)+")/;

/** Finds the chats. If several chats in a project have the same id, finds one of them. */
export async function* locateGemini(
  { folder: home }: AgentPlace,
  { subagents = false }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const projects = readProjects(home);
  for (const { path, name, isDirectory } of listFolder(join(home, "tmp"))) {
    if (!isDirectory) continue;
    const root = markedRoot(path) ?? projects.get(name);
    for (const session of chatsIn(join(path, "chats"), subagents)) {
      yield root === undefined ? session : { ...session, cwd: root };
    }
  }
}

/**
 * Returns the chats in a folder, one for each id. A sub-agent's chat is a thread of its parent, and
 * is listed only if the parent's chat is missing.
 */
function chatsIn(folder: string, subagents: boolean): AgentSession[] {
  const found = new Map<string, AgentSession>();
  for (const file of chatFiles(folder)) {
    const session = geminiSession(file.path);
    const known = found.get(session.id);
    if (known === undefined || comesFirst(session.path, known.path)) found.set(session.id, session);
  }
  return [...found.values()].filter(({ id, path }) => {
    const parent = basename(dirname(path));
    return subagents || dirname(path) === folder || parent === id || !found.has(parent);
  });
}

function chatFiles(folder: string): FolderEntry[] {
  return listFolder(folder).flatMap((entry) => {
    if (entry.isFile) return CHAT.test(entry.name) ? [entry] : [];
    return entry.isDirectory ? chatsBeside(entry.path) : [];
  });
}

function chatsBeside(folder: string): FolderEntry[] {
  return listFolder(folder).filter(({ isFile, name }) => isFile && CHAT.test(name));
}

const STARTED = /^session-(\d{4}-\d\d-\d\dT\d\d-\d\d)-/;

/**
 * True if `one`, and not `other`, is the user's chat. Both files have the same id. The user's chat
 * begins before sub-agents' chats of old versions. It also begins before the short files that a
 * resume in 0.61 leaves. A log comes before the JSON document from which Gemini CLI made it.
 */
function comesFirst(one: string, other: string): boolean {
  if (isTwin(one, other)) return one.endsWith(".jsonl");
  const [began, known] = [one, other].map((path) => STARTED.exec(basename(path))?.[1]);
  if (began !== undefined && known !== undefined && began !== known) return began < known;
  return statSync(one).size > statSync(other).size;
}

/** True if two files are the same chat: a document, and the log that Gemini CLI made from it. */
function isTwin(one: string, other: string): boolean {
  return one.replace(CHAT, "") === other.replace(CHAT, "");
}

function chatsOfSameId({ id, path }: AgentSession): string[] {
  const start = id.slice(0, 8);
  return chatsBeside(dirname(path)).map((entry) => entry.path).filter((other) =>
    basename(other).includes(start) && !isTwin(other, path) && geminiSession(other).id === id
  );
}

/** Returns the chat in a file. Reads the id in the file: the name has only the id's start. */
export function geminiSession(path: string): AgentSession {
  const id = idIn(path, "head") ?? (path.endsWith(".json") ? idIn(path, "tail") : undefined);
  return { agent: "gemini", id: id ?? basename(path).replace(CHAT, ""), path };
}

function idIn(path: string, edge: "head" | "tail"): string | undefined {
  try {
    using file = openToRead(path);
    const from = edge === "head" ? 0 : Math.max(0, file.statSync().size - EDGE_BYTES);
    file.seekSync(from, SeekMode.Start);
    const bytes = readWhole(file, new Uint8Array(EDGE_BYTES));
    const [, id] = ID.exec(new TextDecoder().decode(bytes)) ?? [];
    return id === undefined ? undefined : JSON.parse(id);
  } catch {
    // The file or the id cannot be read. A reader of the chat reports why.
    return undefined;
  }
}

// The chats of sub-agents. They are beside the chat that started them, in a folder named by its id
// (0.61, chatRecordingService.ts). Sub-agents of a sub-agent are in a folder named by the
// sub-agent's id. Earlier versions kept all of them in the same folder and under the same id as the
// chat.

/** Returns the sub-agents of a chat, each after the agent that started it. */
export function subagentsOf(session: AgentSession): Subagent[] {
  const folder = dirname(session.path);
  const chats = basename(dirname(folder)) === "chats" ? dirname(folder) : folder;
  const found = new Map<string, Subagent>();
  for (const path of chatsOfSameId(session)) {
    const id = basename(path).replace(/\.jsonl?$/, "");
    found.set(id, { ...session, id, path, parent: MAIN_THREAD });
  }
  const open = [{ id: session.id, thread: MAIN_THREAD }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { id: owner, thread: parent } = next;
    for (const { path } of chatsBeside(join(chats, owner))) {
      const { id } = geminiSession(path);
      if (found.has(id) || id === session.id) continue;
      found.set(id, { ...session, id, path, parent });
      open.push({ id, thread: id });
    }
  }
  return [...found.values()];
}
