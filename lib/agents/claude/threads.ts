/**
 * Finds the kind, title and time of threads for a list. A thread may be a sub-agent's dialogue, or
 * a branch that a rewind replaced. Its title is its first prompt.
 */
import { asName, asObject, present } from "../engine/json.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { put } from "../engine/tree/answer_pieces.ts";
import type { Branch } from "../engine/tree/branches.ts";
import { indexRecords } from "../engine/tree/index_file.ts";
import { followParent } from "../engine/tree/parent_link.ts";
import { readEach, readRow } from "../engine/tree/read_steps.ts";
import { hasFlag, isInTree, type RecordIndex, subtypeOf } from "../engine/tree/record_index.ts";
import { allSteps, rowOfStep } from "../engine/tree/steps.ts";
import type { InnerAgent } from "../engine/tree/tree_format.ts";
import type { SessionThread } from "../../core/projection/session_thread.ts";
import { promptTitle } from "./header.ts";
import {
  AGENT_PROGRESS,
  type ClaudeHead,
  type ClaudeIndex,
  isSpoken,
  RESULTS,
  SIDECHAIN,
  USER,
} from "./index/claude_record.ts";
import { claudeIndex } from "./index/index_format.ts";

export function branchKinds(
  index: RecordIndex,
  branches: readonly Branch[],
): (branch: Branch) => SessionThread["kind"] {
  const owner = new Int32Array(index.count).fill(-1);
  for (const [at, { steps }] of branches.entries()) {
    for (const step of steps) owner[rowOfStep(step)] = at;
  }
  const followers = spokenFollowers(index);
  return (branch) => kindOf(index, branch, owner, followers);
}

/** Returns a branch's kind. It is `replaced` if a rewind replaced the branch's first prompt. */
function kindOf(
  index: RecordIndex,
  { rows, parent }: Branch,
  owner: Int32Array,
  followers: ReadonlyMap<number, readonly number[]>,
): SessionThread["kind"] {
  const [first = -1] = rows;
  if (first >= 0 && hasFlag(index, first, SIDECHAIN)) return "subagent";
  const prompt = rows.find((row) => isSpoken(index, row)) ?? -1;
  if (parent === undefined || !isPrompt(index, prompt)) return "branch";
  const others = followers.get(spokenParent(index, prompt)) ?? [];
  const beside = others.filter((row) => row !== prompt && owner[row] === parent.branch);
  // What was said last before it is the end of the other branch: it was rewound to there.
  return beside.length === 0 || beside.some((row) => isPrompt(index, row)) ? "replaced" : "branch";
}

function spokenFollowers(index: RecordIndex): Map<number, number[]> {
  const followers = new Map<number, number[]>();
  for (let row = 0; row < index.count; row++) {
    if (isSpoken(index, row) && isInTree(index, row)) {
      put(followers, spokenParent(index, row), row);
    }
  }
  return followers;
}

export function isPrompt(index: RecordIndex, row: number): boolean {
  return row >= 0 && index.type[row] === USER && !hasFlag(index, row, RESULTS);
}

function spokenParent(index: RecordIndex, row: number): number {
  let at = followParent(index, index.parent[row] as number);
  for (let steps = 0; at >= 0 && !isSpoken(index, at) && steps < index.count; steps++) {
    at = followParent(index, index.parent[at] as number);
  }
  return at;
}

export function summarizeThread(
  path: string,
  index: ClaudeIndex,
  rows: readonly number[],
): Pick<SessionThread, "title" | "updated_at"> {
  let last = -Infinity;
  for (const row of rows) last = Math.max(last, index.time[row] || -Infinity);
  const updated_at = last === -Infinity ? undefined : new Date(last).toISOString();
  return present({ title: titleOf(path, index, rows), updated_at });
}

const MOST_TRIED = 12;

function titleOf(path: string, index: ClaudeIndex, rows: readonly number[]): string | undefined {
  for (const row of rows.filter((other) => index.type[other] === USER).slice(0, MOST_TRIED)) {
    const value = readRow({}, path, index, row)?.value;
    const title = value && promptTitle({ value: agentMessage(value) ?? value });
    if (title !== undefined) return inShort(title);
  }
  return undefined;
}

const LONGEST_TITLE = 200;

function inShort(title: string): string {
  return title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE).trimEnd()}…` : title;
}

// Sub-agents whose dialogue only `progress` records of the session's own file hold. Versions 2.0.60 to
// 2.1.30 wrote each message of a sub-agent there too, and many of the sub-agents' files are gone.

/** A sub-agent's messages by id, and the rows of the messages. `start` is the row before them. */
interface Messages {
  records: Map<unknown, SourceRecord>;
  rows: number[];
  start: number;
}

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

export function agentMessage(
  value: SourceRecord["value"] | undefined,
): SourceRecord["value"] | undefined {
  if (value?.type !== "progress") return undefined;
  const { data, parentUuid: _parent, ...frame } = value;
  const { message } = asObject(data);
  if (message === undefined) return undefined;
  return { ...frame, ...asObject(message), isSidechain: true };
}
