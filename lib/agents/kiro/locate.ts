/**
 * Locates Kiro CLI's sessions: `sessions/cli/<id>.jsonl` with `<id>.json` beside it (2.24). The
 * first engine has a database. A conversation that also has a log is listed only as a log.
 */
import { basename, join } from "node:path";
import { isThere } from "../../core/file/presence.ts";
import { listFolder, readJsonObject } from "../engine/files/folder.ts";
import { asName, present } from "../engine/json.ts";
import { storedSessions } from "../engine/sqlite/stored_sessions.ts";
import type { AgentSession, LocateOptions } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { NO_FACTS } from "../contract/located_facts.ts";
import { DATABASE, metadataBeside } from "./kiro_files.ts";

const LOGS = ["sessions", "cli"] as const;

export async function* locateKiro(
  { folder, home }: AgentPlace,
  options: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const { facts = NO_FACTS } = options;
  for (const { name, path, isFile } of listFolder(join(folder, ...LOGS))) {
    if (!isFile || !name.endsWith(".jsonl")) continue;
    const directory = await facts.recall([metadataBeside(path)], () => logAt(path).cwd ?? null);
    yield present({ ...bareLog(path), cwd: directory ?? undefined });
  }
  const database = join(folder, DATABASE);
  if (!isThere(database)) return;
  const load = async () => (await import("./conversation_rows.ts")).conversationsIn;
  for await (const session of storedSessions("kiro", database, options, load)) {
    if (!isThere(join(home, ".kiro", ...LOGS, `${session.id}.jsonl`))) yield session;
  }
}

function bareLog(path: string): AgentSession {
  return { agent: "kiro", id: basename(path, ".jsonl"), path };
}

export function logAt(path: string): AgentSession {
  const cwd = asName(readJsonObject(metadataBeside(path)).cwd);
  return present({ ...bareLog(path), cwd });
}
