/** Examines what agents do with their sessions: what they hide, delete next, and keep on the disk. */
import type { AgentName } from "../../event/agent_name.ts";
import { REPRISE } from "../../event/agent_name.ts";
import { present } from "../../event/present.ts";
import { rowsOf } from "../candidate.ts";
import { type ExpiringSessions, expiringSessions } from "../expiring.ts";
import { isKeptCopy } from "../kept/kept_sessions.ts";
import type { Library } from "../library.ts";
import type { QueryOptions } from "../query.ts";
import { descriptorOf } from "../registry.ts";
import type { ContentKind } from "../../projection/content_bytes.ts";
import { agentContent } from "./agent_content.ts";
import { type AgentDisk, agentDisk } from "./agent_disk.ts";
import { type HiddenSession, hiddenSessions } from "./hidden_sessions.ts";

/** The report on an agent. */
export interface ExaminedAgent {
  agent: AgentName;
  /** The agent's name as its makers write it. */
  title: string;
  /** Sessions that are there. */
  sessions: number;
  /** The sessions that its own list leaves out; absent where the list's rule is not known. */
  hidden?: HiddenSession[];
  /** Deleted sessions of which the agent's history has the prompts. */
  gone: number;
  disk: AgentDisk;
  /** The sizes of its sessions' content, as JSON of events; only if it was asked for. */
  content?: { kind: ContentKind; bytes: number }[];
  /** The sessions that it deletes without a backup, the first due first; by its roots. */
  expiring: ExpiringSessions[];
}

/** Options of {@linkcode examineAgents}. */
export interface ExamineOptions extends Pick<QueryOptions, "agents" | "onError" | "onProgress"> {
  /** The time. */
  now: Date;
  /** The directory in which an agent would start: its settings count. */
  cwd: string;
  /** True to read all sessions for what they hold. @default {false} */
  content?: boolean;
}

/** Examines each agent that has sessions, in the order of their number. */
export async function examineAgents(
  library: Library,
  { agents, onError, onProgress, now, cwd, content = false }: ExamineOptions,
): Promise<ExaminedAgent[]> {
  const { entries } = await library.query({ agents, onError, rows: true, archived: "any" });
  const rows = (await rowsOf(entries)).filter(({ agent, path }) =>
    agent !== REPRISE && !isKeptCopy(library.place.root, path)
  );
  const examined: ExaminedAgent[] = [];
  const all = rows.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  let read = 0;
  const onRead = (bytes: number): void => onProgress?.(read += bytes, all);
  for (const [name, own] of Map.groupBy(rows, ({ agent }) => agent as AgentName)) {
    const hidden = await hiddenSessions(library, name, own);
    examined.push(present({
      ...{ agent: name, title: descriptorOf(name).title, sessions: own.length, hidden },
      gone: (await library.query({ agents: [name], gone: true, onError })).entries.length,
      disk: await agentDisk(library, name, own, now),
      content: content ? await agentContent(own, onRead) : undefined,
      expiring: await expiringSessions(library, own, { now, cwd, within_days: Infinity }),
    }));
  }
  return examined.sort((one, other) => other.sessions - one.sessions);
}
