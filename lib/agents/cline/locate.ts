/**
 * Locates Cline's sessions, which have two forms:
 * - `sessions/<id>/<id>.messages.json` of @cline/core, with `<id>.json` and `<id>.compaction.json`
 *   beside it. A subagent's `<agent>.messages.json` lies in the folder of its session.
 * - `tasks/<id>/api_conversation_history.json` of the extension, with `ui_messages.json` beside it.
 *   Cline lists its tasks in `state/taskHistory.json`, and Roo Code in a `history_item.json` each.
 */
import { basename, dirname, join } from "node:path";
import { isFileThere } from "../../core/file/presence.ts";
import { listFolder, readJson, readJsonObject } from "../engine/files/folder.ts";
import { asList, asName, asObject, type Json, present } from "../engine/json.ts";
import type { AgentSession, LocateOptions } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { type LocatedFacts, NO_FACTS } from "../contract/located_facts.ts";

export interface ClineSession extends AgentSession {
  task?: Json;
}

const MESSAGES = ".messages.json";
const ITEM = "history_item.json";
/** Files that may hold a task's messages, the preferred one first. The second is from 2024. */
export const HISTORIES = [
  "api_conversation_history.json",
  "claude_messages.json",
  "ui_messages.json",
];

export async function* locateCline(
  { folder }: AgentPlace,
  { subagents = false, facts = NO_FACTS }: LocateOptions = {},
): AsyncGenerator<ClineSession> {
  for (const { name: id, path } of listFolder(join(folder, "sessions"))) {
    const main = join(path, `${id}${MESSAGES}`);
    if (!isFileThere(main)) continue;
    const session: ClineSession = { agent: "cline", id, path: main };
    yield session;
    if (subagents) yield* await subagentsOf(session);
  }
  const tasks = await tasksIn(join(folder, "tasks"), facts);
  const ids = new Set(tasks.map(({ id }) => id));
  for (const session of tasks) {
    if (subagents || !ids.has(parentOf(session) ?? "")) yield session;
  }
}

async function tasksIn(folder: string, facts: LocatedFacts): Promise<ClineSession[]> {
  const list = listPath(folder);
  const listed = new Map(await facts.recall([list], () => listedTasks(list)));
  const tasks: ClineSession[] = [];
  for (const { name: id, path } of listFolder(folder)) {
    const main = historyIn(path);
    if (main === undefined) continue;
    const item = join(path, ITEM);
    const task = listed.get(id) ?? await facts.recall([item], () => readJsonObject(item));
    tasks.push(taskAt(id, main, task));
  }
  return tasks;
}

function taskAt(id: string, path: string, task: Json): ClineSession {
  const { cwdOnTaskInitialization, workspace, cwd } = task;
  const known = asName(cwdOnTaskInitialization) ?? asName(workspace) ?? asName(cwd);
  return present({ agent: "cline", id, path, cwd: known, task });
}

function historyIn(folder: string): string | undefined {
  return HISTORIES.map((name) => join(folder, name)).find(isFileThere);
}

export function listPath(tasks: string): string {
  return join(dirname(tasks), "state", "taskHistory.json");
}

/** Returns the listed tasks by id. Empty if the list is missing or damaged. */
export function listedTasks(path: string): [id: string, task: Json][] {
  return asList(readJson(path)).map(asObject).flatMap((item): [string, Json][] => {
    const id = asName(item.id);
    return id === undefined ? [] : [[id, item]];
  });
}

/** True for a session in the form of @cline/core. */
export function isCore({ path }: Pick<AgentSession, "path">): boolean {
  return path.endsWith(MESSAGES);
}

/** Returns the session that a file belongs to. A task has several such files. */
export function sessionAt(path: string): ClineSession {
  const folder = dirname(path);
  if (isCore({ path })) {
    const name = basename(path, MESSAGES);
    const around = basename(folder);
    const isChild = name !== around && isFileThere(join(folder, `${around}${MESSAGES}`));
    return { agent: "cline", id: isChild ? `${around}__${name}` : name, path };
  }
  const main = HISTORIES.includes(basename(path)) ? historyIn(folder) ?? path : path;
  const id = basename(folder);
  const listed = listedTasks(listPath(dirname(folder))).find(([one]) => one === id)?.[1];
  return taskAt(id, main, listed ?? readJsonObject(join(folder, ITEM)));
}

export function manifestOf({ path }: AgentSession): Json {
  return readJsonObject(path.replace(/\.messages\.json$/, ".json"));
}

function parentOf({ task }: ClineSession): string | undefined {
  return asName(task?.parentTaskId);
}

/** Returns the sessions that a session started, directly or through others. */
export async function subagentsOf(session: ClineSession): Promise<ClineSession[]> {
  const folder = dirname(session.path);
  if (isCore(session)) {
    return listFolder(folder).filter(({ name, path }) =>
      name.endsWith(MESSAGES) && path !== session.path
    ).map(({ path }) => ({ ...sessionAt(path), agent: session.agent }));
  }
  const tasks = await tasksIn(dirname(folder), NO_FACTS);
  const below = new Set([session.id]);
  for (let size = 0; size < below.size;) {
    size = below.size;
    for (const task of tasks) if (below.has(parentOf(task) ?? "")) below.add(task.id);
  }
  return tasks.filter(({ id }) => below.has(id) && id !== session.id)
    .map((task) => ({ ...task, agent: session.agent }));
}
