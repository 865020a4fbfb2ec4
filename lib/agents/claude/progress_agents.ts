/**
 * Sub-agents whose dialogue only `progress` records of the session's own file hold. Versions 2.0.60 to
 * 2.1.30 wrote each message of a sub-agent there too, and many of the sub-agents' files are gone.
 */
import { asName, asObject } from "../../reading/json_value.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { indexRecords } from "../../reading/tree/index_file.ts";
import { followParent } from "../../reading/tree/parent_link.ts";
import { readEach } from "../../reading/tree/read_steps.ts";
import { subtypeOf } from "../../reading/tree/record_index.ts";
import { allSteps, rowOfStep } from "../../reading/tree/steps.ts";
import type { InnerAgent } from "../../reading/tree/tree_format.ts";
import { AGENT_PROGRESS, type ClaudeHead, type ClaudeIndex } from "./index/claude_record.ts";
import { claudeIndex } from "./index/index_format.ts";

/** The messages of a sub-agent, by their ids, and where they lie. */
interface Messages {
  records: Map<unknown, SourceRecord>;
  rows: number[];
  start: number;
}

/** Finds the sub-agents in a file's records of progress, but those with a file of their own. */
export async function progressAgents(
  path: string,
  index: ClaudeIndex,
  files: readonly { id: string }[],
): Promise<InnerAgent<ClaudeHead>[]> {
  const own = new Set(files.map(({ id }) => id));
  const agents = new Map<string, Messages>();
  const steps = allSteps(index)
    .filter((step) => subtypeOf(index, rowOfStep(step)) === AGENT_PROGRESS);
  for await (const { node: { row }, record } of readEach({}, path, index, steps)) {
    const id = asName(asObject(record.value.data).agentId);
    const value = agentMessage(record.value);
    if (value === undefined || id === undefined || own.has(id)) continue;
    const start = followParent(index, index.parent[row] as number);
    const agent: Messages = agents.get(id) ?? { records: new Map(), rows: [], start };
    agents.set(id, agent);
    const key = asName(value.uuid) ?? row;
    if (agent.records.has(key)) continue;
    agent.records.set(key, { ...record as SourceRecord, value });
    agent.rows.push(row);
  }
  return Array.from(agents, ([id, { records, rows, start }]) => ({
    ...{ id, rows, start },
    index: indexRecords(claudeIndex, records.values()),
  }));
}

/** The message of a sub-agent that a record of progress holds, as a record of its own. */
export function agentMessage(
  value: SourceRecord["value"] | undefined,
): SourceRecord["value"] | undefined {
  if (value?.type !== "progress") return undefined;
  const { data, parentUuid: _parent, ...frame } = value;
  const { message } = asObject(data);
  if (message === undefined) return undefined;
  return { ...frame, ...asObject(message), isSidechain: true };
}
