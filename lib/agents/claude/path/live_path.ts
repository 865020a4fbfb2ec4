/**
 * The branch of a Claude Code session that is read, root first. The records of one response stand
 * together with the results of its calls, and what hangs on them.
 *
 * The branch runs on behind each compaction, by the record that was the last one before it. So the
 * whole dialogue is shown, though the model gets what follows the last compaction.
 */
import { SessionError } from "../../../event/session_error.ts";
import type { AgentReadOptions, AgentSession } from "../../../source/agent.ts";
import { type BrokenWalk, describeBroken } from "../../record_tree.ts";
import { indexRecords } from "../index/index_records.ts";
import { isDamaged, PASSING, type RecordIndex, rowOf } from "../index/record_index.ts";
import { readRow } from "../read_rows.ts";
import { withSiblings } from "./answer_siblings.ts";
import { withAsides } from "./asides.ts";
import { withAttachedFirst } from "./attached_first.ts";
import { liveLeaf } from "./live_leaf.ts";
import { lastOnWay, rowOfStep, type Steps } from "./steps.ts";
import { walkBranch } from "./walk_branch.ts";

/** A session's records, and those of the branch. */
export interface LivePath {
  index: RecordIndex;
  steps: Steps;
  broken: BrokenWalk[];
  /** Each line was parsed: what is damaged is known and was reported. */
  thorough: boolean;
}

/** What to read of a session. */
export interface PathScope {
  /** The last record of the branch, if it is not the live one. */
  leaf?: number;
  /** Only from the last compaction on. */
  in_force?: boolean;
}

/**
 * Indexes a session and finds the branch to read, which `scope` may choose. Without an account to keep
 * or kinds left out, one look at each line's ends has to do; where it leads nowhere, the lines are read
 * whole.
 */
export async function findLivePath(
  { path }: Pick<AgentSession, "path">,
  { needs, report, account, signal }: AgentReadOptions,
  scope: (index: RecordIndex) => PathScope,
): Promise<LivePath> {
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

/** Whether the record of a row is what its line's ends told of. */
function isWhole(path: string, index: RecordIndex, row: number): boolean {
  if (row < 0) return true;
  const record = readRow(path, index, row);
  return record !== undefined && !record.salvaged;
}

/** The branch of an index. */
export function livePath(index: RecordIndex, scope: PathScope = {}): LivePath {
  const { in_force = false, leaf = liveLeaf(index) } = scope;
  const { rows, broken } = walkBranch(index, leaf, { in_force });
  const known = new Uint8Array(index.count);
  const steps = withSiblings(index, rows);
  for (const step of steps) known[rowOfStep(step)] = 1;
  const all = in_force || steps.length === index.count ? steps : withAsides(index, steps, known);
  return { index, steps: withAttachedFirst(index, all), broken, thorough: false };
}

/** The last record, in the order of the file, that descends from the record `id`, or is it. */
export function lastBelow(index: RecordIndex, id: string): number {
  const first = rowOf(index, id);
  if (first < 0) {
    throw new SessionError("not-found", `Cannot read branch: no record "${id}"`, { ref: id });
  }
  const below = new Uint8Array(index.count);
  below[first] = 1;
  let last = first;
  for (let row = first + 1; row < index.count; row++) {
    const parent = index.parent[row] as number;
    if (parent < 0 || below[parent] !== 1) continue;
    below[row] = 1;
    if (index.type[row] !== PASSING) last = row;
  }
  return last;
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
