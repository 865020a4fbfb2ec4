/**
 * Locates Cursor's sessions in their three forms: the editor's conversations, the CLI's chats, and
 * transcripts. A session with several forms is listed once, in the first of them, which is the most
 * complete.
 */
import { basename, dirname, join } from "node:path";
import { fittingFolder } from "../engine/files/fitting_folder.ts";
import { folders, listFolder, readJsonObject } from "../engine/files/folder.ts";
import { asName, present } from "../engine/json.ts";
import { sqliteFiles } from "../engine/sqlite/sqlite_file.ts";
import { storedSessions } from "../engine/sqlite/stored_sessions.ts";
import type { AgentSession, LocateOptions } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { agentPlaces } from "../contract/agent_roots.ts";
import { CURSOR_ROOTS } from "./cursor_roots.ts";

export async function* locateSessions(
  place: AgentPlace,
  options: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const { subagents = false, facts } = options;
  yield* conversationsIn(place.folder, options);
  const files = [...chatFiles(place.folder), ...transcriptFiles(place.folder)];
  if (files.length === 0) return;
  const [conversations, chats] = [new Set<string>(), new Set<string>()];
  for (const { folder } of agentPlaces({ name: "cursor", roots: CURSOR_ROOTS }, place)) {
    const all = present({ subagents: true, facts });
    for await (const { id } of conversationsIn(folder, all)) conversations.add(id);
    for (const path of chatFiles(folder)) chats.add(basename(dirname(path)));
  }
  for (const path of files) {
    const session = sessionAt(path);
    const { id } = session;
    if (conversations.has(id) || (path.endsWith(".jsonl") && chats.has(id))) continue;
    yield session;
    if (subagents) yield* subagentsOf(session);
  }
}

async function* conversationsIn(
  folder: string,
  options: LocateOptions,
): AsyncGenerator<AgentSession> {
  for (const { name, path, isFile } of listFolder(join(folder, "globalStorage"))) {
    if (!isFile || name !== "state.vscdb") continue;
    const load = async () => (await import("./conversation_store.ts")).storedConversations;
    yield* storedSessions("cursor", path, options, load, workspaceFiles(folder));
  }
}

/** Lists the files from which older conversations get their directory. */
function workspaceFiles(folder: string): string[] {
  return folders(join(folder, "workspaceStorage")).flatMap((path) => [
    join(path, "workspace.json"),
    ...sqliteFiles(join(path, "state.vscdb")),
  ]);
}

/** Lists the files of chats: `chats/<hash of the directory>/<id>/store.db`. */
function chatFiles(folder: string): string[] {
  return folders(join(folder, "chats")).flatMap(folders).flatMap(listFolder)
    .filter(({ name, isFile }) => isFile && name === "store.db").map(({ path }) => path);
}

/** Lists transcript files: `<id>/<id>.jsonl`, or `<id>.jsonl` in older versions. */
function transcriptFiles(folder: string): string[] {
  return folders(join(folder, "projects")).map((path) => join(path, "agent-transcripts"))
    .flatMap((path) => [path, ...folders(path)]).flatMap(linesIn);
}

function linesIn(folder: string): string[] {
  return listFolder(folder).filter(({ name, isFile }) => isFile && name.endsWith(".jsonl"))
    .map(({ path }) => path);
}

export function sessionAt(path: string): AgentSession {
  if (path.endsWith("store.db")) {
    // Beside newer chats (2026) a file tells the directory.
    const cwd = asName(readJsonObject(join(dirname(path), "meta.json")).cwd);
    return present({ agent: "cursor", id: basename(dirname(path)), path, cwd });
  }
  const [project] = path.split(/[\\/]agent-transcripts[\\/]/, 1);
  const cwd = project === path || project === undefined ? undefined : directoryOf(project);
  return present({ agent: "cursor", id: basename(path, ".jsonl"), path, cwd });
}

/** Returns the sessions of subagents with transcripts, which are at `<id>/subagents/<id>.jsonl`. */
export function subagentsOf({ id, path }: AgentSession): AgentSession[] {
  const beside = path.endsWith(".jsonl") && basename(dirname(path)) === id
    ? [dirname(path)]
    : folders(join(dirname(path), "../../../projects")).map((project) =>
      join(project, "agent-transcripts", id)
    );
  return beside.flatMap((folder) => linesIn(join(folder, "subagents"))).map(sessionAt);
}

function directoryOf(project: string): string | undefined {
  const told = asName(readJsonObject(join(project, ".workspace-trusted")).workspacePath);
  const name = basename(project);
  const [drive] = /^[a-z](?=-)/i.exec(name) ?? [];
  return told ?? fittingFolder(name, "/") ??
    (drive && fittingFolder(name.slice(2), `${drive}:/`));
}
