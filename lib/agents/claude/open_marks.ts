/**
 * Finds the sessions that running clients have open. Claude Code says it in `sessions/<pid>.json`
 * and removes the file when it ends; killed, it leaves the file. A version that keeps the first id
 * in it after `/clear` (2.1.119) names the session before.
 */
import { basename, join } from "node:path";
import { isRunning, type NotedProcess } from "../../platform/process_state.ts";
import { listFolder, readJsonObject } from "../../reading/files/folder.ts";
import { asName, asNumber } from "../../reading/json_value.ts";
import type { AgentPlace } from "../../source/agent_environment.ts";
import type { OpenMarks } from "../../source/agent_descriptor.ts";

/** Reads which sessions clients have open. */
export async function openMarks({ folder }: AgentPlace): Promise<OpenMarks> {
  const open = new Map<string, boolean>();
  for (const { id, noted } of pidFiles(folder)) {
    open.set(id, open.get(id) === true || await isRunning(noted));
  }
  return { named: new Set(open.keys()), isOpen: ({ id }) => open.get(id) };
}

/** Yields the sessions that pid files name, each with the process that wrote the file. */
export function* pidFiles(folder: string): Generator<{ id: string; noted: NotedProcess }> {
  for (const { path, name } of listFolder(join(folder, "sessions"))) {
    if (!name.endsWith(".json")) continue;
    const { sessionId, pid: written, procStart, startedAt } = readJsonObject(path);
    const id = asName(sessionId);
    const pid = asNumber(written) ?? Number(basename(name, ".json"));
    if (id === undefined || !Number.isSafeInteger(pid) || pid <= 0) continue;
    const start = String(procStart);
    const seen = asNumber(startedAt);
    // On other systems it is a date, as `ps` prints it.
    const told = /^\d+$/.test(start) ? { start } : seen === undefined ? {} : { seen };
    yield { id, noted: { pid, ...told } };
  }
}
