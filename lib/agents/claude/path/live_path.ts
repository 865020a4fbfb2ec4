/**
 * The branch of a Claude Code session that is read, root first. The records of one response stand
 * together with the results of its calls, and what hangs on them.
 *
 * The branch runs on behind each compaction, by the record that was the last one before it. So the
 * whole dialogue is shown, though the model gets what follows the last compaction.
 */
import type { AgentReadOptions, AgentSession } from "../../../source/agent.ts";
import { type BrokenWalk, describeBroken } from "../../../reading/tree/record_tree.ts";
import { indexRecords } from "../index/index_records.ts";
import { linkRepeated } from "../index/link_parents.ts";
import { isDamaged, type RecordIndex, rowOf } from "../index/record_index.ts";
import { readRow } from "../read_rows.ts";
import { withSiblings } from "./answer_siblings.ts";
import { withAsides } from "./asides.ts";
import { withAttachedFirst } from "./attached_first.ts";
import { otherBranches, stepsFromRoot } from "./branches.ts";
import { liveLeaf } from "./live_leaf.ts";
import { lastOnWay, rowOfStep, type Steps } from "./steps.ts";
import { branchWalker } from "./walk_branch.ts";

/** A session's records, and those of the branch. */
export interface LivePath {
  index: RecordIndex;
  steps: Steps;
  /** The steps in the order of the records, before attachments are moved. */
  line: Steps;
  broken: BrokenWalk[];
  /** Each line was parsed: what is damaged is known and was reported. */
  thorough: boolean;
}

/** What to read of a session. */
export interface PathScope {
  /** The first record that only the branch has, if it is not the live one. */
  branch?: string;
  /** Only from the last compaction on. */
  in_force?: boolean;
}

/** Where a thread's records are, and which of them are read. */
export interface ThreadPlace {
  path: string;
  /** The records, where they are known or not those of the file. */
  index?: RecordIndex;
  scope(index: RecordIndex): PathScope;
}

/**
 * Indexes a session and finds the branch to read, which `scope` may choose. Without an account to keep
 * or kinds left out, one look at each line's ends has to do; where it leads nowhere, the lines are read
 * whole.
 */
export async function findLivePath(
  { path }: Pick<AgentSession, "path">,
  { needs, report, account, signal }: AgentReadOptions,
  { index: known, scope }: Pick<ThreadPlace, "index" | "scope">,
): Promise<LivePath> {
  if (known !== undefined) return livePath(known, scope(known));
  const cancel = signal === undefined ? {} : { signal };
  if (needs !== undefined && account === undefined) {
    const index = await indexRecords(path, cancel, false);
    const live = livePath(index, scope(index));
    // What damaged lines hold is to be found and reported only once.
    const sure = live.broken.length === 0 && !isDamaged(index);
    if (sure && isWhole(path, index, lastOnWay(live.steps))) return live;
  }
  const index = await indexRecords(path, { report, account, ...cancel }, true);
  return { ...livePath(index, scope(index)), thorough: true };
}

/** True if the record of a row is what its line's ends told of. */
function isWhole(path: string, index: RecordIndex, row: number): boolean {
  if (row < 0) return true;
  const record = readRow(path, index, row);
  return record !== undefined && !record.salvaged;
}

/** The branch of an index. */
export function livePath(index: RecordIndex, scope: PathScope = {}): LivePath {
  const { in_force = false, branch } = scope;
  if (branch !== undefined) linkRepeated(index);
  const live = liveSteps(index, in_force && branch === undefined);
  const { steps, broken } = branch === undefined ? live : branchSteps(index, live, branch);
  const line = in_force && branch !== undefined ? stepsInForce(index, steps) : steps;
  return { index, steps: withAttachedFirst(index, line), line, broken, thorough: false };
}

type Walked = Pick<LivePath, "steps" | "broken">;

function liveSteps(index: RecordIndex, in_force: boolean): Walked {
  const { rows, broken } = branchWalker(index)(liveLeaf(index), { in_force });
  const known = new Uint8Array(index.count);
  const steps = withSiblings(index, rows);
  for (const step of steps) known[rowOfStep(step)] = 1;
  const all = in_force || steps.length === index.count ? steps : withAsides(index, steps, known);
  return { steps: all, broken };
}

/** The branch that begins with a record; nothing where none does. */
function branchSteps(index: RecordIndex, live: Walked, id: string): Walked {
  const branches = otherBranches(index, live.steps);
  const first = rowOf(index, id);
  const branch = branches.find(({ rows }) => rows[0] === first);
  if (branch === undefined) return { steps: new Int32Array(0), broken: [] };
  const broken = [...branch.broken];
  let left = branch;
  while (left.parent !== undefined) {
    const next = branches[left.parent.branch];
    broken.push(...next?.broken ?? live.broken);
    if (next === undefined) break;
    left = next;
  }
  return { steps: stepsFromRoot(index, live.steps, branches, branch), broken };
}

function stepsInForce({ boundaries }: RecordIndex, steps: Steps): Steps {
  const from = steps.findLastIndex((step) => boundaries.has(rowOfStep(step)));
  return from < 0 ? steps : steps.subarray(from);
}

/** Reports where the branch lost its way. */
export function reportBroken(
  { broken, index }: LivePath,
  report: AgentReadOptions["report"],
): void {
  for (const walk of broken) {
    const row = rowOf(index, walk.at);
    const offset = index.offset[row] ?? 0;
    const place = { offset, length: index.length[row] ?? 0, line: index.line[row] ?? 0 };
    report?.({ code: walk.code, ...place, detail: describeBroken(walk) });
  }
}
