/**
 * Locates Antigravity's sessions: `brain/<id>/.system_generated/logs/transcript_full.jsonl`.
 * Without that file, `transcript.jsonl` has the same steps, with cut texts and arguments encoded
 * twice.
 *
 * A subagent's session has a folder of its own. Only the transcript of its parent session names it:
 * a result says `Created the following subagents:`, and then `conversationId`.
 */
import { basename, dirname, join } from "node:path";
import { RECORDS_BYTES, shortTextIn } from "../../core/file/short_file.ts";
import { folders, listFolder } from "../engine/files/folder.ts";
import { asName, parsedObject, present } from "../engine/json.ts";
import { HISTORY_FILE } from "../contract/history_file.ts";
import type { AgentSession, LocateOptions } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { NO_FACTS } from "../contract/located_facts.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";

const LOGS = join(".system_generated", "logs");
const NAMES = ["transcript_full.jsonl", "transcript.jsonl"];

export async function* locateAntigravity(
  { folder }: AgentPlace,
  { subagents = false, facts = NO_FACTS }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const history = join(folder, HISTORY_FILE);
  const workspaces = new Map(await facts.recall([history], () => workspacesIn(history)));
  const sessions = folders(join(folder, "brain"))
    .flatMap((path) => transcriptIn(basename(path), path) ?? []);
  const started = new Set<string>();
  if (!subagents) {
    for (const { id, path } of sessions) {
      const ids = await facts.recall([path], () => startedIn(path));
      for (const child of ids) if (child !== id) started.add(child);
    }
  }
  for (const session of sessions) {
    if (started.has(session.id)) continue;
    yield present({ ...session, cwd: workspaces.get(session.id) });
  }
}

function transcriptIn(id: string, folder: string): AgentSession | undefined {
  const files = listFolder(join(folder, LOGS)).filter(({ isFile }) => isFile);
  const found = NAMES.flatMap((name) => files.filter((file) => file.name === name))[0];
  return found && { agent: "antigravity", id, path: found.path };
}

export function sessionAt(path: string): AgentSession {
  const folder = conversationFolder(path);
  if (folder === undefined) {
    const name = NAMES.includes(basename(path)) ? basename(dirname(path)) : basename(path);
    return { agent: "antigravity", id: name.replace(/\.jsonl$/, ""), path };
  }
  const id = basename(folder);
  const workspaces = workspacesIn(join(dirname(dirname(folder)), HISTORY_FILE));
  const cwd = workspaces.findLast(([one]) => one === id)?.[1];
  return present({ agent: "antigravity", id, path, cwd });
}

/** Returns a transcript's conversation folder. Undefined for a transcript copied elsewhere. */
function conversationFolder(path: string): string | undefined {
  return dirname(path).endsWith(LOGS) ? dirname(dirname(dirname(path))) : undefined;
}

/**
 * Returns the directory of each session in the list of prompts. The list has only prompts typed in
 * a terminal. A session's first prompt there lacks the session's id.
 */
function workspacesIn(path: string): [id: string, workspace: string][] {
  return linesOf(path).flatMap((line): [string, string][] => {
    const { conversationId, workspace } = parsedObject(line) ?? {};
    const [id, cwd] = [asName(conversationId), asName(workspace)];
    return id === undefined || cwd === undefined ? [] : [[id, cwd]];
  });
}

/** Matches a result that begins with its started subagents. Quoted transcripts do not match. */
const STARTED =
  /"content":\s*"(?:Created At: [^"\\]*\\n)?(?:Completed At: [^"\\]*\\n)?Created the following subagents:/;
const CHILD = /\\"conversationId\\":\s*\\"([^"\\]+)\\"/g;

function startedIn(path: string): string[] {
  const lines = linesOf(path, "subagents").filter((line) => STARTED.test(line));
  return lines.flatMap((line) => [...line.matchAll(CHILD)].map(([, id = ""]) => id));
}

function linesOf(path: string, word = ""): string[] {
  const text = shortTextIn(path, RECORDS_BYTES);
  return text?.includes(word) ? text.split("\n") : [];
}

/** Returns subagents by id, also those that subagents started. `parent` is a thread's id. */
export function subagentsOf(
  session: AgentSession,
): Map<string, { session: AgentSession; parent: string }> {
  const found = new Map<string, { session: AgentSession; parent: string }>();
  const folder = conversationFolder(session.path);
  // Those that subagents started join the list.
  const open = folder === undefined ? [] : [session];
  for (const { id: parent_id, path } of open) {
    const parent = parent_id === session.id ? MAIN_THREAD : parent_id;
    for (const id of startedIn(path)) {
      const child = basename(id) === id
        ? transcriptIn(id, join(folder ?? "", "..", id))
        : undefined;
      if (child === undefined || id === session.id || found.has(id)) continue;
      found.set(id, { session: child, parent });
      open.push(child);
    }
  }
  return found;
}

/** Returns the files of a session and its subagents: both transcripts, messages and outputs. */
export function filesOf(session: AgentSession): string[] {
  const sessions = [session, ...[...subagentsOf(session).values()].map((one) => one.session)];
  const paths = sessions.map(({ path }) => path);
  const around = paths.filter((path) => conversationFolder(path) !== undefined)
    .flatMap((path) => folders(dirname(dirname(path)))).flatMap(listFolder);
  return [...new Set([...paths, ...around.filter(({ isFile }) => isFile).map(({ path }) => path)])];
}
