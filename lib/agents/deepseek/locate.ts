/** Locates the sessions of DeepSeek Harness: `sessions/<project>/<id>/session.jsonl*`. */
import { basename, dirname, join } from "node:path";
import { SessionError } from "../../core/event/session_error.ts";
import { folders, listFolder } from "../engine/files/folder.ts";
import { asName, asNumber, asObject, type Json, present } from "../engine/json.ts";
import { headRecords } from "../engine/records/head_records.ts";
import type { AgentSession, LocateOptions } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { type LocatedFacts, NO_FACTS } from "../contract/located_facts.ts";
import { formatOf, headBytes } from "./log_file.ts";

/** A session's log. `parent_id` names the session that started this one as a subagent. */
export interface LocatedLog {
  session: AgentSession;
  parent_id?: string;
}

/** Finds the sessions. Includes a subagent's only on request, or if its parent is missing. */
export async function* locateDeepSeek(
  { folder }: AgentPlace,
  { subagents = false, facts = NO_FACTS }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  for (const project of folders(join(folder, "sessions"))) {
    const found = await logsIn(project, facts);
    const ids = new Set(found.map(({ session }) => session.id));
    for (const { session, parent_id } of found) {
      if (subagents || parent_id === undefined || !ids.has(parent_id)) yield session;
    }
  }
}

export async function logsIn(
  project: string,
  facts = NO_FACTS as LocatedFacts,
): Promise<LocatedLog[]> {
  const found: LocatedLog[] = [];
  for (const path of folders(project).flatMap(logOf)) {
    found.push(await facts.recall([path], () => locatedLog(path)));
  }
  return found;
}

/**
 * Returns the path of a session's log, or an empty list. The newest format comes first, then an
 * uncompressed file. A later version of DeepSeek Harness writes the whole session anew, and keeps
 * the older file.
 */
function logOf(folder: string): string[] {
  const logs = listFolder(folder).flatMap(({ name, path, isFile }) => {
    const format = isFile ? formatOf(name) : undefined;
    return format === undefined ? [] : [{ path, format }];
  });
  return logs.sort((one, other) => other.format - one.format).map(({ path }) => path).slice(0, 1);
}

export function locatedLog(path: string): LocatedLog {
  const { cwd, parentSession, origin, delegationDepth } = readHeader(path);
  const session = present({ agent: "deepseek" as const, id: idOf(path), path, cwd: asName(cwd) });
  const is_subagent = origin === "subagent" || (asNumber(delegationDepth) ?? 0) > 0;
  return present({ session, parent_id: is_subagent ? asName(parentSession) : undefined });
}

/** Decodes a session's id from its folder's name: `~XXXX` is a UTF-16 unit in hexadecimal. */
function idOf(path: string): string {
  return basename(dirname(path)).replace(
    /~([0-9A-F]{4})/g,
    (_, code: string) => String.fromCharCode(parseInt(code, 16)),
  );
}

export function readHeader(path: string): Json {
  try {
    return asObject(headRecords(headBytes(path))[0]?.value);
  } catch (error) {
    if (error instanceof SessionError) return {};
    throw error;
  }
}
