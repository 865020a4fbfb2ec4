/**
 * Finds sessions that came from the user's other machines. In the data root, their files have the
 * same relative paths as in their agent's folder. A list for each agent names the shown sessions.
 */
import { present } from "../../../core/event/present.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentName } from "../../../core/event/agent_name.ts";
import { fields, optional, text } from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import { RECORDS_BYTES, shortTextIn } from "../../../core/file/short_file.ts";
import { REPRISE } from "../../../core/event/agent_name.ts";
import { replaceFile } from "../../../core/log/replace_file.ts";
import { isWithin } from "../../../core/store/relinks.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";

export interface PulledEntry {
  /** The session's id; if both machines continued the session, followed by the machine's name. */
  id: string;
  /** Path of the main file below the folder of pulled files, with `/` as separator. */
  path: string;
  machine: string;
  /** `id` without the machine's name. Present only if this machine continued the session, too. */
  branch_of?: string;
}

export function pulledFolder(root: string): string {
  return join(root, "machines", "pulled");
}

export function pulledListPath(root: string, agent: AgentName): string {
  return join(root, "machines", "shown", `${agent}.jsonl`);
}

export function hasPulled(root: string | undefined, agent: AgentName): root is string {
  return root !== undefined && existsSync(pulledListPath(root, agent));
}

export function isPulledCopy(root: string | undefined, path: string): boolean {
  return root !== undefined && isWithin(path, pulledFolder(root));
}

const ENTRY = fields({ id: text, path: text, machine: text, branch_of: optional(text) });

export function readPulled(root: string, agent: AgentName): PulledEntry[] {
  const lines = shortTextIn(pulledListPath(root, agent), RECORDS_BYTES, { follow: false });
  return (lines ?? "").split("\n").flatMap((line) => {
    const value = line === "" ? undefined : parsedJson(line);
    return value !== undefined && ENTRY(value) === undefined ? [value as PulledEntry] : [];
  });
}

/** Removes a session from its agent's list, but leaves the session's files. */
export function forgetPulled(
  root: string,
  { agent, id }: Pick<AgentSession, "agent" | "id">,
): void {
  const left = readPulled(root, agent).filter((entry) => entry.id !== id);
  replaceFile(pulledListPath(root, agent), left.map((entry) => `${JSON.stringify(entry)}\n`));
}

/**
 * Yields an agent's sessions from other machines. Skips a session that this machine has, unless it
 * is a branch, continued on both machines.
 *
 * @param standing Ids of the sessions that the agent has on this machine.
 */
export function* pulledSessions(
  root: string,
  agent: AgentName,
  standing: ReadonlySet<string>,
): Generator<AgentSession> {
  for (const { id, path, machine, branch_of } of readPulled(root, agent)) {
    if (branch_of === undefined && standing.has(id)) continue;
    const ref = agent === REPRISE ? id : undefined;
    yield present({ agent, id, path: join(pulledFolder(root), path), machine, branch_of, ref });
  }
}
