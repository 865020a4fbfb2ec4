/**
 * Subagents whose dialogue only `progress` records of the session's own file hold. Versions 2.0.60 to
 * 2.1.30 wrote each message of a subagent there too, and many of the subagents' files are gone.
 */
import { asName, asObject } from "../../reading/json_value.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { AGENT_PROGRESS } from "./index/agent_progress.ts";
import { indexRecord } from "./index/parsed_record.ts";
import { linkParents } from "./index/link_parents.ts";
import { emptyIndex, type RecordIndex, rowOf, subtypeOf } from "./index/record_index.ts";
import { followParent } from "./path/parent_link.ts";
import { stepsOf } from "./path/steps.ts";
import { agentMessage, readSteps } from "./read_rows.ts";

/** A subagent, with its messages as records of their own. */
export interface ProgressAgent {
  /** As Claude Code names the subagent. */
  id: string;
  index: RecordIndex;
  /** The rows of the file that hold its messages. */
  rows: number[];
  /** The row of the file that started it, or -1. */
  start: number;
}

/** Finds the subagents in a file's records of progress, but those with a file of their own. */
export async function progressAgents(
  path: string,
  index: RecordIndex,
  files: readonly { id: string }[],
): Promise<ProgressAgent[]> {
  const rows: number[] = [];
  for (let row = 0; row < index.count; row++) {
    if (subtypeOf(index, row) === AGENT_PROGRESS) rows.push(row);
  }
  const own = new Set(files.map(({ id }) => id));
  const agents = new Map<string, ProgressAgent>();
  for await (const batch of readSteps(path, index, stepsOf(rows), () => true)) {
    for (const [at, { record }] of batch.entries()) {
      const row = rows[at] as number;
      const id = asName(asObject(record?.value.data).agentId);
      if (record?.position === undefined || id === undefined || own.has(id)) continue;
      const start = followParent(index, index.parent[row] as number);
      const agent = agents.get(id) ?? { id, index: emptyIndex(), rows: [], start };
      if (addMessage(agent.index, record as SourceRecord)) agent.rows.push(row);
      if (agent.rows.length > 0) agents.set(id, agent);
    }
    rows.splice(0, batch.length);
  }
  for (const agent of agents.values()) linkParents(agent.index);
  return [...agents.values()];
}

/** Adds the message in a record, which follows the one before; false for one that is there. */
function addMessage(index: RecordIndex, { value, ...place }: SourceRecord): boolean {
  const message = agentMessage(value);
  if (message === undefined || rowOf(index, asName(message.uuid)) >= 0) return false;
  indexRecord(index, { ...place, value: message }, {});
  return true;
}
