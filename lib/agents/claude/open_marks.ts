/**
 * Finds the sessions that running clients have open. Claude Code names its session in
 * `sessions/<pid>.json`, and removes the file when it ends. A killed process leaves the file. After
 * `/clear`, version 2.1.119 keeps the id of the earlier session in the file. `status` and
 * `waitingFor` say what the process does (2.1.330).
 */
import { basename, join } from "node:path";
import { present } from "../../core/event/present.ts";
import { isRunning, type NotedProcess } from "../../core/platform/process_state.ts";
import { listFolder, readJsonObject } from "../engine/files/folder.ts";
import { asName, asNumber, asText, type Json } from "../engine/json.ts";
import type { ToldState } from "../../core/projection/attention.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import type { OpenMarks } from "../contract/agent_descriptor.ts";

export async function openMarks({ folder }: AgentPlace): Promise<OpenMarks> {
  const open = new Map<string, boolean>();
  const told = new Map<string, ToldState | undefined>();
  const pids = new Map<string, number>();
  for (const { id, noted, says } of pidFiles(folder)) {
    const runs = await isRunning(noted);
    if (runs) {
      told.set(id, says);
      pids.set(id, noted.pid);
    }
    open.set(id, open.get(id) === true || runs);
  }
  return {
    named: new Set(open.keys()),
    isOpen: ({ id }) => open.get(id),
    processOf: ({ id }) => pids.get(id),
    tells: ({ id }) => told.get(id),
  };
}

/**
 * States by the value of `status`. The value `shell` means that a shell command of the user is
 * running.
 */
const STATES = new Map<unknown, ToldState["state"]>([
  ["waiting", "waits"],
  ["busy", "working"],
  ["shell", "working"],
  ["idle", "quiet"],
]);

/**
 * Returns the state that a pid file gives for its session. Undefined if the client's version
 * records no state.
 */
function saidIn({ status, waitingFor }: Json): ToldState | undefined {
  const state = STATES.get(status);
  return state && present({ state, waits_for: asText(waitingFor) });
}

export function* pidFiles(
  folder: string,
): Generator<{ id: string; noted: NotedProcess; says: ToldState | undefined }> {
  for (const { path, name } of listFolder(join(folder, "sessions"))) {
    if (!name.endsWith(".json")) continue;
    const record = readJsonObject(path);
    const { sessionId, pid: written, procStart, startedAt } = record;
    const id = asName(sessionId);
    const pid = asNumber(written) ?? Number(basename(name, ".json"));
    if (id === undefined || !Number.isSafeInteger(pid) || pid <= 0) continue;
    const start = String(procStart);
    const seen = asNumber(startedAt);
    // On other systems it is a date, as `ps` prints it.
    const told = /^\d+$/.test(start) ? { start } : seen === undefined ? {} : { seen };
    yield { id, noted: { pid, ...told }, says: saidIn(record) };
  }
}
